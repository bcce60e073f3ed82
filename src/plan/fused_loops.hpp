#pragma once

#include "src/plan/plan.hpp"

namespace relayout::plan {

/// Makes one loop of any two with nothing between them that walk on in the same steps, such as a block's and
/// the one over these blocks: the same calls in the same order, with one loop's overhead. Guards that nothing
/// needs any more are gone.
void fuse_loops(Nest& nest);

}  // namespace relayout::plan
