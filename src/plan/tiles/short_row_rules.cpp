// Measured on a Zen 4, whose first cache has 64 sets of 8 ways and whose second one 2048. The figures are
// ratios to memcpy, before and with the rule, of two to 20 permutations of images for each (all channels of a
// pixel next to each other on one side, all pixels of a channel on the other) with 12 to 288 channels, of
// which pixels take as many bytes as a rule says and channels an odd multiple of the distance, 2 to 14 MiB in
// the last cache, 0.1 to 1 MiB in the second one, 14 to 23 MiB in a nearly full last cache, 26 to 80 MiB past
// it. Each class of them had 36 pairs of runs timed; rows that are not here gained less than a twentieth.
//
// Tables are named for the short rows, the comments say how the others lie. In the second cache a Zen 4 moves
// vectors of 64 bytes as halves anyway.
//
// A call that takes all channels touches a line of each, more than their sets of the first cache hold, and
// mostly not the second one's either, and comes back for the next ones too late: tiles of few channels and
// many pixels take all of these lines at once. Such tiles are of powers of two, and so streamed past the last
// cache, where those of all channels are not.

#include "src/plan/tiles/short_row_rules.hpp"

#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

/// Rows to read 4 KiB apart, vectors of 64 bytes.
constexpr ShortRowRule kToWriteInLastCache[] = {
    {1, 16, 16, {64, 16}},           // 0.71 and 0.76
    {1, 17, 24, {128, 8}, true},     // 0.38 and 0.46
    {1, 32, 32, {256, 32}},          // 0.50 and 0.66
    {1, 33, 55, {256, 16}, true},    // 0.31 and 0.46
    {1, 56, 64, {128, 32}, true},    // 0.42 and 0.52
    {1, 65, 80, {256, 16}, true},    // 0.38 and 0.48
    {1, 81, 96, {128, 32}, true},    // 0.43 and 0.63
    {1, 129, 134, {128, 32}, true},  // 0.36 and 0.42
    {1, 135, 144, {128, 16}, true},  // 0.39 and 0.48
    {1, 145, 160, {128, 32}, true},  // 0.42 and 0.50
    {1, 193, 204, {128, 32}, true},  // 0.41 and 0.47
    {1, 205, 208, {128, 16}, true},  // 0.44 and 0.53
    {1, 209, 224, {128, 32}, true},  // 0.48 and 0.57
    {1, 257, 288, {128, 32}, true},  // 0.48 and 0.57
    {2, 32, 32, {64, 32}},           // 0.71 and 0.77
    {2, 33, 50, {64, 16}},           // 0.47 and 0.64
    {2, 64, 64, {256, 64}},          // 0.50 and 0.69
    {2, 65, 80, {64, 16}},           // 0.42 and 0.53
    {2, 81, 96, {256, 32}, true},    // 0.45 and 0.66
    {2, 97, 112, {128, 16}, true},   // 0.54 and 0.59
    {2, 128, 128, {256, 64}, true},  // 0.63 and 0.67
    {2, 129, 144, {64, 16}},         // 0.42 and 0.53
    {2, 145, 160, {256, 32}, true},  // 0.46 and 0.62
    {2, 192, 192, {128, 64}, true},  // 0.65 and 0.68
    {2, 193, 208, {64, 16}},         // 0.48 and 0.56
    {2, 209, 224, {256, 32}, true},  // 0.52 and 0.65
    {2, 257, 272, {64, 16}},         // 0.52 and 0.56
    {2, 273, 288, {256, 32}, true},  // 0.52 and 0.63
    {4, 257, 272, {128, 16}},        // 0.60 and 0.65
};

