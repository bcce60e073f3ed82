#include "src/runtime/proof_path.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace relayout::runtime {
namespace {

constexpr std::array<std::int64_t, 3> kParts = {1, 2, 7};

std::vector<Placement> placements(std::int64_t element_bytes) {
  std::vector<Placement> all;
  for (const std::int64_t offset :
       {std::int64_t{0}, std::int64_t{1}, element_bytes % 64, std::int64_t{32}, std::int64_t{63}}) {
    const Placement placement = {Placement::Kind::kOffset, offset};
    if (std::find(all.begin(), all.end(), placement) == all.end()) all.push_back(placement);
  }
  all.push_back({Placement::Kind::kFrontGuard, 0});
  all.push_back({Placement::Kind::kEndGuard, 0});
  return all;
}

std::vector<ProofPath> every_combination(const PathChoices& choices) {
  const std::vector<Placement> places = placements(choices.element_bytes);
  std::vector<ProofPath> paths;
  for (const Placement& source : places) {
    for (const Placement& destination : places) {
      for (int variant = 0; variant < choices.variants; ++variant) {
        for (const std::int64_t parts : kParts) paths.push_back({source, destination, variant, parts});
      }
    }
  }
  return paths;
}

/// The destination's placements run through the list from the source's successor, so that all of both occur.
std::vector<ProofPath> every_value(const PathChoices& choices) {
  const std::vector<Placement> places = placements(choices.element_bytes);
  std::vector<ProofPath> paths;
  for (int variant = 0; variant < choices.variants; ++variant) {
    for (const std::int64_t parts : kParts) paths.push_back({places[0], places[0], variant, parts});
  }
  for (std::size_t number = 0; number < places.size(); ++number) {
    paths.push_back({places[number], places[(number + 1) % places.size()],
                     static_cast<int>(number) % choices.variants, kParts[number % kParts.size()]});
  }
  paths.push_back({{Placement::Kind::kEndGuard, 0}, {Placement::Kind::kEndGuard, 0}, 0, 1});
  return paths;
}

bool touches_no_guard(const ProofPath& path) {
  return path.source.kind == Placement::Kind::kOffset && path.destination.kind == Placement::Kind::kOffset;
}

}  // namespace

std::vector<ProofPath> proof_paths(const PathChoices& choices) {
  std::vector<ProofPath> paths = choices.thorough ? every_combination(choices) : every_value(choices);
  std::stable_partition(paths.begin(), paths.end(), touches_no_guard);
  return paths;
}

}  // namespace relayout::runtime
