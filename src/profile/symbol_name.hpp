#pragma once

#include <string>
#include <string_view>

namespace relayout::profile {

/// The parts of a kernel's name.
struct KernelIdentity {
  std::string_view source;  ///< canonical layout texts
  std::string_view destination;
  std::string_view isa;
  std::string_view family;
  std::size_t nest = 0;
  bool streaming = false;
};

/// `relayout:SOURCE->DESTINATION:ISA:FAMILY:NEST`, and `:streaming` for that variant. One word of printable
/// characters, so that a line of a perf map, a column of a report and a flame graph hold it whole: blanks
/// after a comma are left out, every other blank, control character and semicolon becomes `_`. Layout texts
/// past 400 characters are cut and end in `...`.
std::string symbol_name(const KernelIdentity& kernel);

}  // namespace relayout::profile
