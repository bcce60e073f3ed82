// GDB's interface for generated code (GDB manual, "JIT Compilation Interface"): GDB has a breakpoint in
// `__jit_debug_register_code` and reads the list in `__jit_debug_descriptor` whenever it is hit. Names, types
// and the numbers below are GDB's. Weak, since another code generator in the program may define them too; all
// share one list then.

#include "src/profile/gdb_jit.hpp"

#include <utility>

extern "C" {

struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  std::uint64_t symfile_size;
};

struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

[[gnu::weak, gnu::used, gnu::visibility("default")]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr,
                                                                                              nullptr};

[[gnu::weak, gnu::used, gnu::noinline, gnu::visibility("default")]] void __jit_debug_register_code() {
  asm volatile("" ::: "memory");  // keeps calls from being removed
}

}  // extern "C"

namespace relayout::profile {
namespace {

enum Action : std::uint32_t { kNoAction, kRegister, kUnregister };

void announce(jit_code_entry* entry, Action action) {
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_register_code();
  __jit_debug_descriptor.relevant_entry = nullptr;
  __jit_debug_descriptor.action_flag = kNoAction;
}

}  // namespace

struct GdbEntry::Node {
  jit_code_entry entry;
};

GdbEntry::GdbEntry(std::vector<std::uint8_t> image)
    : image_(std::move(image)), node_(std::make_unique<Node>()) {
  jit_code_entry& entry = node_->entry;
  entry.symfile_addr = reinterpret_cast<const char*>(image_.data());
  entry.symfile_size = image_.size();
  entry.next_entry = __jit_debug_descriptor.first_entry;
  if (entry.next_entry != nullptr) entry.next_entry->prev_entry = &entry;
  __jit_debug_descriptor.first_entry = &entry;
  announce(&entry, kRegister);
}

GdbEntry::~GdbEntry() {
  jit_code_entry& entry = node_->entry;
  if (entry.next_entry != nullptr) entry.next_entry->prev_entry = entry.prev_entry;
  (entry.prev_entry != nullptr ? entry.prev_entry->next_entry : __jit_debug_descriptor.first_entry) =
      entry.next_entry;
  announce(&entry, kUnregister);
}

}  // namespace relayout::profile
