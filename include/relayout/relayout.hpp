#pragma once

/// The whole public interface: describe two layouts, compile, call.
///
///     auto source = relayout::Layout::parse("f32[4096,4096]");
///     auto destination = relayout::Layout::parse_destination("[1, 0, 1 p(16)]", *source);
///     auto convert = relayout::compile(*source, *destination);
///     if (!convert) return report(convert.error().message);
///     (*convert)(input, output);

#include "relayout/compile.hpp"
#include "relayout/counters.hpp"
#include "relayout/cute.hpp"
#include "relayout/draw.hpp"
#include "relayout/element_type.hpp"
#include "relayout/explanation.hpp"
#include "relayout/expression.hpp"
#include "relayout/hlo.hpp"
#include "relayout/interpret.hpp"
#include "relayout/isa.hpp"
#include "relayout/layout.hpp"
#include "relayout/log.hpp"
#include "relayout/loops.hpp"
#include "relayout/machine.hpp"
#include "relayout/morello.hpp"
#include "relayout/offset_map.hpp"
#include "relayout/profile.hpp"
#include "relayout/proof.hpp"
#include "relayout/result.hpp"
#include "relayout/strided.hpp"
#include "relayout/version.hpp"
#include "relayout/xla.hpp"
