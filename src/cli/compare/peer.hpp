#pragma once

#include <memory>
#include <string>
#include <vector>

#include "relayout/loops.hpp"
#include "relayout/result.hpp"
#include "src/cli/compare/peer_interface.h"

namespace relayout::cli {

/// Another implementation of conversions. A handle; copies share the shared object that holds its code.
class Peer {
 public:
  Peer(std::shared_ptr<void> library, const relayout_peer& peer)
      : library_(std::move(library)), peer_(&peer) {}

  std::string name() const { return peer_->name; }
  const relayout_peer& functions() const noexcept { return *peer_; }

 private:
  std::shared_ptr<void> library_;
  const relayout_peer* peer_;
};

/// All peers of a shared object (peer_interface.h). Loading runs its code. \error kSystem, kBadArgument
Result<std::vector<Peer>> load_peers(const std::string& path);

/// The boxes of a pair in a peer's words; has to outlive every PreparedPeer made of it.
class PeerProblem {
 public:
  /// `boxes` with strides in elements of `element_bytes`.
  PeerProblem(const std::vector<LoopBox>& boxes, std::int64_t element_bytes, std::int64_t source_bytes,
              std::int64_t destination_bytes);
  PeerProblem(const PeerProblem&) = delete;
  PeerProblem& operator=(const PeerProblem&) = delete;

  const relayout_peer_problem& get() const noexcept { return problem_; }

 private:
  std::vector<std::vector<relayout_peer_loop>> loops_;
  std::vector<relayout_peer_box> boxes_;
  relayout_peer_problem problem_{};
};

/// A peer that is ready for one problem and two buffers.
class PreparedPeer {
 public:
  PreparedPeer(const Peer& peer, const PeerProblem& problem, const std::byte* source, std::byte* destination);
  PreparedPeer(const PreparedPeer&) = delete;
  PreparedPeer& operator=(const PreparedPeer&) = delete;
  ~PreparedPeer();

  /// Whether it can express the problem.
  bool is_able() const noexcept { return prepared_ != nullptr; }
  /// \pre is_able()
  void run() const { peer_.functions().run(prepared_); }

 private:
  Peer peer_;
  void* prepared_;
};

}  // namespace relayout::cli
