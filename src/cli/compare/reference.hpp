#pragma once

#include <cstdint>
#include <functional>

#include "relayout/relayout.hpp"
#include "src/cli/buffer_pair.hpp"

namespace relayout::cli {

/// What becomes of the destination's padding.
enum class Padding : std::uint8_t { kFilled, kUntouched };

/// The right contents of the whole destination, by the portable path, to judge every contender by before it
/// is timed. Kept as a checksum.
class Reference {
 public:
  /// \pre the buffers hold the pair; they and both layouts outlive this
  static Result<Reference> make(const Layout& source, const Layout& destination,
                                const CompileOptions& options, const BufferPair& buffers);

  /// Spoils the destination, lets `convert` write it, and tells whether it did so rightly.
  bool is_met_by(const std::function<void()>& convert, Padding padding) const;

  /// Whether the destination is right as it stands, padding filled.
  bool holds() const { return checksum() == filled_; }

 private:
  Reference(const BufferPair& buffers, std::int64_t bytes) : buffers_(&buffers), bytes_(bytes) {}
  std::uint64_t checksum() const;
  void spoil() const;
  void write(const Relayout& portable) const;

  const BufferPair* buffers_;
  std::int64_t bytes_;  ///< of the destination
  std::uint64_t filled_ = 0;
  std::uint64_t untouched_ = 0;
};

}  // namespace relayout::cli
