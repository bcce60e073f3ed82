// Measured on a Zen 4, whose first cache has 64 sets of 8 ways. The figures are ratios to memcpy, before and
// with the rule, of those pairs that it changes among some 1000 transposes of rows such a multiple apart,
// 2500 unseen shapes of the suite's kinds and 2500 random pairs of 2 to 24 MiB in the last cache, as many
// below 1 MiB in the second one, and 800, 900 and 600 of 24 to 200 MiB past both. The runs are the best of 17
// to 50 that were timed for each class of transposes, in the order that blocks have and in those of both
// sides; classes that are not here gained less than a twentieth. Of 16 bytes some figures are
// of packs of narrower elements, which are elements by now (wide_elements.hpp). Rules for rows nearly so far
// apart are of some 900 transposes (runs_by_row_sets.cpp), those for units of some 300 packs of 16 and 32
// bytes, beside as many shapes and random pairs as above.
//
// Rows to read in few sets want several lines of few rows at once, rows to write long runs of few, and rows
// of the other side that begin anywhere within lines short runs. Rows of 8 and 16 bytes an element, of which
// a tile of lines has few, are best written in the destination's order, one line of each after another.

#include "src/plan/tiles/row_set_rules.hpp"

#include "src/plan/tiles/row_sets.hpp"

