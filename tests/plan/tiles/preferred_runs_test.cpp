#include "src/plan/tiles/preferred_runs.hpp"

#include <gtest/gtest.h>

#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kElements[] = {1, 2, 4, 8, 16};

Target target(int vector_bytes) {
  Target target;
  target.isa = vector_bytes == 64 ? Isa::kAvx512 : Isa::kAvx2;
  target.vector_bytes = vector_bytes;
  return target;
}

struct Rows {
  std::int64_t source_apart = 0;       ///< bytes
  std::int64_t destination_apart = 0;  ///< bytes
};

/// Of a transpose of 1024 x 1024 elements, by tiles of a line a row.
std::optional<PreferredRuns> runs_of(Rows rows, const PairSizes& sizes, const Target& target) {
  const std::int64_t element_bytes = sizes.element_bytes;
  Box box;
  box.axes = {{.extent = 1024, .source_stride = rows.source_apart, .destination_stride = element_bytes},
              {.extent = 1024, .source_stride = element_bytes, .destination_stride = rows.destination_apart}};
  const std::int64_t line = 64 / element_bytes;
  return preferred_runs(box, {{line, line}, 64, 64}, sizes, target);
}

std::optional<PreferredRuns> runs_of(std::int64_t element_bytes, Rows rows,
                                     Residence residence = Residence::kLastCache, int vector_bytes = 64,
                                     FarRuns far_runs = FarRuns::kByWidth) {
  Target of = target(vector_bytes);
  of.far_runs = far_runs;
  return runs_of(rows, {element_bytes, residence}, of);
}

TEST(PreferredRuns, rows_4_KiB_apart_are_written_256_bytes_at_a_time) {
  for (const std::int64_t bytes : kElements) {
    for (const std::int64_t apart : {4096, 8192, -4096, 12288}) {
      const auto runs = runs_of(bytes, {5000 * bytes, apart});
      ASSERT_TRUE(runs) << bytes << " bytes, " << apart;
      EXPECT_EQ(runs->limits.destination_bytes, 256);
      EXPECT_GE(runs->limits.source_bytes, 32);
    }
  }
}

TEST(PreferredRuns, their_tiles_fit_what_a_call_may_use_of_the_stack) {
  for (const std::int64_t bytes : kElements) {
    for (const Rows rows : {Rows{5000 * bytes, 4096}, Rows{4096, 5000 * bytes}}) {
      const auto runs = runs_of(bytes, rows);
      if (!runs) continue;
      EXPECT_LE(runs->limits.source_bytes * runs->limits.destination_bytes / bytes,
                kMaximumPreferredTileBytes);
    }
  }
}

TEST(PreferredRuns, rows_that_lie_in_different_sets_keep_runs_of_a_line) {
  for (const std::int64_t bytes : {4, 8, 16}) {
    EXPECT_FALSE(runs_of(bytes, {4160, 4160})) << bytes;
    EXPECT_FALSE(runs_of(bytes, {3072, 3072})) << bytes;
  }
}

TEST(PreferredRuns, bytes_are_read_16_at_a_time_where_sets_hold_a_line_of_each_row_on_some_processors) {
  const auto read = [](bool counts, std::int64_t apart) {
    Target of = target(64);
    of.counts_read_lines_in_sets = counts;
    return runs_of({apart, 5000}, {1, Residence::kLastCache}, of)->limits.source_bytes;
  };
  EXPECT_EQ(read(true, 512), 16) << "64 rows in eight sets of eight lines";
  EXPECT_EQ(read(true, 1024), 128) << "in four of 16";
  EXPECT_EQ(read(true, 11264), 128) << "the same";
  EXPECT_EQ(read(true, 11200), 16);
  EXPECT_EQ(read(false, 1024), 16);
}

TEST(PreferredRuns, two_byte_elements_are_written_by_two_lines_in_the_second_cache_and_halves_in_the_last) {
  EXPECT_EQ(runs_of(2, {4160, 4160}, Residence::kSecondCache)->limits.destination_bytes, 128);
  EXPECT_EQ(runs_of(2, {4160, 4160}, Residence::kLastCache)->limits.destination_bytes, 32);
  EXPECT_FALSE(runs_of(2, {4160, 4160}, Residence::kMemory));
  EXPECT_FALSE(runs_of(2, {4160, 4160}, Residence::kSecondCache, 32)) << "AVX2";
}

