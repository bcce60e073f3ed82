// A program to be profiled and debugged: compiles conversions and calls them for a while.
//
//     workload MILLISECONDS MODE
//
// MODE: `plain` one conversion; `tiled` one to a tiled layout; `threads` four, each compiled and called by a
// thread of its own; `evict` one that takes the place of another that was evicted; `fork` one that is called
// by a child as well as one of the child's own. At the end `at_rest` is called, for a debugger to stop in.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "relayout/relayout.hpp"

extern "C" [[gnu::noinline]] void at_rest() {
  asm volatile("" ::: "memory");
}

namespace {

using relayout::Layout;
using relayout::Relayout;

std::chrono::milliseconds duration{0};

Relayout compiled(const std::string& source_text, const std::string& destination_text) {
  const auto source = Layout::parse(source_text);
  const auto destination = Layout::parse_destination(destination_text, *source);
  auto convert = relayout::compile(*source, *destination);
  if (!convert) {
    std::fputs(convert.error().message.c_str(), stderr);
    std::exit(1);
  }
  return *convert;
}

void call_for_a_while(const Relayout& convert) {
  std::vector<std::byte> from(static_cast<std::size_t>(convert.source_bytes()));
  std::vector<std::byte> to(static_cast<std::size_t>(convert.destination_bytes()));
  const auto end = std::chrono::steady_clock::now() + duration;
  do {
    for (int i = 0; i < 10; ++i) convert(from.data(), to.data());
  } while (std::chrono::steady_clock::now() < end);
}

void run_threads() {
  std::vector<std::thread> threads;
  for (const char* source : {"u8[64,64]", "u16[64,64]", "u32[64,64]", "u64[64,64]"}) {
    threads.emplace_back([source] { call_for_a_while(compiled(source, "[1, 0]")); });
  }
  for (std::thread& thread : threads) thread.join();
}

void run_evict() {
  call_for_a_while(compiled("u16[128,128]", "[1, 0]"));
  relayout::clear_cache();
  call_for_a_while(compiled("u64[128,128]", "[1, 0]"));
}

int run_fork() {
  const Relayout inherited = compiled("u16[128,128]", "[1, 0]");
  const pid_t child = fork();
  if (child == 0) {
    call_for_a_while(inherited);
    call_for_a_while(compiled("u64[128,128]", "[1, 0]"));
    at_rest();
    std::exit(0);
  }
  call_for_a_while(compiled("u32[128,128]", "[1, 0]"));
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  relayout::set_log_sink(relayout::standard_error_sink());
  duration = std::chrono::milliseconds(std::atoi(argv[1]));
  const std::string_view mode = argv[2];
  if (mode == "fork") return run_fork();
  if (mode == "threads") run_threads();
  if (mode == "evict") run_evict();
  if (mode == "plain") call_for_a_while(compiled("f32[256,256]", "[1, 0]"));
  if (mode == "tiled") call_for_a_while(compiled("bf16[64,300]", "{1,0:T(8,128)(2,1)}"));
  at_rest();
  return 0;
}