/// 2 KiB apart.
constexpr ShortRowRule kToWriteFrom2KiBInLastCache[] = {
    {1, 32, 32, {64, 16}},           // 0.45 and 0.68
    {1, 33, 55, {64, 16}, true},     // 0.36 and 0.53
    {1, 65, 80, {64, 16}, true},     // 0.44 and 0.51
    {1, 81, 96, {128, 32}, true},    // 0.50 and 0.65
    {1, 129, 144, {64, 16}, true},   // 0.44 and 0.51
    {1, 145, 160, {128, 32}, true},  // 0.47 and 0.53
    {1, 193, 208, {64, 16}, true},   // 0.49 and 0.56
    {1, 209, 224, {128, 32}, true},  // 0.53 and 0.60
    {1, 257, 272, {64, 16}, true},   // 0.47 and 0.50
    {1, 273, 288, {128, 32}, true},  // 0.53 and 0.60
    {2, 48, 48, {64, 16}},           // 0.68 and 0.77
    {2, 65, 80, {64, 16}},           // 0.48 and 0.61
    {2, 81, 96, {64, 32}},           // 0.44 and 0.70
    {2, 128, 128, {128, 64}},        // 0.65 and 0.72
    {2, 129, 144, {64, 16}},         // 0.38 and 0.57
    {2, 201, 208, {64, 16}, true},   // 0.62 and 0.67
    {4, 80, 96, {64, 64}, true},     // 0.77 and 0.87
};

/// 1 KiB apart.
constexpr ShortRowRule kToWriteFrom1KiBInLastCache[] = {
    {1, 40, 55, {64, 16}, true},   // 0.52 and 0.58
    {1, 73, 80, {64, 16}, true},   // 0.43 and 0.59
    {1, 81, 96, {128, 32}, true},  // 0.51 and 0.65
    {2, 81, 96, {64, 32}},         // 0.69 and 0.77
    {2, 128, 128, {128, 64}},      // 0.69 and 0.73
    {4, 80, 96, {64, 64}, true},   // 0.82 and 0.95
};

/// 4 KiB apart, vectors of 32 bytes.
constexpr ShortRowRule kToWriteInLastCacheNarrow[] = {
    {1, 17, 24, {64, 8}},       // 0.34 and 0.43
    {1, 28, 32, {256, 16}},     // 0.41 and 0.55
    {1, 48, 48, {128, 16}},     // 0.44 and 0.53
    {1, 72, 80, {256, 16}},     // 0.40 and 0.45
    {2, 33, 50, {64, 16}},      // 0.42 and 0.57
    {2, 56, 64, {256, 32}},     // 0.49 and 0.58
    {2, 65, 79, {64, 16}},      // 0.41 and 0.48
    {2, 80, 80, {256, 16}},     // 0.40 and 0.53
    {2, 81, 96, {256, 32}},     // 0.35 and 0.66
    {2, 97, 112, {256, 16}},    // 0.39 and 0.54
    {2, 129, 144, {256, 16}},   // 0.36 and 0.46
    {2, 145, 160, {256, 32}},   // 0.48 and 0.61
    {2, 193, 208, {256, 32}},   // 0.47 and 0.53
    {2, 220, 224, {256, 32}},   // 0.50 and 0.57
    {2, 264, 288, {256, 32}},   // 0.52 and 0.57
    {4, 97, 112, {1024, 16}},   // 0.57 and 0.68
    {4, 129, 144, {128, 16}},   // 0.47 and 0.60
    {4, 145, 160, {1024, 32}},  // 0.39 and 0.71
    {4, 193, 208, {128, 16}},   // 0.36 and 0.55
    {4, 209, 224, {1024, 32}},  // 0.37 and 0.65
    {4, 257, 272, {128, 16}},   // 0.47 and 0.57
};

