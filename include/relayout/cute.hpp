#pragma once

/// CuTe's notation: tuples, layouts, swizzles, their text and their algebra.

#include "relayout/cute/algebra.hpp"
#include "relayout/cute/bridge.hpp"
#include "relayout/cute/calculator.hpp"
#include "relayout/cute/int_tuple.hpp"
#include "relayout/cute/layout.hpp"
#include "relayout/cute/swizzle.hpp"
#include "relayout/cute/tensor_view.hpp"
#include "relayout/cute/text.hpp"