TEST(PreferredRuns, some_processors_want_them_in_the_second_cache_for_many_rows_to_write_only) {
  const auto written = [](std::int64_t bytes, Rows rows, int vector_bytes = 64) -> std::int64_t {
    Target of = target(vector_bytes);
    of.rereads_from_second_cache = true;
    const auto runs = runs_of(rows, {bytes, Residence::kSecondCache}, of);
    return runs ? runs->limits.destination_bytes : 64;
  };
  for (const int vector_bytes : {32, 64}) {
    EXPECT_EQ(written(1, {4992, 4096}, vector_bytes), 256);
    EXPECT_EQ(written(2, {4992, 4096}, vector_bytes), 256);
    EXPECT_EQ(written(8, {5000, 4096}, vector_bytes), 64);
    EXPECT_EQ(written(16, {5000, 4096}, vector_bytes), 64);
    EXPECT_EQ(written(4, {4096, 5000}, vector_bytes), 64) << "rows to read";
    EXPECT_EQ(written(4, {5000, 2048}, vector_bytes), 64) << "half as many rows in a set";
    EXPECT_EQ(written(2, {4160, 4160}, vector_bytes), 32) << "in one pass";
  }
  EXPECT_EQ(written(4, {5000, 4096}, 64), 128);
  EXPECT_EQ(written(4, {5000, 4096}, 32), 256);
}

TEST(PreferredRuns, some_processors_want_two_lines_of_narrow_rows_that_begin_on_lines_in_the_last_cache) {
  const auto runs = [](std::int64_t bytes, Rows rows, Residence residence) {
    Target of = target(64);
    of.fetches_pairs_of_lines = true;
    const auto preferred = runs_of(rows, {bytes, residence}, of);
    return preferred ? preferred->limits : TileRunLimits{};
  };
  EXPECT_EQ(runs(1, {4160, 3200}, Residence::kLastCache).source_bytes, 64);
  EXPECT_EQ(runs(1, {4160, 3200}, Residence::kLastCache).destination_bytes, 128);
  EXPECT_EQ(runs(2, {4096, 4096}, Residence::kLastCache).source_bytes, 128);
  EXPECT_EQ(runs(2, {4096, 4096}, Residence::kLastCache).destination_bytes, 128);
  EXPECT_EQ(runs(2, {4162, 4160}, Residence::kLastCache).destination_bytes, 32) << "rows read begin anywhere";
  EXPECT_EQ(runs(2, {4160, 4162}, Residence::kLastCache).destination_bytes, 32) << "rows written do";
  EXPECT_EQ(runs(2, {4160, 4160}, Residence::kSecondCache).source_bytes, 64);
  EXPECT_EQ(runs(4, {4096, 4096}, Residence::kLastCache).destination_bytes, 256) << "wider elements";
}

TEST(PreferredRuns, streaming_stores_that_were_asked_for_get_whole_lines) {
  const auto runs_of_whole_lines = [](Residence residence, bool rereads) {
    Target of = target(64);
    of.rereads_from_second_cache = rereads;
    PairSizes sizes{2, residence};
    sizes.wants_whole_lines = true;
    return runs_of({4160, 4160}, sizes, of);
  };
  EXPECT_FALSE(runs_of_whole_lines(Residence::kLastCache, false));
  EXPECT_FALSE(runs_of_whole_lines(Residence::kSecondCache, true));
}

TEST(PreferredRuns, two_byte_tiles_that_one_pass_moves_anyway_are_not_halved) {
  Box box;
  box.axes = {{.extent = 4, .source_stride = 1280, .destination_stride = 2},
              {.extent = 10, .source_stride = 16, .destination_stride = 8}};
  const auto runs_of_tile = [&](std::int64_t columns) {
    return preferred_runs(box, {{4, columns}, 64, 64}, {2, Residence::kLastCache}, target(32));
  };
  EXPECT_FALSE(runs_of_tile(8));
  EXPECT_TRUE(runs_of_tile(64)) << "512 bytes";
}

TEST(PreferredRuns, rows_2_KiB_apart_share_sets_only_where_a_tile_has_many) {
  EXPECT_TRUE(runs_of(1, {5000, 2048}));
  EXPECT_TRUE(runs_of(4, {5000, 6144}));
  EXPECT_FALSE(runs_of(8, {5000, 2048}));
  EXPECT_FALSE(runs_of(16, {5000, 2048}));
}

TEST(PreferredRuns, rows_to_read_that_share_sets_are_read_in_longer_runs) {
  for (const std::int64_t bytes : {1, 2, 4, 8}) {
    const auto runs = runs_of(bytes, {4096, 5000 * bytes});
    ASSERT_TRUE(runs) << bytes;
    EXPECT_GE(runs->limits.source_bytes, 128);
  }
}

TEST(PreferredRuns, vectors_of_32_bytes_write_longer_runs_of_few_rows_where_these_share_sets) {
  for (const std::int64_t bytes : kElements) {
    for (const std::int64_t apart : {4096, 8192 + 16}) {
      const auto runs = runs_of(bytes, {5000 * bytes, apart}, Residence::kLastCache, 32);
      ASSERT_TRUE(runs) << bytes;
      EXPECT_EQ(runs->limits.destination_bytes, 256);
      EXPECT_LE(runs->limits.source_bytes, 64);
    }
  }
}