/// 4 KiB apart, vectors of 64 bytes.
constexpr ShortRowRule kToWriteInSecondCache[] = {
    {1, 16, 16, {512, 16}},  // 0.59 and 0.71
    {1, 17, 24, {128, 8}},   // 0.27 and 0.43
    {1, 28, 31, {512, 16}},  // 0.31 and 0.50
    {1, 32, 32, {256, 32}},  // 0.52 and 0.65
    {1, 40, 55, {512, 16}},  // 0.42 and 0.61
    {1, 56, 64, {256, 32}},  // 0.38 and 0.54
    {1, 81, 96, {256, 32}},  // 0.44 and 0.56
    {2, 32, 32, {256, 32}},  // 0.58 and 0.65
    {2, 33, 50, {128, 16}},  // 0.47 and 0.57
    {2, 65, 80, {128, 16}},  // 0.49 and 0.55
};

/// 4 KiB apart, vectors of 32 bytes.
constexpr ShortRowRule kToWriteInSecondCacheNarrow[] = {
    {1, 24, 27, {64, 8}},     // 0.31 and 0.43
    {1, 28, 31, {256, 16}},   // 0.38 and 0.46
    {1, 32, 32, {128, 32}},   // 0.36 and 0.47
    {1, 48, 55, {256, 16}},   // 0.36 and 0.52
    {1, 56, 64, {128, 32}},   // 0.35 and 0.41
    {2, 32, 32, {256, 32}},   // 0.56 and 0.65
    {2, 48, 55, {1024, 16}},  // 0.55 and 0.64
    {2, 80, 80, {1024, 16}},  // 0.41 and 0.54
    {4, 80, 80, {1024, 16}},  // 0.52 and 0.67
};

/// Rows to write 4 KiB apart, vectors of 64 bytes.
constexpr ShortRowRule kToReadInLastCache[] = {
    {1, 16, 16, {16, 512}},         // 0.52 and 0.68
    {1, 17, 27, {8, 256}, true},    // 0.34 and 0.51
    {1, 28, 32, {16, 512}},         // 0.44 and 0.51
    {1, 33, 47, {8, 256}, true},    // 0.27 and 0.44
    {1, 48, 55, {16, 512}, true},   // 0.35 and 0.52
    {1, 56, 63, {8, 256}, true},    // 0.42 and 0.46
    {1, 65, 79, {8, 256}, true},    // 0.35 and 0.45
    {1, 80, 80, {16, 256}, true},   // 0.37 and 0.43
    {2, 24, 31, {8, 256}},          // 0.49 and 0.67
    {2, 32, 32, {32, 512}},         // 0.52 and 0.67
    {2, 33, 47, {8, 256}},          // 0.43 and 0.57
    {2, 48, 48, {16, 256}, true},   // 0.49 and 0.59
    {2, 65, 79, {8, 256}},          // 0.49 and 0.54
    {2, 80, 80, {16, 512}, true},   // 0.52 and 0.58
    {2, 97, 112, {16, 512}, true},  // 0.51 and 0.54
    {4, 48, 48, {16, 512}, true},   // 0.49 and 0.68
    {4, 80, 80, {8, 256}},          // 0.55 and 0.63
    {4, 97, 112, {16, 512}, true},  // 0.59 and 0.64
};

/// 2 KiB apart.
constexpr ShortRowRule kToReadTo2KiBInLastCache[] = {
    {1, 17, 27, {8, 64}, true},    // 0.41 and 0.54
    {1, 28, 31, {16, 256}, true},  // 0.49 and 0.55
    {1, 33, 36, {8, 64}, true},    // 0.39 and 0.48
    {1, 40, 48, {16, 256}, true},  // 0.49 and 0.58
    {1, 80, 80, {16, 256}, true},  // 0.53 and 0.57
    {2, 24, 24, {8, 64}, true},    // 0.82 and 0.89
    {2, 32, 32, {16, 128}},        // 0.68 and 0.75
    {2, 33, 47, {16, 128}},        // 0.40 and 0.69
    {2, 48, 48, {16, 256}, true},  // 0.45 and 0.63
    {2, 49, 63, {32, 256}},        // 0.47 and 0.61
    {2, 65, 80, {16, 256}, true},  // 0.42 and 0.58
    {2, 81, 96, {32, 256}},        // 0.56 and 0.69
    {4, 48, 48, {16, 64}, true},   // 0.85 and 0.99
    {4, 64, 64, {16, 256}},        // 0.70 and 0.81
    {4, 128, 128, {16, 256}},      // 0.67 and 0.75
};

