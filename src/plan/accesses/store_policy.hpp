#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/model/plan_notes.hpp"

namespace relayout::plan {

/// Whether the processor's own prefetch fetches what a nest writes past the last cache early enough that
/// streaming would only lose, as it does where all goes to one channel of the memory.
/// \param footprint_bytes of both buffers together
bool are_writes_followed(const Nest& nest, std::int64_t footprint_bytes, const Target& target);

/// Why streaming stores would be slower for a nest than stores through the caches; empty if they would not,
/// or cannot be used.
std::string_view reason_not_to_stream(const Nest& nest, std::int64_t footprint_bytes, const Target& target);

/// Sets how the destination of `nest` is written, with the scratch and the prefetch that go with it.
/// \param name what notes are about
void choose_store_policy(Nest& nest, const std::string& name, const PlanInputs& inputs, PlanNotes& notes);

}  // namespace relayout::plan
