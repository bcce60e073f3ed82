#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/boxes/boxes.hpp"
#include "src/plan/model/plan.hpp"
#include "src/plan/model/plan_inputs.hpp"
#include "src/plan/model/plan_notes.hpp"
#include "src/plan/padding/padded_box.hpp"
#include "src/plan/padding/padded_rows.hpp"

namespace relayout::plan {

/// Whether other boxes write into a box's lines only at the ends of stretches of
/// Target::shortest_staged_beside_bytes and more.
bool keeps_to_its_lines(const Box& box, std::int64_t element_bytes, const Target& target);

/// Whether the destination is large enough for it, or stores are asked for that need it.
bool may_be_staged(const PlanInputs& inputs);

/// Whether a nest that writes through the caches is better left so than staged, since the processor fetches
/// what it reads and writes next (Target::few_places_followed_up_to_bytes).
enum class FollowedPlaces : std::uint8_t {
  kMany,                 ///< more places than it follows, or of larger buffers
  kOneBesideSlowBlocks,  ///< one to write: unless the kernel of a block is fast
  kFew,
};

/// \param footprint_bytes of both buffers
FollowedPlaces followed_places(const Nest& plain, std::int64_t footprint_bytes, const Target& target);

/// A nest that moves a box by way of a scratch, out of which long runs are streamed, where `plain` would
/// write its rows through the caches. None if it can't, and where that is not worth it. \param padded of
/// which `box` is the box, where padding is moved with the data; else null
std::optional<Nest> staged_nest(const Nest& plain, const Box& box, const PaddedBox* padded,
                                const PlanInputs& inputs, PlanNotes& notes);

/// The same with the padding behind its rows, which then belongs to its runs. `plain` moves the box alone;
/// its rows are staged even if the processor would follow what it writes, since another nest would write the
/// padding of the same lines.
std::optional<Nest> staged_padded_nest(const Nest& plain, const PaddedRows& rows, const PlanInputs& inputs,
                                       PlanNotes& notes);

/// Whether rows to write that a guard trims should be looked for (BoxBudget::trims_rows), and be staged
/// whole.
bool may_stage_trimmed_rows(const PlanInputs& inputs);

/// The nest of a box whose only guard trims a row of the destination: blocks have such rows whole. None if
/// they have no room for them.
std::optional<Nest> staged_trimmed_nest(const Box& box, const PlanInputs& inputs, PlanNotes& notes);

}  // namespace relayout::plan
