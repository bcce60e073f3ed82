#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
  CallObserver::Choice observed;
  Profiling announced;
  bool strict = false;
  Tuning tune = Tuning::kPredict;
  bool has_choice = false;  ///< then `tail` begins with it, and a line feed
  std::string_view tail;    ///< the fill value
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

  // Around a fork: nobody is in the middle of a change then.
  void lock_for_fork() { mutex_.lock(); }
  void unlock_after_fork() { mutex_.unlock(); }

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
  /// One key's compilation. Its mutex is held while compiling, so that other threads wait for the outcome; it
  /// is locked before the cache's.
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const CompiledRelayout> compiled;  ///< guarded by the cache's mutex
    std::list<const Key*>::iterator use;               ///< position in `uses_`; guarded by the cache's mutex
  };
  using Map = std::unordered_map<Key, std::shared_ptr<Entry>, Hash, Equal>;

  using Evicted = std::vector<std::shared_ptr<const CompiledRelayout>>;

  // With the lock held:
  std::shared_ptr<Entry> find_or_insert(const CacheKeyView& key, Evicted& evicted);
  /// What the entry holds, counted as a hit; null if it is not compiled yet.
  std::shared_ptr<const CompiledRelayout> hit(const Entry& entry);
  void erase(const CacheKeyView& key, const std::shared_ptr<Entry>& entry);
  /// What is evicted is handed out, to be reported and destroyed when the lock is free.
  void evict_beyond_capacity(Evicted& evicted);

  CompileOutcome compile_entry(const CacheKeyView& key, const std::shared_ptr<Entry>& entry,
                               const std::function<CompileOutcome()>& compile);

  std::mutex mutex_;
  Map entries_;
  std::list<const Key*> uses_;  ///< most recent first
  CacheStatistics statistics_{.capacity = 1024};
};

}  // namespace relayout::runtime
