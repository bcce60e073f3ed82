#include "src/cli/compare/reference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <thread>

#include "src/cli/team.hpp"

namespace relayout::cli {
namespace {

/// Put into the destination before each check; not what padding is filled with, nor what the source repeats.
constexpr int kSpoiled = 0xA5;

/// All the contents in one number; a sum would not see words that changed places. Four chains, since one
/// would wait for its multiplications.
std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  std::array<std::uint64_t, 4> chains = {1, 2, 3, 4};
  for (std::size_t i = 0; i < bytes.size(); i += sizeof chains) {
    std::array<std::uint64_t, 4> words = {};
    std::memcpy(words.data(), bytes.data() + i, std::min(sizeof words, bytes.size() - i));
    for (std::size_t k = 0; k < chains.size(); ++k) {
      chains[k] = (chains[k] ^ words[k]) * 0x9e3779b97f4a7c15u;
      chains[k] ^= chains[k] >> 29;
    }
  }
  return chains[0] ^ std::rotl(chains[1], 16) ^ std::rotl(chains[2], 32) ^ std::rotl(chains[3], 48);
}

}  // namespace

Result<Reference> Reference::make(const Layout& source, const Layout& destination,
                                  const CompileOptions& options, const BufferPair& buffers) {
  CompileOptions portable = options;
  portable.isa = Isa::kPortable;
  portable.kernel = KernelFamily::kAutomatic;
  portable.bypass_cache = true;
  const auto filling = compile(source, destination, portable);
  if (!filling) return filling.error();
  Reference reference(buffers, filling->destination_bytes());
  reference.write(*filling);
  reference.filled_ = reference.checksum();
  reference.untouched_ = reference.filled_;
  if (destination.physical_elements() == destination.element_count()) return reference;

  portable.padding = PaddingPolicy::kLeaveUntouched;
  const auto leaving = compile(source, destination, portable);
  if (!leaving) return leaving.error();
  reference.spoil();
  reference.write(*leaving);
  reference.untouched_ = reference.checksum();
  return reference;
}

bool Reference::is_met_by(const std::function<void()>& convert, Padding padding) const {
  spoil();
  convert();
  return checksum() == (padding == Padding::kFilled ? filled_ : untouched_);
}

std::uint64_t Reference::checksum() const {
  return checksum_of({buffers_->destination(), static_cast<std::size_t>(bytes_)});
}

void Reference::spoil() const {
  std::memset(buffers_->destination(), kSpoiled, static_cast<std::size_t>(bytes_));
}

void Reference::write(const Relayout& portable) const {
  const auto threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  Team(threads).run(threads, [&](std::int64_t part) {
    portable.run_part(buffers_->source(), buffers_->destination(), part, threads);
  });
}

}  // namespace relayout::cli
