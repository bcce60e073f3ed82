#include "src/runtime/cache.hpp"

#include <array>

#include "src/runtime/counters.hpp"
#include "src/runtime/fork_gate.hpp"
#include "src/runtime/verbose.hpp"

namespace relayout::runtime {
namespace {

constexpr std::size_t kOptionBytes = 6;
constexpr char kSeparator = '\n';  // in no canonical text

/// What callers and tools want to know about a compilation tells it from others of its pair.
char witnesses(const CacheKeyView& key) {
  return static_cast<char>('0' + (key.observed.counts ? 1 : 0) + (key.observed.reports ? 2 : 0) +
                           (key.announced.perf_map ? 4 : 0) + (key.announced.jitdump ? 8 : 0) +
                           (key.announced.gdb ? 16 : 0));
}

std::array<char, kOptionBytes> option_bytes(const CacheKeyView& key) {
  return {static_cast<char>('0' + static_cast<int>(key.isa)),
          static_cast<char>('0' + static_cast<int>(key.kernel)),
          static_cast<char>('0' + static_cast<int>(key.streaming)),
          static_cast<char>('0' + static_cast<int>(key.padding)),
          witnesses(key),
          static_cast<char>('0' + (key.strict ? 1 : 0) + (key.has_choice ? 2 : 0) +
                            4 * static_cast<int>(key.tune))};
}

/// Multiplies and folds 8 bytes at a time: keys are about 50 bytes.
class Hasher {
 public:
  void add(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); i += 8) {
      std::uint64_t word = 0;
      text.substr(i).copy(reinterpret_cast<char*>(&word), 8);
      state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ULL;
      state_ ^= state_ >> 32;
    }
  }
  std::size_t value() const { return static_cast<std::size_t>(state_); }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325ULL;
};

std::string key_text(const CacheKeyView& key) {
  const auto options = option_bytes(key);
  std::string text;
  text.reserve(key.source.size() + key.destination.size() + key.tail.size() + kOptionBytes + 2);
  text.append(key.source).append(1, kSeparator).append(key.destination).append(1, kSeparator);
  return text.append(options.data(), options.size()).append(key.tail);
}

}  // namespace

Cache::Key::Key(const CacheKeyView& view) : text(key_text(view)) {}

std::size_t Cache::Hash::operator()(const CacheKeyView& key) const noexcept {
  const auto options = option_bytes(key);
  Hasher hasher;
  hasher.add(key.source);
  hasher.add(key.destination);
  hasher.add({options.data(), options.size()});
  hasher.add(key.tail);
  return hasher.value();
}

std::size_t Cache::Hash::operator()(const Key& key) const noexcept {
  const std::string_view text = key.text;
  const std::size_t first = text.find(kSeparator);
  const std::size_t second = text.find(kSeparator, first + 1);
  Hasher hasher;
  hasher.add(text.substr(0, first));
  hasher.add(text.substr(first + 1, second - first - 1));
  hasher.add(text.substr(second + 1, kOptionBytes));
  hasher.add(text.substr(second + 1 + kOptionBytes));
  return hasher.value();
}

bool Cache::Equal::operator()(const Key& a, const CacheKeyView& b) const noexcept {
  std::string_view text = a.text;
  const auto options = option_bytes(b);
  const std::string_view separator(&kSeparator, 1);
  for (const std::string_view part :
       {b.source, separator, b.destination, separator, std::string_view(options.data(), options.size())}) {
    if (!text.starts_with(part)) return false;
    text.remove_prefix(part.size());
  }
  return text == b.tail;
}

Cache& Cache::instance() {
  static Cache* const cache = new Cache;
  return *cache;
}

std::shared_ptr<Cache::Entry> Cache::find_or_insert(const CacheKeyView& key, Evicted& evicted) {
  const auto found = entries_.find(key);
  if (found != entries_.end()) {
    uses_.splice(uses_.begin(), uses_, found->second->use);
    return found->second;
  }
  const auto added = entries_.emplace(Key(key), std::make_shared<Entry>()).first;
  uses_.push_front(&added->first);
  added->second->use = uses_.begin();
  auto entry = added->second;
  evict_beyond_capacity(evicted);
  return entry;
}

std::shared_ptr<const CompiledRelayout> Cache::hit(const Entry& entry) {
  if (entry.compiled) ++statistics_.hits;
  return entry.compiled;
}

void Cache::evict_beyond_capacity(Evicted& evicted) {
  while (entries_.size() > statistics_.capacity && entries_.size() > 1) {
    const auto oldest = entries_.find(*uses_.back());
    if (oldest->second->compiled) evicted.push_back(oldest->second->compiled);
    uses_.pop_back();
    entries_.erase(oldest);
    ++statistics_.evictions;
  }
}

void Cache::erase(const CacheKeyView& key, const std::shared_ptr<Entry>& entry) {
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second != entry) return;
  uses_.erase(entry->use);
  entries_.erase(found);
}

CompileOutcome Cache::find_or_compile(const CacheKeyView& key,
                                      const std::function<CompileOutcome()>& compile) {
  Evicted evicted;
  std::shared_ptr<Entry> entry;
  std::shared_ptr<const CompiledRelayout> compiled;
  {
    const std::lock_guard lock(mutex_);
    entry = find_or_insert(key, evicted);
    compiled = hit(*entry);
  }
  for (const auto& dropped : evicted) report_eviction(*dropped);
  if (!compiled) return compile_entry(key, entry, compile);
  report_hit(*compiled);
  return compiled;
}

CompileOutcome Cache::compile_entry(const CacheKeyView& key, const std::shared_ptr<Entry>& entry,
                                    const std::function<CompileOutcome()>& compile) {
  const ForkPass pass;
  const std::lock_guard entry_lock(entry->mutex);
  {
    const std::lock_guard lock(mutex_);
    if (auto compiled = hit(*entry)) return compiled;  // another thread was faster
  }
  auto outcome = compile();
  const std::lock_guard lock(mutex_);
  if (outcome) {
    entry->compiled = *outcome;
  } else {
    erase(key, entry);
  }
  return outcome;
}

CacheStatistics Cache::statistics() {
  const std::lock_guard lock(mutex_);
  CacheStatistics result = statistics_;
  result.compilations = compilation_counters().compilations;
  result.entries = entries_.size();
  for (const auto& [key, entry] : entries_) {
    if (entry->compiled) result.code_bytes += entry->compiled->code_bytes();
  }
  return result;
}

void Cache::set_capacity(std::size_t relayouts) {
  Evicted evicted;
  {
    const std::lock_guard lock(mutex_);
    statistics_.capacity = relayouts == 0 ? 1 : relayouts;
    evict_beyond_capacity(evicted);
  }
  for (const auto& dropped : evicted) report_eviction(*dropped);
}

void Cache::clear() {
  Map dropped;  // destroyed when the lock is free
  const std::lock_guard lock(mutex_);
  dropped.swap(entries_);
  uses_.clear();
}

}  // namespace relayout::runtime
