#pragma once

namespace relayout::expr {

// Around a fork: no other thread is changing the interning table then.
void lock_interning_for_fork();
void unlock_interning_after_fork();

}  // namespace relayout::expr