TEST(PreferredRuns, vectors_of_32_bytes_read_more_of_few_rows_where_these_share_sets) {
  for (const std::int64_t bytes : {2, 4})
    EXPECT_EQ(runs_of(bytes, {4096, 5000 * bytes}, Residence::kLastCache, 32)->limits.source_bytes, 128);
  for (const std::int64_t bytes : {8, 16})
    EXPECT_EQ(runs_of(bytes, {4096, 5000 * bytes}, Residence::kLastCache, 32)->limits.source_bytes, 32);
  EXPECT_FALSE(runs_of(1, {4096, 5000}, Residence::kLastCache, 32));
}

TEST(PreferredRuns, vectors_of_32_bytes_stream_lines_in_pairs_where_rows_share_sets) {
  for (const std::int64_t bytes : {2, 4}) {
    EXPECT_EQ(runs_of(bytes, {4096, 4096}, Residence::kMemory, 32)->limits.destination_bytes, 128);
    EXPECT_FALSE(runs_of(bytes, {4096, 4160}, Residence::kMemory, 32));
  }
  EXPECT_FALSE(runs_of(1, {4096, 4096}, Residence::kMemory, 32));
}

TEST(PreferredRuns, vectors_of_32_bytes_put_runs_together_where_rows_do_not_begin_on_lines) {
  for (const std::int64_t bytes : kElements) {
    const auto runs = runs_of(bytes, {5000 * bytes, 4176}, Residence::kMemory, 32);
    ASSERT_TRUE(runs) << bytes;
    EXPECT_EQ(runs->limits.destination_bytes, 512);
    EXPECT_LE(runs->limits.source_bytes * runs->limits.destination_bytes / bytes, kMaximumPreferredTileBytes);
  }
  EXPECT_FALSE(runs_of(1, {3072, 4177}, Residence::kMemory, 32)) << "many rows of bytes, in few sets";
}

TEST(PreferredRuns, rows_nearly_4_KiB_apart_share_sets_as_well) {
  for (const std::int64_t bytes : {1, 2, 4, 16}) {
    for (const std::int64_t apart : {4096 - 16, 4096 + 16, 8192 + 16}) {
      const auto runs = runs_of(bytes, {5000 * bytes, apart});
      ASSERT_TRUE(runs) << bytes << " bytes, " << apart;
      EXPECT_GE(runs->limits.destination_bytes, 128);
    }
  }
  EXPECT_FALSE(runs_of(4, {20000, 16})) << "rows next to each other";
}

TEST(PreferredRuns, bytes_in_the_last_cache_are_moved_in_one_pass) {
  EXPECT_EQ(runs_of(1, {4160, 4160})->limits.source_bytes, 16);
  EXPECT_FALSE(runs_of(1, {4160, 4160}, Residence::kSecondCache));
  EXPECT_FALSE(runs_of(1, {4160, 4160}, Residence::kLastCache, 32)) << "AVX2";
}

TEST(PreferredRuns, past_the_last_cache_pairs_of_lines_are_read_of_bytes_and_written_of_others) {
  const auto far_runs = [](std::int64_t bytes, FarRuns wanted, int vector_bytes = 64) {
    return runs_of(bytes, {5000 * bytes, 4160}, Residence::kMemory, vector_bytes, wanted);
  };
  EXPECT_EQ(far_runs(1, FarRuns::kPairsOfLines)->limits.source_bytes, 128);
  for (const std::int64_t bytes : {2, 4, 8})
    EXPECT_EQ(far_runs(bytes, FarRuns::kPairsOfLines)->limits.destination_bytes, 128) << bytes;
  EXPECT_FALSE(far_runs(16, FarRuns::kPairsOfLines));
  for (const std::int64_t bytes : {4, 8})
    EXPECT_EQ(far_runs(bytes, FarRuns::kPairsOfLines, 32)->limits.destination_bytes, 128)
        << "AVX2, " << bytes;
  for (const std::int64_t bytes : {1, 2, 16})
    EXPECT_FALSE(far_runs(bytes, FarRuns::kPairsOfLines, 32)) << "AVX2, " << bytes;
  for (const std::int64_t bytes : kElements) EXPECT_FALSE(far_runs(bytes, FarRuns::kLines));
}

TEST(PreferredRuns, past_the_last_cache_only_wide_elements_are_written_in_longer_runs) {
  for (const std::int64_t bytes : {1, 2, 4})
    EXPECT_FALSE(runs_of(bytes, {4096, 4096}, Residence::kMemory)) << bytes;
  for (const std::int64_t bytes : {8, 16}) {
    for (const std::int64_t apart : {4160, 4160 + 16}) {
      const auto runs = runs_of(bytes, {4096, apart}, Residence::kMemory);
      ASSERT_TRUE(runs) << bytes;
      EXPECT_EQ(runs->limits.destination_bytes, 256);
    }
    EXPECT_FALSE(runs_of(bytes, {4096, 4096}, Residence::kMemory, 32)) << "AVX2";
  }
}

}  // namespace
}  // namespace relayout::plan
