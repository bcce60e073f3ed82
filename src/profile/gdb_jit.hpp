#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace relayout::profile {

/// An ELF image that GDB knows of, from construction to destruction. Not thread safe among themselves: the
/// registry's lock is held for both.
class GdbEntry {
 public:
  explicit GdbEntry(std::vector<std::uint8_t> image);
  GdbEntry(const GdbEntry&) = delete;
  GdbEntry& operator=(const GdbEntry&) = delete;
  ~GdbEntry();

 private:
  struct Node;
  std::vector<std::uint8_t> image_;
  std::unique_ptr<Node> node_;
};

}  // namespace relayout::profile
