// What GDB would read, read from within the process.

#include <set>

#include "src/runtime/compiled_relayout.hpp"
#include "tests/profile/profile_support.hpp"

// As in GDB's manual, "JIT Compilation Interface".
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
extern "C" jit_descriptor __jit_debug_descriptor;

namespace relayout::testing {
namespace {

/// The images in the list, whose links have to agree in both directions.
std::vector<std::string> images() {
  std::vector<std::string> found;
  const jit_code_entry* previous = nullptr;
  for (const jit_code_entry* entry = __jit_debug_descriptor.first_entry; entry != nullptr;
       entry = entry->next_entry) {
    EXPECT_EQ(entry->prev_entry, previous);
    found.emplace_back(entry->symfile_addr, entry->symfile_size);
    previous = entry;
  }
  return found;
}

bool any_mentions(const std::vector<std::string>& texts, const std::string& words) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

class GdbInterface : public ProfilingFor {
 protected:
  GdbInterface() : ProfilingFor({.gdb = true}) {}
};

TEST_F(GdbInterface, example) {
  EXPECT_EQ(__jit_debug_descriptor.version, 1U);
  ASSERT_TRUE(images().empty());
  const Relayout convert = column_major_of("f32[64,48]");
  ASSERT_EQ(images().size(), 1U);
  EXPECT_TRUE(
      images()[0].starts_with("\x7F"
                              "ELF"));
  EXPECT_TRUE(any_mentions(images(), "relayout:f32[64,48][0,1]->f32[64,48][1,0]:"));
}

TEST_F(GdbInterface, lists_code_for_as_long_as_it_lives) {
  column_major_of("f32[64,48]");
  column_major_of("f32[48,64]");
  {
    const Relayout kept = column_major_of("u8[64,48]");
    EXPECT_EQ(images().size(), 3U);
    clear_cache();
    ASSERT_EQ(images().size(), 1U) << "a handle keeps its code";
    EXPECT_TRUE(any_mentions(images(), "relayout:u8[64,48]"));
  }
  EXPECT_TRUE(images().empty());
}

TEST_F(GdbInterface, a_child_goes_on_with_its_own_list) {
  const Relayout inherited = column_major_of("u16[64,64]");
  EXPECT_EQ(in_child([] {
              clear_cache();
              const Relayout own = column_major_of("u64[64,64]");
              const auto now = images();
              return now.size() == 2 && any_mentions(now, "relayout:u64[64,64]") ? 0 : 1;
            }),
            0);
  EXPECT_EQ(images().size(), 1U);
}

}  // namespace
}  // namespace relayout::testing