/// 1 KiB apart.
constexpr ShortRowRule kToReadTo1KiBInLastCache[] = {
    {2, 41, 56, {16, 64}},        // 0.75 and 0.84
    {2, 65, 79, {16, 64}, true},  // 0.60 and 0.68
    {2, 80, 80, {16, 128}},       // 0.48 and 0.72
    {2, 81, 112, {32, 64}},       // 0.63 and 0.71
    {4, 65, 112, {16, 64}},       // 0.78 and 0.90
};

/// 4 KiB apart, vectors of 64 bytes.
constexpr ShortRowRule kToReadInNearlyFullLastCache[] = {
    {1, 17, 27, {8, 512}, true},   // 0.32 and 0.65
    {1, 28, 31, {16, 256}, true},  // 0.36 and 0.63
    {1, 33, 39, {8, 512}, true},   // 0.43 and 0.56
    {1, 40, 48, {16, 256}, true},  // 0.53 and 0.61
    {1, 80, 80, {16, 256}, true},  // 0.59 and 0.64
    {2, 24, 31, {8, 256}},         // 0.61 and 0.79
    {2, 33, 50, {16, 512}, true},  // 0.52 and 0.66
    {2, 65, 80, {16, 512}, true},  // 0.60 and 0.67
    {4, 48, 48, {16, 512}, true},  // 0.69 and 0.80
};

/// 4 KiB apart, vectors of 32 bytes.
constexpr ShortRowRule kToReadInNearlyFullLastCacheNarrow[] = {
    {1, 17, 27, {8, 512}},   // 0.50 and 0.66
    {1, 33, 39, {8, 512}},   // 0.43 and 0.57
    {2, 24, 31, {8, 512}},   // 0.39 and 0.63
    {2, 33, 50, {16, 512}},  // 0.55 and 0.74
    {4, 48, 48, {16, 512}},  // 0.47 and 0.71
};

/// 4 KiB apart, vectors of either width, which those of powers of two stream.
constexpr ShortRowRule kToReadInMemory[] = {
    {1, 17, 27, {8, 256}},   // 0.54 and 0.96
    {1, 28, 31, {16, 256}},  // 0.57 and 0.91
    {1, 33, 39, {8, 256}},   // 0.47 and 0.75
    {1, 40, 55, {16, 256}},  // 0.90 and 1.31
    {1, 65, 80, {16, 256}},  // 0.90 and 1.19
    {2, 24, 31, {8, 512}},   // 0.57 and 1.17
    {2, 33, 50, {16, 512}},  // 0.70 and 1.14
    {2, 65, 80, {16, 512}},  // 0.98 and 1.20
    {4, 48, 80, {16, 512}},  // 0.99 and 1.23
};

/// 4 KiB apart, vectors of 32 bytes.
constexpr ShortRowRule kToReadInLastCacheNarrow[] = {
    {1, 16, 16, {16, 512}},   // 0.50 and 0.62
    {1, 17, 27, {8, 256}},    // 0.34 and 0.48
    {1, 28, 55, {16, 512}},   // 0.42 and 0.53
    {1, 56, 56, {8, 256}},    // 0.42 and 0.46
    {1, 65, 79, {8, 256}},    // 0.40 and 0.44
    {2, 24, 31, {8, 256}},    // 0.37 and 0.62
    {2, 32, 32, {16, 256}},   // 0.50 and 0.65
    {2, 40, 50, {16, 512}},   // 0.48 and 0.56
    {2, 65, 80, {16, 512}},   // 0.39 and 0.55
    {2, 81, 96, {32, 512}},   // 0.53 and 0.65
    {2, 97, 112, {16, 512}},  // 0.44 and 0.52
    {4, 48, 48, {16, 512}},   // 0.51 and 0.68
    {4, 64, 64, {32, 512}},   // 0.62 and 0.68
    {4, 80, 80, {16, 512}},   // 0.53 and 0.64
};

