#pragma once

#include <string>

#include "relayout/explanation.hpp"

namespace relayout::cli {

/// The steps of a kernel as wires from left to right, coloured by the register or piece that they come from:
/// one wire a cell while there are few, else one for each pair of rows that exchange cells. An SVG element.
std::string wiring_svg(const Wiring& wiring);

}  // namespace relayout::cli
