#include "src/plan/model/plan_choice.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace relayout::plan {
namespace {

template <class T>
using Names = std::array<std::pair<std::string_view, T>, 2>;

constexpr std::array<std::string_view, 4> kWalks = {"blocked", "source", "destination", "turns"};
constexpr Names<int> kVectors = {{{"32", 32}, {"64", 64}}};
constexpr Names<StorePolicy> kStores = {
    {{"temporal", StorePolicy::kTemporal}, {"streaming", StorePolicy::kStreaming}}};
constexpr Names<bool> kSwitch = {{{"on", true}, {"off", false}}};

/// False if `text` is none of the names.
template <class T>
bool read(const Names<T>& names, std::string_view text, std::optional<T>& value) {
  const auto* found = std::ranges::find(names, text, &std::pair<std::string_view, T>::first);
  if (found == names.end()) return false;
  value = found->second;
  return true;
}

template <class T>
std::string_view name_of(const Names<T>& names, T value) {
  return std::ranges::find(names, value, &std::pair<std::string_view, T>::second)->first;
}

bool read_walk(std::string_view text, std::optional<LoopWalk>& walk) {
  const auto* found = std::ranges::find(kWalks, text);
  if (found == kWalks.end()) return false;
  walk = static_cast<LoopWalk>(found - kWalks.begin());
  return true;
}

bool read_part(std::string_view name, std::string_view value, PlanChoice& choice) {
  if (name == "loops") return read_walk(value, choice.loops);
  if (name == "vectors") return read(kVectors, value, choice.vector_bytes);
  if (name == "stores") return read(kStores, value, choice.stores);
  if (name == "prefetch") return read(kSwitch, value, choice.prefetch);
  if (name == "masks") return read(kSwitch, value, choice.masks);
  if (name != "kernel" || value.empty()) return false;
  choice.kernel = value;
  return true;
}

}  // namespace

Result<PlanChoice> parse_choice(std::string_view text) {
  PlanChoice choice;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    const std::size_t equals = part.find('=');
    const bool known = equals != std::string_view::npos &&
                       read_part(part.substr(0, equals), part.substr(equals + 1), choice);
    if (!known) {
      return Error{ErrorCode::kBadArgument,
                   "choice: \"" + std::string(part) +
                       "\" is none of kernel=NAME, loops=blocked|source|destination|turns, vectors=32|64, "
                       "stores=temporal|streaming, prefetch=on|off, masks=on|off"};
    }
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return choice;
}

std::string to_string(const PlanChoice& choice) {
  std::string text;
  const auto add = [&text](std::string_view name, std::string_view value) {
    text.append(text.empty() ? "" : ",").append(name).append("=").append(value);
  };
  if (!choice.kernel.empty()) add("kernel", choice.kernel);
  if (choice.loops) add("loops", kWalks[static_cast<std::size_t>(*choice.loops)]);
  if (choice.vector_bytes) add("vectors", name_of(kVectors, *choice.vector_bytes));
  if (choice.stores) add("stores", name_of(kStores, *choice.stores));
  if (choice.prefetch) add("prefetch", name_of(kSwitch, *choice.prefetch));
  if (choice.masks) add("masks", name_of(kSwitch, *choice.masks));
  return text;
}

}  // namespace relayout::plan
