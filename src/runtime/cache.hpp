#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "relayout/compile.hpp"
#include "src/runtime/compiled_relayout.hpp"

namespace relayout::runtime {

using CompileOutcome = Result<std::shared_ptr<const CompiledRelayout>>;

/// What tells two compiled pairs apart. Canonical layout texts stand for the offset maps.
struct CacheKeyView {
  std::string_view source;
  std::string_view destination;
  Isa isa = Isa::kPortable;
  KernelFamily kernel = KernelFamily::kAutomatic;
  StreamingStores streaming = StreamingStores::kAuto;
  PaddingPolicy padding = PaddingPolicy::kFill;
  std::string_view fill;
};

/// A least-recently-used map from pairs to compiled relayouts. All members are thread safe. Compilation
/// happens outside the map's lock, once per key however many threads ask; errors are not kept.
class Cache {
 public:
  /// The process-wide cache, never destroyed.
  static Cache& instance();

  CompileOutcome find_or_compile(const CacheKeyView& key, const std::function<CompileOutcome()>& compile);

  CacheStatistics statistics();
  void set_capacity(std::size_t relayouts);
  void clear();
  void count_compilation();

 private:
  struct Key {
    std::string text;  ///< all parts, separated by a byte that occurs in none
    explicit Key(const CacheKeyView& view);
    Key() = default;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const Key& key) const noexcept;
    std::size_t operator()(const CacheKeyView& key) const noexcept;
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const Key& a, const Key& b) const noexcept { return a.text == b.text; }
    bool operator()(const Key& a, const CacheKeyView& b) const noexcept;
    bool operator()(const CacheKeyView& a, const Key& b) const noexcept { return (*this)(b, a); }
  };
  /// One key's compilation. Its mutex is held while compiling, so that other threads wait for the outcome.
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const CompiledRelayout> compiled;
    std::list<const Key*>::iterator use;  ///< position in `uses_`; guarded by the cache's mutex
  };
  using Map = std::unordered_map<Key, std::shared_ptr<Entry>, Hash, Equal>;

  std::shared_ptr<Entry> find_or_insert(const CacheKeyView& key, bool& inserted);
  void erase(const CacheKeyView& key, const std::shared_ptr<Entry>& entry);
  void evict_beyond_capacity();

  std::mutex mutex_;
  Map entries_;
  std::list<const Key*> uses_;  ///< most recent first
  CacheStatistics statistics_{.capacity = 1024};
};

}  // namespace relayout::runtime
