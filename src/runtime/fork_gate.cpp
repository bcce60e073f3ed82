// A fork copies one thread and all memory: locks that other threads hold stay locked in the child for ever,
// and what they were changing stays half changed. So a fork waits for compilations under way (the gate), and
// takes the locks that are also held outside of compilations. Compiling is short: tens of microseconds.

#include "src/runtime/fork_gate.hpp"

#include <pthread.h>

#include "relayout/isa.hpp"
#include "src/expr/interning_locks.hpp"
#include "src/profile/registry.hpp"
#include "src/runtime/cache.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/verbose.hpp"

namespace relayout::runtime {
namespace {

// Writers first, or threads that compile all the time would keep a fork waiting.
constexpr pthread_rwlock_t kOpenGate = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
pthread_rwlock_t gate = kOpenGate;
thread_local int passes = 0;

// In this order everywhere: a thread with a later lock never waits for an earlier one.
void before_fork() {
  static_cast<void>(default_isa());  // or the child might inherit its initialiser half run
  if (passes == 0) pthread_rwlock_wrlock(&gate);
  Cache::instance().lock_for_fork();
  profile::Registry::instance().lock_for_fork();
  lock_verbose_for_fork();
  lock_log_for_fork();
  expr::lock_interning_for_fork();
}

void unlock_all() {
  expr::unlock_interning_after_fork();
  unlock_log_after_fork();
  unlock_verbose_after_fork();
  profile::Registry::instance().unlock_after_fork();
  Cache::instance().unlock_after_fork();
}

void after_fork_in_parent() {
  unlock_all();
  if (passes == 0) pthread_rwlock_unlock(&gate);
}

/// Threads that waited at the gate are not there any more, but it has counted them.
void after_fork_in_child() {
  unlock_all();
  gate = kOpenGate;
  if (passes != 0) pthread_rwlock_rdlock(&gate);
}

/// Before main, so that no fork is missed.
const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

}  // namespace

ForkPass::ForkPass() noexcept {
  if (passes++ == 0) pthread_rwlock_rdlock(&gate);
}

ForkPass::~ForkPass() {
  if (--passes == 0) pthread_rwlock_unlock(&gate);
}

}  // namespace relayout::runtime
