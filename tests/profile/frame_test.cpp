// Call frame information is checked by running a kernel one instruction at a time: before each of them, an
// unwinder that knows of the generated code by that information alone has to find the way back to the caller.

#include <atomic>
#include <csignal>
#include <cstring>
#include <elf.h>
#include <unwind.h>

#include "src/profile/elf_image.hpp"
#include "src/profile/frame_table.hpp"
#include "src/runtime/announce.hpp"
#include "tests/profile/profile_support.hpp"

// libgcc's, for code that is generated at run time.
extern "C" void __register_frame(void* frame_table);
extern "C" void __deregister_frame(void* frame_table);

namespace relayout::testing {
namespace {

constexpr std::uint64_t kTrapFlag = 0x100;

struct Stepping {
  std::uint64_t code_begin = 0;
  std::uint64_t code_end = 0;
  std::uint64_t caller_begin = 0;
  std::uint64_t caller_end = 0;
  std::uint64_t steps = 0;
  std::uint64_t lost = 0;  ///< steps from which the caller was not found
  std::uint64_t first_lost = 0;
};
Stepping stepping;

struct Walk {
  bool in_code = false;
  bool found_caller = false;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  const std::uint64_t place = _Unwind_GetIP(context);
  if (place >= stepping.code_begin && place < stepping.code_end) {
    walk.in_code = true;
  } else if (walk.in_code) {
    walk.found_caller = place >= stepping.caller_begin && place < stepping.caller_end;
    return _URC_NORMAL_STOP;
  }
  return _URC_NO_REASON;
}

void on_trap(int, siginfo_t*, void* data) {
  const auto* context = static_cast<const ucontext_t*>(data);
  const auto place = static_cast<std::uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
  if (place < stepping.code_begin || place >= stepping.code_end) return;
  ++stepping.steps;
  Walk walk;
  _Unwind_Backtrace(visit, &walk);
  if (walk.found_caller) return;
  if (stepping.lost++ == 0) stepping.first_lost = place - stepping.code_begin;
}

/// Calls the function with the trap flag set. Its own address range is what the unwinder has to arrive at.
[[gnu::noinline, gnu::noclone]] void call_stepwise(jit::KernelFunction function, const void* from, void* to,
                                                   void* scratch) {
  asm volatile("pushfq; orq %0, (%%rsp); popfq" ::"i"(kTrapFlag) : "memory", "cc");
  function(from, to, 0, 1, scratch);
  asm volatile("pushfq; andq %0, (%%rsp); popfq" ::"i"(~kTrapFlag) : "memory", "cc");
}

class Frames : public ::testing::Test {
 protected:
  void SetUp() override {
    if (machine_isa() == Isa::kPortable) GTEST_SKIP() << "no code is generated on this machine";
    struct sigaction action {};
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO;
    ASSERT_EQ(sigaction(SIGTRAP, &action, &before_), 0);
  }
  void TearDown() override { sigaction(SIGTRAP, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

/// Runs the functions stepwise, and counts the steps from which the unwinder did not find the caller.
std::uint64_t lost_steps(const Relayout& convert, const profile::CodeDescription& description) {
  auto table = profile::absolute_frame_table(description.functions);
  __register_frame(table.data());
  std::vector<std::byte> from(static_cast<std::size_t>(convert.source_bytes()));
  std::vector<std::byte> to(static_cast<std::size_t>(convert.destination_bytes()) + 64);
  std::vector<std::byte> scratch(convert.scratch_bytes() + 64);
  const auto aligned = (reinterpret_cast<std::uint64_t>(to.data()) + 63) / 64 * 64;
  std::uint64_t lost = 0;
  for (const auto& function : description.functions) {
    stepping = {};
    stepping.code_begin = profile::address_of(function.code);
    stepping.code_end = stepping.code_begin + function.code.size();
    stepping.caller_begin = reinterpret_cast<std::uint64_t>(&call_stepwise);
    stepping.caller_end = stepping.caller_begin + 512;
    call_stepwise(reinterpret_cast<jit::KernelFunction>(stepping.code_begin), from.data(),
                  reinterpret_cast<void*>(aligned), scratch.data());
    EXPECT_GT(stepping.steps, 20U) << function.name;
    lost += stepping.lost;
  }
  __deregister_frame(table.data());
  return lost;
}

void expect_callers_are_found(const Relayout& convert) {
  const auto description = runtime::describe(convert.compiled());
  EXPECT_EQ(lost_steps(convert, description), 0U) << description.functions[0].name << ", first at offset "
                                                  << stepping.first_lost << " of the last function";
}

Relayout with_marks(const std::string& source, const std::string& destination,
                    const CompileOptions& options) {
  CompileOptions fresh = options;
  fresh.bypass_cache = true;
  EXPECT_TRUE(set_profiling({.gdb = true}));
  const auto from = Layout::parse(source);
  auto convert = compile(*from, *Layout::parse_destination(destination, *from), fresh);
  EXPECT_TRUE(set_profiling({}));
  EXPECT_TRUE(convert.ok());
  return std::move(convert).value();
}

TEST_F(Frames, lead_to_the_caller_from_every_instruction) {
  for (const Isa isa : runnable_isas()) {
    if (isa == Isa::kPortable) continue;
    CompileOptions options;
    options.isa = isa;
    expect_callers_are_found(with_marks("f32[32,32]", "[1, 0]", options));
    options.streaming = StreamingStores::kAlways;
    expect_callers_are_found(with_marks("f32[32,32]", "[1, 0]", options));
    options.streaming = StreamingStores::kAuto;
    expect_callers_are_found(with_marks("u8[70,45]", "[1, 0]", options));
    expect_callers_are_found(with_marks("f32[20,30]{1,0}", "{1,0:T(8,128)}", options));
    options.kernel = KernelFamily::kGather;
    expect_callers_are_found(with_marks("u16[40,9]", "[1, 0]", options));
  }
}

TEST_F(Frames, that_are_wrong_are_noticed) {
  const Relayout convert = with_marks("f32[16,16]", "[1, 0]", {});
  auto description = runtime::describe(convert.compiled());
  for (auto& mark : description.functions[0].frames) {
    if (mark.offset > 0) mark.caller_distance_bytes += 8;
  }
  EXPECT_GT(lost_steps(convert, description), 20U);
}

TEST(ElfImage, describes_functions_where_they_lie) {
  if (machine_isa() == Isa::kPortable) GTEST_SKIP() << "no code is generated on this machine";
  const Relayout convert = with_marks("f32[32,32]", "[1, 0]", {});
  const auto description = runtime::describe(convert.compiled());
  const auto image = profile::elf_image(description);
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof header);
  EXPECT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
  EXPECT_EQ(header.e_machine, EM_X86_64);
  ASSERT_LE(header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr), image.size());
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), image.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  const auto text_at = [&](const Elf64_Shdr& strings, std::uint32_t offset) {
    return std::string(reinterpret_cast<const char*>(image.data()) + strings.sh_offset + offset);
  };
  int found = 0;
  for (const Elf64_Shdr& section : sections) {
    const std::string name = text_at(sections[header.e_shstrndx], section.sh_name);
    const std::uint64_t bytes_in_file = section.sh_type == SHT_NOBITS ? 0 : section.sh_size;
    EXPECT_LE(section.sh_offset + bytes_in_file, image.size()) << name;
    if (name == ".text") {
      ++found;
      EXPECT_EQ(section.sh_addr, profile::address_of(description.code));
      EXPECT_EQ(section.sh_size, description.code.size());
    }
    if (name == ".eh_frame") ++found;
    if (name != ".symtab") continue;
    ++found;
    ASSERT_EQ(section.sh_size, 2 * sizeof(Elf64_Sym));
    Elf64_Sym symbol;
    std::memcpy(&symbol, image.data() + section.sh_offset + sizeof symbol, sizeof symbol);
    EXPECT_EQ(text_at(sections[section.sh_link], symbol.st_name), description.functions[0].name);
    EXPECT_EQ(ELF64_ST_TYPE(symbol.st_info), STT_FUNC);
    EXPECT_EQ(symbol.st_value, 0U);
    EXPECT_EQ(symbol.st_size, description.functions[0].code.size());
  }
  EXPECT_EQ(found, 3);
}

}  // namespace
}  // namespace relayout::testing
