#include "src/interpret/plan_interpreter.hpp"

#include <algorithm>
#include <string>

#include "src/expr/integer.hpp"
#include "src/interpret/domain.hpp"
#include "src/interpret/plan_check.hpp"
#include "src/interpret/plan_kernels.hpp"
#include "src/interpret/plan_memory.hpp"

namespace relayout::interpret {
namespace {

/// min(trips, ceil(remaining / guard_step)), never negative.
std::int64_t guarded_trips(std::int64_t trips, std::int64_t remaining, std::int64_t guard_step) {
  return std::clamp<std::int64_t>(-expr::floor_quotient(-remaining, guard_step), 0, trips);
}

BytePosition stepped(BytePosition position, const plan::Loop& loop, std::int64_t trip) {
  return {position.source + trip * loop.source_step_bytes,
          position.destination + trip * loop.destination_step_bytes};
}

/// One nest under way: counters of its loops, entries of its tables and what its guards have used.
class NestRun {
 public:
  NestRun(const plan::Nest& nest, PlanMemory& memory)
      : nest_(nest),
        memory_(memory),
        kernel_(nest, memory),
        trips_(nest.loops.size(), 0),
        table_entries_(nest.tables.size(), 0),
        guard_used_(nest.guards.size(), 0) {}

  void run(std::int64_t first, std::int64_t last) {
    first_ = first;
    last_ = last;
    run_loop(0, {nest_.source_base_bytes, nest_.destination_base_bytes});
  }

  /// Counters of all loops, outermost first; after a fault, those at which it happened.
  const std::vector<std::int64_t>& trips() const { return trips_; }

 private:
  void run_loop(std::size_t level, BytePosition position) {
    if (nest_.staging && level == nest_.staging->first_loop)
      return run_staged(level, moved_back(position, false));
    run_inner_loop(level, position);
  }

  void run_inner_loop(std::size_t level, BytePosition position) {
    if (level == nest_.loops.size()) return kernel_.run(moved_back(position, true), table_entries_);
    const std::int64_t trips = trips_of(nest_.loops[level]);
    if (level == nest_.cut_loop)
      run_trips(level, position, first_, std::min(last_, trips));
    else
      run_trips(level, position, 0, trips);
  }

  void run_staged(std::size_t level, BytePosition block) {
    memory_.begin_staging(*nest_.staging);
    run_inner_loop(level, {block.source, nest_.staging->first_bytes});
    const std::size_t row = nest_.staging->row_loop;
    memory_.end_staging(*nest_.staging, block.destination,
                        {trips_[row] == 0, trips_[row] == nest_.loops[row].trips - 1});
  }

  std::int64_t trips_of(const plan::Loop& loop) const {
    if (loop.table >= 0) return static_cast<std::int64_t>(table(loop.table).size());
    std::int64_t trips = loop.trips;
    if (loop.trips_from_table >= 0) {
      trips = table(loop.trips_from_table)[table_entries_[static_cast<std::size_t>(loop.trips_from_table)]]
                  .length;
    }
    return loop.guard < 0 ? trips : guarded_trips(trips, remaining(loop.guard), loop.guard_step);
  }

  void run_trips(std::size_t level, BytePosition position, std::int64_t first, std::int64_t last) {
    const plan::Loop& loop = nest_.loops[level];
    for (std::int64_t trip = first; trip < last && !memory_.failed(); ++trip) {
      trips_[level] = trip;
      if (loop.guard >= 0) guard_used_[static_cast<std::size_t>(loop.guard)] += trip * loop.guard_step;
      run_loop(level + 1,
               loop.table < 0 ? stepped(position, loop, trip) : entered(position, loop.table, trip));
      if (loop.guard >= 0) guard_used_[static_cast<std::size_t>(loop.guard)] -= trip * loop.guard_step;
    }
  }

  BytePosition entered(BytePosition position, int number, std::int64_t entry) {
    table_entries_[static_cast<std::size_t>(number)] = static_cast<std::size_t>(entry);
    const plan::Run& run = table(number)[static_cast<std::size_t>(entry)];
    return {position.source + run.source_offset_bytes, position.destination + run.destination_offset_bytes};
  }

  /// A position less the overlaps of the guards at the loops that write to the destination, or of those at
  /// the kernel.
  BytePosition moved_back(BytePosition position, bool at_kernel) const {
    for (std::size_t number = 0; number < nest_.guards.size(); ++number) {
      const plan::Guard& guard = nest_.guards[number];
      if (acts_at_kernel(static_cast<int>(number)) != at_kernel) continue;
      if (!guard.overlaps() || remaining(static_cast<int>(number)) != 1) continue;
      position.source -= guard.source_back_bytes;
      position.destination -= guard.destination_back_bytes;
    }
    return position;
  }

  bool acts_at_kernel(int guard) const {
    if (!nest_.staging) return true;
    const auto staged = nest_.loops.begin() + static_cast<std::ptrdiff_t>(nest_.staging->first_loop);
    return std::any_of(staged, nest_.loops.end(),
                       [guard](const plan::Loop& loop) { return loop.guard == guard; });
  }

  std::int64_t remaining(int guard) const {
    return nest_.guards[static_cast<std::size_t>(guard)].limit - guard_used_[static_cast<std::size_t>(guard)];
  }
  const plan::RunTable& table(int number) const { return nest_.tables[static_cast<std::size_t>(number)]; }

  const plan::Nest& nest_;
  PlanMemory& memory_;
  KernelInterpreter kernel_;
  std::int64_t first_ = 0;  ///< of the loop that is cut
  std::int64_t last_ = 0;
  std::vector<std::int64_t> trips_;
  std::vector<std::size_t> table_entries_;
  std::vector<std::int64_t> guard_used_;
};

Error fault_in(std::size_t nest, const std::string& fault) {
  return Error{ErrorCode::kInternal, "nest " + std::to_string(nest) + ": " + fault};
}

}  // namespace

Status run_plan_part(const plan::Plan& plan, const PlanBuffers& buffers, std::int64_t index,
                     std::int64_t count) {
  PlanMemory memory(plan, buffers);
  for (std::size_t number = 0; number < plan.nests.size(); ++number) {
    const plan::Nest& nest = plan.nests[number];
    const std::string fault = index_fault(nest);
    if (!fault.empty()) return fault_in(number, fault);
    NestRun run(nest, memory);
    const std::int64_t trips = nest.cut_trips();
    run.run(trips * index / count, trips * (index + 1) / count);
    if (memory.failed())
      return fault_in(number, "at trips " + to_string(run.trips()) + ", " + memory.fault());
  }
  return {};
}

Status run_plan(const plan::Plan& plan, const PlanBuffers& buffers) {
  return run_plan_part(plan, buffers, 0, 1);
}

Status run_plan(const plan::Plan& plan, const std::byte* source, std::byte* destination,
                std::vector<std::uint8_t>* write_counts) {
  return run_plan(plan, PlanBuffers{source, destination, write_counts});
}

}  // namespace relayout::interpret
