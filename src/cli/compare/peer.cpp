#include "src/cli/compare/peer.hpp"

#include <cstddef>
#include <dlfcn.h>
#include <fmt/format.h>

namespace relayout::cli {
namespace {

using ListFunction = const relayout_peer_list* (*)();

/// Stays loaded: libraries that it brings along (OpenMP's) do not survive being unloaded.
std::shared_ptr<void> open_library(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  return {handle, [](void*) {}};
}

/// dlopen looks a bare name up in the system's folders instead.
std::string with_folder(const std::string& path) {
  return path.find('/') == std::string::npos ? "./" + path : path;
}

}  // namespace

Result<std::vector<Peer>> load_peers(const std::string& path) {
  const std::shared_ptr<void> library = open_library(with_folder(path));
  if (!library) return Error{ErrorCode::kSystem, fmt::format("{}: {}", path, dlerror())};
  const auto list_function = reinterpret_cast<ListFunction>(dlsym(library.get(), "relayout_peers"));
  if (list_function == nullptr) {
    return Error{ErrorCode::kBadArgument, path + ": has no function relayout_peers"};
  }
  const relayout_peer_list* list = list_function();
  if (list == nullptr || list->version != RELAYOUT_PEER_VERSION) {
    return Error{ErrorCode::kBadArgument, fmt::format("{}: is not for version {} of the peers' interface",
                                                      path, RELAYOUT_PEER_VERSION)};
  }
  std::vector<Peer> peers;
  for (std::int32_t i = 0; i < list->count; ++i) peers.emplace_back(library, list->peers[i]);
  return peers;
}

PeerProblem::PeerProblem(const std::vector<LoopBox>& boxes, std::int64_t element_bytes,
                         std::int64_t source_bytes, std::int64_t destination_bytes) {
  loops_.reserve(boxes.size());
  for (const LoopBox& box : boxes) {
    auto& loops = loops_.emplace_back();
    for (const LoopDimension& loop : box.loops) {
      loops.push_back({loop.extent, loop.source_stride, loop.destination_stride});
    }
    boxes_.push_back(
        {box.source_base, box.destination_base, static_cast<std::int64_t>(loops.size()), loops.data()});
  }
  problem_ = {element_bytes, source_bytes, destination_bytes, static_cast<std::int64_t>(boxes_.size()),
              boxes_.data()};
}

PreparedPeer::PreparedPeer(const Peer& peer, const PeerProblem& problem, const std::byte* source,
                           std::byte* destination)
    : peer_(peer), prepared_(peer.functions().prepare(&problem.get(), source, destination)) {}

PreparedPeer::~PreparedPeer() {
  if (prepared_ != nullptr) peer_.functions().release(prepared_);
}

}  // namespace relayout::cli
