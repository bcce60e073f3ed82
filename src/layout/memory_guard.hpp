#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include "relayout/result.hpp"

namespace relayout::layout {

/// Runs `work`, turning what the standard library throws into an error, mostly for want of memory: no
/// exception crosses the public interface.
template <class Work>
auto without_exceptions(Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kSystem, "out of memory"};
  } catch (const std::length_error&) {
    return Error{ErrorCode::kSystem, "more memory than the system can address"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, exception.what()};
  }
}

}  // namespace relayout::layout
