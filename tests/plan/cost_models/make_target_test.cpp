#include "src/plan/cost_models/make_target.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "src/plan/model/target.hpp"
#include "tests/plan/plans.hpp"

namespace relayout::plan {
namespace {

TEST(MakeTarget, the_source_is_fetched_along_loops_of_as_many_trips_as_was_measured_on_each_processor) {
  struct Trips {
    std::string model;
    std::int64_t near;
    std::int64_t far_at_avx2;
    std::int64_t far_at_avx512;
  };
  const Trips all[] = {{"generic", 1, 3, 1}, {"zen", 1, 3, 1},   {"zen3", 1, 3, 1},         {"zen4", 8, 8, 8},
                       {"zen5", 1, 3, 1},    {"intel", 3, 3, 3}, {"golden_cove", 3, 12, 12}};
  for (const Trips& trips : all) {
    const MachineInfo machine = plan_machine(trips.model);
    for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Vbmi}) {
      const Target target = make_target(isa, machine);
      EXPECT_EQ(target.fewest_trips_to_fetch_along, trips.near) << trips.model;
      EXPECT_EQ(target.fewest_far_trips_to_fetch_along,
                isa == Isa::kAvx2 ? trips.far_at_avx2 : trips.far_at_avx512)
          << trips.model;
    }
  }
}

}  // namespace
}  // namespace relayout::plan