namespace relayout::plan {
namespace {

constexpr std::int64_t kPage = kSetSpanBytes;
constexpr RowSpans kSpread{0, 0};
constexpr RowSpans kUpToEighth{0, kPage / 8};
constexpr RowSpans kUpToQuarter{0, kPage / 4};
constexpr RowSpans kUpToHalf{0, kPage / 2};
constexpr RowSpans kEighth{kPage / 8, kPage / 8};
constexpr RowSpans kEighthOrQuarter{kPage / 8, kPage / 4};
constexpr RowSpans kEighthToHalf{kPage / 8, kPage / 2};
constexpr RowSpans kQuarter{kPage / 4, kPage / 4};
constexpr RowSpans kQuarterOrHalf{kPage / 4, kPage / 2};
constexpr RowSpans kHalf{kPage / 2, kPage / 2};
constexpr RowSpans kHalfOrWhole{kPage / 2, kPage};
constexpr RowSpans kQuarterOrMore{kPage / 4, kPage};
constexpr RowSpans kWhole{kPage, kPage};

constexpr RowSetRule kWideInLastCache[] = {
    {1, kWhole, kWhole, RowsBegin::kAnywhere, {64, 128}},                               // 0.23 and 0.34
    {1, kQuarterOrHalf, kQuarterOrHalf, RowsBegin::kAnywhere, {64, 128}},               // 0.25 and 0.43
    {1, kQuarterOrHalf, kUpToEighth, RowsBegin::kAnywhere, {128, 64}},                  // 0.20 and 0.54
    {1, kEighth, kEighth, RowsBegin::kAnywhere, {64, 128}},                             // 0.49 and 0.57
    {1, kSpread, kQuarter, RowsBegin::kOnLines, {64, 128}},                             // 0.51 and 0.65
    {2, kSpread, kWhole, RowsBegin::kAnywhere, {32, 512}},                              // 0.45 and 0.54
    {2, kSpread, kQuarter, RowsBegin::kOffLines, {64, 64}},                             // 0.48 and 0.62
    {2, kSpread, kQuarter, RowsBegin::kOnLines, {64, 256}},                             // 0.57 and 0.69
    {2, kWhole, kQuarter, RowsBegin::kAnywhere, {128, 128}},                            // 0.46 and 0.56
    {4, kUpToEighth, kWhole, RowsBegin::kOnLines, {64, 512}},                           // 0.56 and 0.67
    {4, kSpread, kWhole, RowsBegin::kOffLines, {32, 512}},                              // 0.50 and 0.62
    {4, kWhole, kSpread, RowsBegin::kOnLines, {256, 64}},                               // 0.56 and 0.71
    {4, kWhole, kEighth, RowsBegin::kAnywhere, {256, 128}},                             // 0.64 and 0.66
    {4, kWhole, kSpread, RowsBegin::kOffLines, {128, 32}},                              // 0.53 and 0.60
    {4, kQuarterOrHalf, kSpread, RowsBegin::kOffLines, {128, 32}},                      // 0.68 and 0.72
    {4, kSpread, kHalf, RowsBegin::kOffLines, {16, 256}},                               // 0.61 and 0.71
    {8, kHalfOrWhole, kWhole, RowsBegin::kAnywhere, {128, 512}},                        // 0.57 and 0.62
    {8, kUpToQuarter, kWhole, RowsBegin::kOnLines, {64, 64}, LoopWalk::kDestination},   // 0.70 and 0.74
    {8, kSpread, kWhole, RowsBegin::kOffLines, {16, 512}},                              // 0.61 and 0.73
    {8, kHalf, kSpread, RowsBegin::kOffLines, {128, 32}},                               // 0.70 and 0.76
    {8, kHalf, kSpread, RowsBegin::kOnLines, {64, 64}, LoopWalk::kSource},              // 0.80 and 0.85
    {16, kWhole, kWhole, RowsBegin::kAnywhere, {256, 512}},                             // 0.56 and 0.70
    {16, kHalf, kWhole, RowsBegin::kAnywhere, {128, 128}, LoopWalk::kDestination},      // 0.58 and 0.74
    {16, kUpToQuarter, kWhole, RowsBegin::kOnLines, {64, 64}, LoopWalk::kDestination},  // 0.80 and 0.94
    {16, kSpread, kWhole, RowsBegin::kOffLines, {32, 512}},                             // 0.58 and 0.79
    {16, kWhole, kHalf, RowsBegin::kAnywhere, {128, 64}},                               // 0.80 and 0.88
    {16, kWhole, kSpread, RowsBegin::kAnywhere, {16, 64}},                              // 0.73 and 0.81
};

constexpr RowSetRule kWideInSecondCache[] = {
    {1, kHalf, kSpread, RowsBegin::kOnLines, {128, 64}},                     // 0.50 and 0.77
    {1, kHalfOrWhole, kSpread, RowsBegin::kOffLines, {128, 32}},             // 0.36 and 0.51
    {1, kSpread, kQuarter, RowsBegin::kOnLines, {64, 128}},                  // 0.70 and 0.77
    {1, kSpread, kQuarter, RowsBegin::kOffLines, {32, 128}},                 // 0.48 and 0.61
    {2, kSpread, kHalf, RowsBegin::kOnLines, {64, 256}},                     // 0.76 and 0.82
    {2, kSpread, kEighth, RowsBegin::kOffLines, {64, 64}},                   // 0.73 and 0.81
    {2, kWhole, kSpread, RowsBegin::kAnywhere, {256, 32}},                   // 0.42 and 0.55
    {2, kSpread, kWhole, RowsBegin::kOffLines, {16, 512}},                   // 0.47 and 0.55
    {4, kHalf, kSpread, RowsBegin::kOnLines, {64, 64}, LoopWalk::kSource},   // 0.63 and 0.94
    {4, kHalf, kSpread, RowsBegin::kOffLines, {128, 32}},                    // 0.56 and 0.68
    {4, kWhole, kSpread, RowsBegin::kOnLines, {512, 64}},                    // 0.62 and 0.79
    {4, kWhole, kSpread, RowsBegin::kOffLines, {256, 16}},                   // 0.42 and 0.59
    {4, kSpread, kWhole, RowsBegin::kOffLines, {16, 512}},                   // 0.55 and 0.63
    {8, kHalf, kSpread, RowsBegin::kOnLines, {128, 64}, LoopWalk::kSource},  // 0.91 and 1.04
    {8, kHalf, kSpread, RowsBegin::kOffLines, {128, 32}},                    // 0.69 and 0.87
    {8, kSpread, kWhole, RowsBegin::kOnLines, {64, 512}},                    // 0.79 and 0.87
    {8, kSpread, kWhole, RowsBegin::kOffLines, {16, 512}},                   // 0.64 and 0.78
    {16, kHalf, kSpread, RowsBegin::kOffLines, {256, 64}},                   // 0.90 and 1.02
    {16, kSpread, kWhole, RowsBegin::kOnLines, {64, 128}},                   // 0.96 and 1.04
    {16, kSpread, kWhole, RowsBegin::kOffLines, {16, 512}},                  // 0.57 and 0.90
    {16, kHalfOrWhole, kUpToEighth, RowsBegin::kAnywhere, {16, 64}},         // 1.06 and 1.25
    {16, kEighth, kWhole, RowsBegin::kAnywhere, {32, 512}},                  // 0.76 and 1.06
};

constexpr RowSetRule kNarrowInLastCache[] = {
    {1, kWhole, kUpToEighth, RowsBegin::kAnywhere, {128, 32}},                               // 0.36 and 0.44
    {1, kHalf, kSpread, RowsBegin::kAnywhere, {128, 32}},                                    // 0.45 and 0.46
    {1, kQuarter, kHalf, RowsBegin::kAnywhere, {64, 64}, LoopWalk::kDestination},            // 0.15 and 0.35
    {1, kEighth, kWhole, RowsBegin::kAnywhere, {64, 128}},                                   // 0.25 and 0.34
    {1, kSpread, kHalf, RowsBegin::kAnywhere, {32, 256}},                                    // 0.44 and 0.49
    {1, kSpread, kQuarter, RowsBegin::kAnywhere, {64, 128}},                                 // 0.48 and 0.51
    {1, kSpread, kEighth, RowsBegin::kOffLines, {32, 128}},                                  // 0.50 and 0.54
    {2, kSpread, kWhole, RowsBegin::kOnLines, {32, 512}},                                    // 0.49 and 0.56
    {2, kEighth, kWhole, RowsBegin::kAnywhere, {32, 512}},                                   // 0.42 and 0.46
    {2, kQuarter, kHalfOrWhole, RowsBegin::kAnywhere, {64, 256}},                            // 0.38 and 0.46
    {2, kHalf, kQuarterOrHalf, RowsBegin::kAnywhere, {64, 256}},                             // 0.46 and 0.54
    {2, kSpread, kQuarter, RowsBegin::kOnLines, {128, 128}},                                 // 0.46 and 0.63
    {2, kSpread, kQuarter, RowsBegin::kOffLines, {64, 64}},                                  // 0.43 and 0.50
    {2, kQuarter, kQuarter, RowsBegin::kAnywhere, {128, 128}},                               // 0.50 and 0.64
    {2, kWhole, kEighthOrQuarter, RowsBegin::kAnywhere, {128, 128}},                         // 0.51 and 0.58
    {2, kEighthOrQuarter, kEighth, RowsBegin::kAnywhere, {128, 64}},                         // 0.47 and 0.52
    {2, kQuarter, kSpread, RowsBegin::kOnLines, {128, 64}},                                  // 0.52 and 0.60
    {4, kEighthToHalf, kWhole, RowsBegin::kAnywhere, {64, 512}},                             // 0.45 and 0.58
    {4, kHalfOrWhole, kHalf, RowsBegin::kAnywhere, {128, 256}},                              // 0.40 and 0.57
    {4, kWhole, kWhole, RowsBegin::kAnywhere, {128, 256}},                                   // 0.48 and 0.52
    {4, kQuarter, kHalf, RowsBegin::kAnywhere, {64, 64}},                                    // 0.48 and 0.52
    {8, kHalfOrWhole, kWhole, RowsBegin::kAnywhere, {128, 512}},                             // 0.59 and 0.64
    {8, kUpToQuarter, kWhole, RowsBegin::kOnLines, {64, 64}, LoopWalk::kDestination},        // 0.70 and 0.75
    {8, kWhole, kHalf, RowsBegin::kAnywhere, {128, 128}},                                    // 0.55 and 0.66
    {8, kEighthOrQuarter, kSpread, RowsBegin::kAnywhere, {64, 64}, LoopWalk::kDestination},  // 0.79 and 0.85
    {8, kSpread, kQuarterOrHalf, RowsBegin::kOnLines, {64, 64}, LoopWalk::kDestination},     // 0.87 and 0.94
    {8, kHalf, kSpread, RowsBegin::kOnLines, {64, 64}, LoopWalk::kSource},                   // 0.80 and 0.88
    {16, kHalf, kWhole, RowsBegin::kAnywhere, {128, 64}, LoopWalk::kDestination},            // 0.72 and 0.74
    {16, kUpToQuarter, kWhole, RowsBegin::kOnLines, {64, 64}, LoopWalk::kDestination},       // 0.83 and 0.93
    {16, kWhole, kHalf, RowsBegin::kAnywhere, {128, 64}},                                    // 0.78 and 0.90
    {16, kEighthToHalf, kSpread, RowsBegin::kOffLines, {256, 64}, LoopWalk::kDestination},   // 0.80 and 0.83
    {16, kSpread, kEighthOrQuarter, RowsBegin::kOffLines, {32, 256}},                        // 0.85 and 0.89
    {16, kSpread, kWhole, RowsBegin::kOffLines, {32, 512}},                                  // 0.65 and 0.78
    {16, kWhole, kWhole, RowsBegin::kAnywhere, {256, 512}},                                  // 0.58 and 0.64
    {16, kWhole, kSpread, RowsBegin::kAnywhere, {16, 64}},                                   // 0.76 and 0.84
};

constexpr RowSetRule kNarrowInSecondCache[] = {
    {1, kHalf, kSpread, RowsBegin::kAnywhere, {128, 32}},                   // 0.37 and 0.58
    {1, kWhole, kSpread, RowsBegin::kOffLines, {256, 16}},                  // 0.31 and 0.49
    {1, kEighthOrQuarter, kSpread, RowsBegin::kOffLines, {128, 32}},        // 0.51 and 0.57
    {1, kSpread, kHalf, RowsBegin::kOnLines, {32, 256}},                    // 0.61 and 0.72
    {1, kSpread, kQuarter, RowsBegin::kOnLines, {64, 128}},                 // 0.69 and 0.75
    {1, kSpread, kQuarter, RowsBegin::kOffLines, {32, 128}},                // 0.48 and 0.63
    {2, kWhole, kSpread, RowsBegin::kAnywhere, {256, 32}},                  // 0.54 and 0.69
    {2, kQuarter, kSpread, RowsBegin::kOffLines, {128, 64}},                // 0.56 and 0.62
    {2, kSpread, kWhole, RowsBegin::kOnLines, {32, 512}},                   // 0.54 and 0.63
    {2, kSpread, kWhole, RowsBegin::kOffLines, {16, 256}},                  // 0.39 and 0.58
    {2, kSpread, kHalf, RowsBegin::kOnLines, {64, 256}},                    // 0.65 and 0.69
    {2, kSpread, kQuarter, RowsBegin::kOnLines, {128, 128}},                // 0.66 and 0.86
    {2, kSpread, kQuarter, RowsBegin::kOffLines, {32, 128}},                // 0.60 and 0.82
    {4, kHalf, kSpread, RowsBegin::kOnLines, {64, 64}, LoopWalk::kSource},  // 0.71 and 0.92
    {4, kHalf, kSpread, RowsBegin::kOffLines, {512, 64}},                   // 0.67 and 0.79
    {4, kWhole, kSpread, RowsBegin::kOnLines, {256, 64}},                   // 0.62 and 0.75
    {4, kWhole, kSpread, RowsBegin::kOffLines, {256, 32}},                  // 0.51 and 0.71
    {4, kSpread, kWhole, RowsBegin::kOnLines, {64, 512}},                   // 0.83 and 0.87
    {4, kSpread, kWhole, RowsBegin::kOffLines, {16, 512}},                  // 0.59 and 0.71
    {8, kHalf, kSpread, RowsBegin::kOnLines, {64, 64}, LoopWalk::kSource},  // 0.96 and 1.10
    {8, kHalf, kSpread, RowsBegin::kOffLines, {128, 32}},                   // 0.74 and 0.91
    {8, kSpread, kWhole, RowsBegin::kOnLines, {64, 512}},                   // 0.78 and 0.90
    {8, kSpread, kWhole, RowsBegin::kOffLines, {16, 512}},                  // 0.68 and 0.88
    {16, kHalf, kSpread, RowsBegin::kOffLines, {256, 64}},                  // 1.06 and 1.16
    {16, kUpToEighth, kWhole, RowsBegin::kOnLines, {64, 128}},              // 0.99 and 1.13
    {16, kSpread, kWhole, RowsBegin::kOffLines, {16, 512}},                 // 0.83 and 1.05
    {16, kHalfOrWhole, kUpToEighth, RowsBegin::kAnywhere, {16, 64}},        // 1.06 and 1.25
};

constexpr RowSetRule kWideInMemory[] = {
    {1, kSpread, kQuarter, RowsBegin::kAnywhere, {32, 128}},         // 0.86 and 1.21
    {2, kQuarterOrMore, kSpread, RowsBegin::kOnLines, {64, 64}},     // 0.76 and 1.19
    {2, kSpread, kHalf, RowsBegin::kOnLines, {32, 128}},             // 1.16 and 1.27
    {2, kSpread, kHalf, RowsBegin::kOffLines, {32, 256}},            // 1.06 and 1.35
    {2, kSpread, kWhole, RowsBegin::kAnywhere, {32, 256}},           // 0.96 and 1.20
    {4, kQuarter, kQuarterOrHalf, RowsBegin::kAnywhere, {16, 128}},  // 0.89 and 1.06
    {4, kSpread, kQuarter, RowsBegin::kAnywhere, {16, 128}},         // 0.97 and 1.14
    {4, kSpread, kHalf, RowsBegin::kOnLines, {16, 256}},             // 1.21 and 1.28
    {4, kSpread, kWhole, RowsBegin::kAnywhere, {32, 512}},           // 1.08 and 1.26
    {8, kSpread, kQuarterOrMore, RowsBegin::kOnLines, {16, 512}},    // 1.30 and 1.39
    {8, kSpread, kQuarter, RowsBegin::kOffLines, {16, 512}},         // 1.19 and 1.30
    {8, kSpread, kWhole, RowsBegin::kOffLines, {16, 256}},           // 1.31 and 1.39
    {8, kWhole, kWhole, RowsBegin::kAnywhere, {64, 256}},            // 1.03 and 1.14
    {8, kWhole, kSpread, RowsBegin::kOnLines, {16, 64}},             // 1.40 and 1.51
    {16, kSpread, kQuarter, RowsBegin::kAnywhere, {32, 512}},        // 1.34 and 1.42
    {16, kSpread, kHalfOrWhole, RowsBegin::kOffLines, {32, 512}},    // 1.30 and 1.35
};

constexpr RowSetRule kNarrowInMemory[] = {
    {1, kSpread, kQuarter, RowsBegin::kAnywhere, {32, 128}},         // 0.86 and 1.24
    {2, kSpread, kHalf, RowsBegin::kOnLines, {32, 128}},             // 1.30 and 1.39
    {2, kSpread, kHalf, RowsBegin::kOffLines, {32, 256}},            // 1.19 and 1.37
    {2, kSpread, kWhole, RowsBegin::kAnywhere, {32, 256}},           // 0.98 and 1.24
    {4, kSpread, kHalf, RowsBegin::kAnywhere, {16, 256}},            // 1.31 and 1.43
    {4, kSpread, kWhole, RowsBegin::kAnywhere, {32, 512}},           // 1.10 and 1.33
    {8, kSpread, kHalfOrWhole, RowsBegin::kOnLines, {32, 512}},      // 1.32 and 1.44
    {8, kWhole, kWhole, RowsBegin::kAnywhere, {64, 512}},            // 1.03 and 1.18
    {8, kWhole, kSpread, RowsBegin::kOnLines, {16, 64}},             // 1.36 and 1.56
    {16, kSpread, kQuarterOrHalf, RowsBegin::kAnywhere, {32, 512}},  // 1.35 and 1.41
};

constexpr RowSetRule kWideNearlyInLastCache[] = {
    {1, kWhole, kSpread, RowsBegin::kAnywhere, {256, 32}},                            // 0.18 and 0.36
    {4, kWhole, kSpread, RowsBegin::kAnywhere, {256, 16}},                            // 0.40 and 0.49
    {4, kSpread, kHalf, RowsBegin::kAnywhere, {16, 256}},                             // 0.59 and 0.66
    {8, kWhole, kWhole, RowsBegin::kAnywhere, {128, 512}},                            // 0.35 and 0.48
    {8, kHalf, kWhole, RowsBegin::kAnywhere, {32, 512}},                              // 0.36 and 0.54
    {8, kUpToQuarter, kWhole, RowsBegin::kAnywhere, {16, 512}},                       // 0.44 and 0.68
    {16, kWhole, kWhole, RowsBegin::kAnywhere, {16, 1024}},                           // 0.37 and 0.64
    {16, kUpToHalf, kWhole, RowsBegin::kAnywhere, {64, 64}, LoopWalk::kDestination},  // 0.46 and 0.73
};

constexpr RowSetRule kWideNearlyInSecondCache[] = {
    {1, kWhole, kSpread, RowsBegin::kAnywhere, {256, 32}},                           // 0.19 and 0.35
    {1, kQuarterOrHalf, kSpread, RowsBegin::kAnywhere, {128, 32}},                   // 0.27 and 0.41
    {1, kSpread, kQuarter, RowsBegin::kAnywhere, {32, 128}},                         // 0.29 and 0.46
    {2, kSpread, kWhole, RowsBegin::kAnywhere, {16, 256}},                           // 0.46 and 0.56
    {2, kQuarter, kSpread, RowsBegin::kAnywhere, {64, 64}},                          // 0.58 and 0.63
    {2, kSpread, kQuarter, RowsBegin::kAnywhere, {64, 64}},                          // 0.54 and 0.60
    {4, kWhole, kSpread, RowsBegin::kAnywhere, {256, 16}},                           // 0.28 and 0.50
    {4, kSpread, kWhole, RowsBegin::kAnywhere, {16, 512}},                           // 0.42 and 0.54
    {8, kSpread, kWhole, RowsBegin::kAnywhere, {16, 512}},                           // 0.43 and 0.59
    {16, kSpread, kWhole, RowsBegin::kAnywhere, {64, 128}, LoopWalk::kDestination},  // 0.58 and 0.78
};

constexpr RowSetRule kNarrowNearlyInLastCache[] = {
    {1, kWhole, kSpread, RowsBegin::kAnywhere, {64, 64}},                              // 0.16 and 0.31
    {1, kSpread, kHalf, RowsBegin::kAnywhere, {32, 256}},                              // 0.29 and 0.38
    {1, kHalf, kHalf, RowsBegin::kAnywhere, {32, 256}},                                // 0.23 and 0.31
    {8, kWhole, kWhole, RowsBegin::kAnywhere, {64, 128}, LoopWalk::kDestination},      // 0.43 and 0.48
    {16, kWhole, kWhole, RowsBegin::kAnywhere, {32, 1024}},                            // 0.39 and 0.67
    {16, kUpToHalf, kWhole, RowsBegin::kAnywhere, {64, 64}, LoopWalk::kDestination},   // 0.50 and 0.76
    {16, kWhole, kSpread, RowsBegin::kAnywhere, {64, 256}},                            // 0.74 and 0.81
    {16, kSpread, kQuarter, RowsBegin::kAnywhere, {256, 64}, LoopWalk::kDestination},  // 0.78 and 0.88
};

constexpr RowSetRule kNarrowNearlyInSecondCache[] = {
    {1, kHalfOrWhole, kSpread, RowsBegin::kAnywhere, {256, 16}},                     // 0.18 and 0.29
    {1, kSpread, kQuarter, RowsBegin::kAnywhere, {64, 128}},                         // 0.31 and 0.45
    {2, kSpread, kWhole, RowsBegin::kAnywhere, {16, 512}},                           // 0.33 and 0.49
    {4, kWhole, kSpread, RowsBegin::kAnywhere, {256, 32}},                           // 0.35 and 0.49
    {4, kSpread, kWhole, RowsBegin::kAnywhere, {16, 512}},                           // 0.42 and 0.52
    {8, kSpread, kWhole, RowsBegin::kAnywhere, {16, 512}},                           // 0.56 and 0.62
    {16, kSpread, kWhole, RowsBegin::kAnywhere, {64, 128}, LoopWalk::kDestination},  // 0.63 and 0.82
};

constexpr RowSetRule kWideUnitsInLastCache[] = {
    {32, kSpread, kWhole, RowsBegin::kAnywhere, {64, 512}},       // 0.65 and 0.86
    {32, kHalfOrWhole, kWhole, RowsBegin::kAnywhere, {32, 256}},  // 0.63 and 0.77
};

constexpr RowSetRule kNarrowUnitsInLastCache[] = {
    {32, kSpread, kWhole, RowsBegin::kAnywhere, {64, 512}},       // 0.66 and 0.85
    {32, kHalfOrWhole, kWhole, RowsBegin::kAnywhere, {32, 256}},  // 0.58 and 0.76
    {32, kWhole, kSpread, RowsBegin::kAnywhere, {32, 64}},        // 0.85 and 0.92
};

constexpr RowSetRule kUnitsInSecondCache[] = {
    {32, kHalfOrWhole, kSpread, RowsBegin::kAnywhere, {128, 64}},  // 0.92 and 1.02
    {32, kSpread, kWhole, RowsBegin::kAnywhere, {64, 512}},        // 0.75 and 1.05
    {32, kQuarter, kWhole, RowsBegin::kAnywhere, {64, 512}},       // 0.71 and 1.05
    {32, kHalf, kWhole, RowsBegin::kAnywhere, {128, 256}},         // 1.41 and 1.56
};

}  // namespace

std::span<const RowSetRule> row_set_rules(Residence residence, int vector_bytes) {
  using Rules = std::span<const RowSetRule>;
  const bool wide = vector_bytes == 64;
  if (residence == Residence::kMemory) return wide ? Rules(kWideInMemory) : kNarrowInMemory;
  if (residence == Residence::kLastCache) return wide ? Rules(kWideInLastCache) : kNarrowInLastCache;
  return wide ? Rules(kWideInSecondCache) : kNarrowInSecondCache;
}

std::span<const RowSetRule> row_set_rules_of_units(Residence residence, int vector_bytes) {
  using Rules = std::span<const RowSetRule>;
  if (residence == Residence::kMemory) return {};
  if (residence == Residence::kSecondCache) return kUnitsInSecondCache;
  return vector_bytes == 64 ? Rules(kWideUnitsInLastCache) : kNarrowUnitsInLastCache;
}

std::span<const RowSetRule> rules_of_rows_nearly_so_far_apart(Residence residence, int vector_bytes) {
  using Rules = std::span<const RowSetRule>;
  const bool wide = vector_bytes == 64;
  if (residence == Residence::kMemory) return {};
  if (residence == Residence::kLastCache)
    return wide ? Rules(kWideNearlyInLastCache) : kNarrowNearlyInLastCache;
  return wide ? Rules(kWideNearlyInSecondCache) : kNarrowNearlyInSecondCache;
}

}  // namespace relayout::plan
