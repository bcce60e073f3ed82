// On a Zen 5 what is fetched ahead into the first cache costs more than it brings where tiles touch a line of
// each of many rows: the second cache has the lines near anyway, and those past a row's part are fetched in
// vain. A load or store under a mask, even one of all ones, is not followed by the processor's prefetch. In
// the second cache fetches by software cost as much.
//
// Over memcpy, AVX-512 VBMI, plain, loads masked, stores masked, both: f32 256x256 0.45, 0.51, 0.47, 0.62,
// 272x240 0.51, 0.57, 0.61, 0.74, c128 128x128 0.44, 0.46, 0.47, 0.68, NHWC to NCHW f32[1,32,40,40] 0.51,
// 0.53, 0.52, 0.80; 80 random pairs in the second cache 0.52, 0.55, 0.57, 0.64, 80 in the last one 0.75,
// 0.77, 0.76, 0.79, 70 of 8 to 24 MiB 0.73, 0.74, 0.76, 0.77. From 20 MiB on as many lose as win, past the
// last cache far more (40 pairs 0.82, both 0.72), in the first one a few.

#include "src/plan/accesses/masked_access.hpp"

#include <variant>

#include "src/plan/model/kernel_access.hpp"

namespace relayout::plan {
namespace {

/// Table shuffles read few long runs, which are followed to some use: f64[4263,3,2] 0.82 of memcpy, masked
/// 0.78.
bool can_be_masked(const Nest& nest) {
  if (nest.staging) return std::holds_alternative<PermuteKernel>(nest.kernel);
  const bool moves_vectors = std::holds_alternative<CopyKernel>(nest.kernel) ||
                             std::holds_alternative<PermuteKernel>(nest.kernel) ||
                             std::holds_alternative<FillKernel>(nest.kernel);
  return moves_vectors && nest.store == StorePolicy::kTemporal;
}

/// AVX2's masked loads and stores take more than plain ones, which networks of narrow elements, short of
/// instructions anyway, cannot hide: bytes 256x256 0.56 and 0.48, u16 320x352 0.62 and 0.52; f32 256x256 0.44
/// and 0.54, f64 192x176 0.51 and 0.75.
bool has_narrow_network(const Nest& nest, const PlanInputs& inputs) {
  const auto* permute = std::get_if<PermuteKernel>(&nest.kernel);
  return permute != nullptr && inputs.sizes.element_bytes < 4 && permute->network.phases.size() > 1;
}

/// Staged nests read a line of each of many rows before they write: 11 pairs past the last cache 0.66 of
/// memcpy, masked 0.69 (f32[4095,4097] transposed 0.61 and 0.66), at AVX2 0.73 and 0.71; one that reads two
/// long rows 0.99 and 0.87.
constexpr std::size_t kFewestStagedRows = 8;

bool reads_rows_to_stage(const Nest& nest, const PlanInputs& inputs) {
  return inputs.target.masked_up_to_bytes > 0 && inputs.target.vector_bytes == 64 &&
         kernel_runs(nest).source.size() >= kFewestStagedRows;
}

bool wants_masks(const Nest& nest, const PlanInputs& inputs) {
  const PlanChoice* choice = inputs.options.choice;
  if (choice != nullptr && choice->masks) return *choice->masks;
  if (nest.staging) return reads_rows_to_stage(nest, inputs);
  if (!inputs.is_past_first_cache()) return false;
  if (inputs.sizes.footprint_bytes() > inputs.target.masked_up_to_bytes) return false;
  return inputs.target.vector_bytes == 64 || !has_narrow_network(nest, inputs);
}

}  // namespace

void choose_masks(Nest& nest, const std::string& name, const PlanInputs& inputs, PlanNotes& notes) {
  nest.under_masks = can_be_masked(nest) && wants_masks(nest, inputs);
  if (!nest.under_masks) return;
  notes.add(name, [] { return "loads and stores are masked, so that the processor fetches nothing ahead"; });
}

}  // namespace relayout::plan
