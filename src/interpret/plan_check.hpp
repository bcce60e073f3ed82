#pragma once

#include <string>

#include "src/plan/model/plan.hpp"

namespace relayout::interpret {

/// What is wrong with the indices of a nest (guards, tables, pieces), or an empty string.
std::string index_fault(const plan::Nest& nest);

}  // namespace relayout::interpret
