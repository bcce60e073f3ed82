#pragma once

#include <vector>

#include "src/cli/json.hpp"
#include "src/cli/table.hpp"

namespace relayout::cli {

/// One pair: a row for each contender, with its spread.
Table contender_table(const Json& pair);

/// Several pairs: a row each, and geometric means. \pre pairs without errors
Table pair_table(const std::vector<Json>& pairs);

/// What else was asked for: levels, threads, cold caches, peers; those that were not are left out.
std::vector<Table> task_tables(const std::vector<Json>& pairs);

}  // namespace relayout::cli
