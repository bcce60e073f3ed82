#pragma once

#include <new>
#include <stdexcept>
#include <utility>

#include "relayout/result.hpp"

namespace relayout::layout {

/// Runs `work`, turning the standard library's running out of memory into an error: no exception crosses the
/// public interface.
template <class Work>
auto without_exceptions(Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kSystem, "out of memory"};
  } catch (const std::length_error&) {
    return Error{ErrorCode::kSystem, "more memory than the system can address"};
  }
}

}  // namespace relayout::layout
