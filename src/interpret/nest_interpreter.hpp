#pragma once

#include <cstdint>
#include <vector>

#include "relayout/result.hpp"
#include "src/plan/refinement/loop_nest.hpp"

namespace relayout::interpret {

/// Which pieces of the factors to walk: both describe the same points.
enum class NestForm : std::uint8_t { kPieces, kGuarded };

/// For each destination element the source element that the nest moves there, or -1. Walks the product of the
/// factors' points; kGuarded takes guarded pieces where a factor has them.
/// \error kAliasing if two points share a destination element, kInternal if one lies outside or a factor has
/// no pieces
Result<std::vector<std::int64_t>> source_of_destination(const plan::LoopNest& nest,
                                                        std::int64_t destination_elements,
                                                        NestForm form = NestForm::kPieces);

}  // namespace relayout::interpret
