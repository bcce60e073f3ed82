#pragma once

#include <map>
#include <string>

#include "relayout/hlo.hpp"

namespace relayout::hlo {

/// Shapes of what a computation's operands name. Definitions go before uses, as in XLA.
class ShapeTable {
 public:
  /// Remembers `instruction`, after giving it the shape that follows from its operands if it has none.
  void define(Instruction& instruction);

  /// Shape of an operand: that of its definition, else the printed one, else empty.
  std::string shape_of(const Operand& operand) const;
  bool defines(const std::string& name) const { return shapes_.contains(name); }

 private:
  /// Empty where it does not follow, or is too long or nested to be worth knowing.
  std::string inferred_shape(const Instruction& instruction) const;

  std::map<std::string, std::string, std::less<>> shapes_;
  std::size_t inferred_bytes_ = 0;
};

}  // namespace relayout::hlo
