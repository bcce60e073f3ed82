#pragma once

#include "src/plan/model/plan.hpp"

namespace relayout::plan {

/// Whether the first cache keeps pace with what a nest stores to several rows in turn (store_pace.hpp). Takes
/// a few microseconds. \pre all loops are counted
bool stores_keep_pace(const Nest& nest);

/// Whether each call writes lines from their beginnings to their ends, overlapping tails included, where the
/// destination begins on one.
bool calls_write_whole_lines(const Nest& nest);

}  // namespace relayout::plan