/// 4 KiB apart, vectors of 64 bytes.
constexpr ShortRowRule kToReadInSecondCache[] = {
    {1, 16, 16, {16, 512}},   // 0.55 and 0.74
    {1, 17, 27, {8, 256}},    // 0.40 and 0.57
    {1, 33, 39, {8, 256}},    // 0.50 and 0.59
    {1, 40, 55, {16, 512}},   // 0.50 and 0.55
    {2, 24, 31, {8, 256}},    // 0.29 and 0.71
    {2, 32, 32, {32, 512}},   // 0.57 and 0.70
    {2, 33, 50, {16, 512}},   // 0.49 and 0.66
    {2, 64, 64, {32, 512}},   // 0.58 and 0.65
    {2, 65, 80, {16, 512}},   // 0.47 and 0.58
    {2, 97, 112, {32, 512}},  // 0.61 and 0.67
    {4, 48, 48, {16, 512}},   // 0.54 and 0.82
    {4, 64, 64, {64, 512}},   // 0.74 and 0.85
};

/// 4 KiB apart, vectors of 32 bytes.
constexpr ShortRowRule kToReadInSecondCacheNarrow[] = {
    {1, 16, 16, {16, 512}},  // 0.56 and 0.80
    {1, 17, 27, {8, 256}},   // 0.43 and 0.53
    {1, 28, 31, {16, 512}},  // 0.39 and 0.44
    {1, 36, 39, {8, 256}},   // 0.39 and 0.48
    {1, 40, 55, {16, 512}},  // 0.61 and 0.72
    {2, 24, 31, {8, 256}},   // 0.37 and 0.66
    {2, 32, 32, {32, 512}},  // 0.49 and 0.75
    {2, 33, 50, {16, 512}},  // 0.27 and 0.64
    {2, 81, 96, {32, 512}},  // 0.71 and 0.77
    {4, 48, 48, {16, 512}},  // 0.35 and 0.75
};

using ShortRowRules = std::span<const ShortRowRule>;

}  // namespace

ShortRowRules rules_of_short_rows_to_write(const ShortRowCase& of) {
  if (of.residence == Residence::kMemory || of.streams_early) return {};
  if (of.span_bytes == kSetSpanBytes) {
    if (of.residence == Residence::kSecondCache)
      return of.wide ? ShortRowRules(kToWriteInSecondCache) : kToWriteInSecondCacheNarrow;
    return of.wide ? ShortRowRules(kToWriteInLastCache) : kToWriteInLastCacheNarrow;
  }
  if (of.residence == Residence::kSecondCache || !of.wide) return {};
  return of.span_bytes == kSetSpanBytes / 2 ? ShortRowRules(kToWriteFrom2KiBInLastCache)
                                            : kToWriteFrom1KiBInLastCache;
}

ShortRowRules rules_of_short_rows_to_read(const ShortRowCase& of) {
  if (of.span_bytes == kSetSpanBytes) {
    if (of.residence == Residence::kMemory) return kToReadInMemory;
    if (of.residence == Residence::kSecondCache)
      return of.wide ? ShortRowRules(kToReadInSecondCache) : kToReadInSecondCacheNarrow;
    if (of.streams_early)
      return of.wide ? ShortRowRules(kToReadInNearlyFullLastCache) : kToReadInNearlyFullLastCacheNarrow;
    return of.wide ? ShortRowRules(kToReadInLastCache) : kToReadInLastCacheNarrow;
  }
  if (of.residence != Residence::kLastCache || of.streams_early || !of.wide) return {};
  return of.span_bytes == kSetSpanBytes / 2 ? ShortRowRules(kToReadTo2KiBInLastCache)
                                            : kToReadTo1KiBInLastCache;
}

}  // namespace relayout::plan
