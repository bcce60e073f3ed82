#include "tests/jit/naive_loop.hpp"

#include <algorithm>

namespace relayout::testing {

namespace {

using plan::Loop;
using plan::Nest;

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// Of a run from the first of its block, at the destination.
std::int64_t run_offset(const plan::Staging& staging, std::int64_t run) {
  return run / staging.runs * staging.group_stride_bytes + run % staging.runs * staging.run_stride_bytes;
}

class NaiveLoop {
 public:
  explicit NaiveLoop(const Nest& nest)
      : nest_(nest), used_(nest.guards.size()), lengths_(nest.tables.size()) {}

  std::vector<ByteMove> run() {
    loops(0, nest_.source_base_bytes, nest_.destination_base_bytes);
    return std::move(moves_);
  }

 private:
  std::int64_t remaining(int guard) const { return nest_.guards[index(guard)].limit - used_[index(guard)]; }

  void loops(std::size_t depth, std::int64_t source, std::int64_t destination) {
    if (nest_.staging && depth == nest_.staging->first_loop) {
      move_back(false, source, destination);
      staged_loops(depth, source, destination);
    } else {
      plain_loops(depth, source, destination);
    }
  }

  /// What the inner loops write to offset `at` of the scratch ends up in run `at / scratch stride`.
  void staged_loops(std::size_t depth, std::int64_t source, std::int64_t destination) {
    const plan::Staging& staging = *nest_.staging;
    if (!staging.background.empty()) fill_runs(staging, destination);
    const std::size_t first = moves_.size();
    plain_loops(depth, source, staging.first_bytes);
    for (std::size_t i = first; i < moves_.size(); ++i) {
      if (moves_[i].destination == kNone) continue;
      const std::int64_t run =
          staging.all_runs() == 1 ? 0 : moves_[i].destination / staging.scratch_stride_bytes;
      moves_[i].destination += destination - run * staging.scratch_stride_bytes + run_offset(staging, run);
    }
  }

  /// Zeros, which the block's moves then overwrite.
  void fill_runs(const plan::Staging& staging, std::int64_t destination) {
    for (std::int64_t run = 0; run < staging.all_runs(); ++run) {
      for (std::int64_t byte = 0; byte < staging.run_bytes; ++byte)
        moves_.push_back({kNone, destination + run_offset(staging, run) + byte});
    }
  }

  void plain_loops(std::size_t depth, std::int64_t source, std::int64_t destination) {
    if (depth == nest_.loops.size()) {
      move_back(true, source, destination);
      std::visit([&](const auto& kernel) { move(kernel, source, destination); }, nest_.kernel);
      return;
    }
    const Loop& loop = nest_.loops[depth];
    if (loop.table >= 0) {
      for (const plan::Run& run : nest_.tables[index(loop.table)]) {
        lengths_[index(loop.table)] = run.length;
        loops(depth + 1, source + run.source_offset_bytes, destination + run.destination_offset_bytes);
      }
      return;
    }
    const std::int64_t trips =
        loop.trips_from_table >= 0 ? lengths_[index(loop.trips_from_table)] : loop.trips;
    for (std::int64_t trip = 0; trip < trips; ++trip) {
      if (loop.guard >= 0 && remaining(loop.guard) <= 0) return unuse(loop, trip);
      loops(depth + 1, source + trip * loop.source_step_bytes,
            destination + trip * loop.destination_step_bytes);
      if (loop.guard >= 0) used_[index(loop.guard)] += loop.guard_step;
    }
    unuse(loop, trips);
  }

  void unuse(const Loop& loop, std::int64_t trips) {
    if (loop.guard >= 0 && trips > 0) used_[index(loop.guard)] -= trips * loop.guard_step;
  }

  /// By the guards of the loops that fill the scratch, or of those around.
  void move_back(bool at_kernel, std::int64_t& source, std::int64_t& destination) {
    for (std::size_t i = 0; i < nest_.guards.size(); ++i) {
      if (nest_.guards[i].limit - used_[i] != 1 || acts_at_kernel(i) != at_kernel) continue;
      source -= nest_.guards[i].source_back_bytes;
      destination -= nest_.guards[i].destination_back_bytes;
    }
  }

  bool acts_at_kernel(std::size_t guard) const {
    bool inside = !nest_.staging;
    for (std::size_t depth = 0; depth < nest_.loops.size(); ++depth)
      inside = inside ||
               (depth >= nest_.staging->first_loop && nest_.loops[depth].guard == static_cast<int>(guard));
    return inside;
  }

  void run_of(std::int64_t bytes, std::int64_t source, std::int64_t destination) {
    for (std::int64_t i = 0; i < bytes; ++i) moves_.push_back({source + i, destination + i});
  }

  void move(const plan::CopyKernel& kernel, std::int64_t source, std::int64_t destination) {
    const int table = kernel.bytes_from_table;
    run_of(table < 0 ? kernel.bytes : lengths_[index(table)] * kernel.element_bytes, source, destination);
  }

  /// Fills move nothing: fill_test.cpp.
  void move(const plan::FillKernel&, std::int64_t, std::int64_t) {}

  void move(const plan::GatherKernel& kernel, std::int64_t source, std::int64_t destination) {
    const int table = kernel.count_from_table;
    const std::int64_t count = table < 0 ? kernel.count : lengths_[index(table)];
    for (std::int64_t i = 0; i < count; ++i) {
      run_of(kernel.element_bytes, source + i * kernel.source_stride_bytes,
             destination + i * kernel.destination_stride_bytes);
    }
  }

  void move(const plan::ShuffleKernel& kernel, std::int64_t source, std::int64_t destination) {
    for (const plan::ShuffleKernel::Piece& piece : kernel.sources) {
      for (int byte = 0; byte < piece.bytes; ++byte)
        moves_.push_back({source + piece.offset_bytes + byte, kNone});
    }
    for (std::size_t j = 0; j < kernel.destinations.size(); ++j) {
      const plan::ShuffleKernel::Piece& piece = kernel.destinations[j];
      for (int byte = 0; byte < piece.bytes; ++byte) {
        std::int64_t from = kNone;
        for (const plan::ShuffleKernel::Term& term : kernel.terms[j]) {
          const std::uint8_t selected = term.index[index(byte)];
          if (selected < kernel.piece_bytes)
            from = source + kernel.sources[index(term.source_piece)].offset_bytes + selected;
        }
        moves_.push_back({from, destination + piece.offset_bytes + byte});
      }
    }
  }

  void move(const plan::PermuteKernel&, std::int64_t, std::int64_t) {}

  const Nest& nest_;
  std::vector<std::int64_t> used_;
  std::vector<std::int64_t> lengths_;
  std::vector<ByteMove> moves_;
};

}  // namespace

std::vector<ByteMove> naive_moves(const Nest& nest) {
  return NaiveLoop(nest).run();
}

std::int64_t cut_trips(const Nest& nest) {
  const Loop& loop = nest.loops[nest.cut_loop];
  return loop.table >= 0 ? static_cast<std::int64_t>(nest.tables[index(loop.table)].size()) : loop.trips;
}

}  // namespace relayout::testing
