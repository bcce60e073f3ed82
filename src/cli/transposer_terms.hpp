#pragma once

#include "src/cli/request.hpp"

namespace relayout::cli {

/// Whether a request is in the terms of XLA's host transposer: it has `elem_size_bytes`.
bool has_transposer_terms(const Json& request);

/// Reads `elem_size_bytes` (1, 2, 4, 8 or 16) and the lists `dims`, `permutation`, `input_tiling`,
/// `output_tiling` and `input_striding_bytes`; missing lists are empty, a missing permutation is none. With
/// `dest_bits_per_element` (1, 2 or 4; bytes only) the destination packs its elements, lowest bits first.
/// Also `isa` and `kernel`. \error kBadArgument, kUnsupported and those of the layouts
Result<PairRequest> read_transposer_terms(const Json& request);

}  // namespace relayout::cli
