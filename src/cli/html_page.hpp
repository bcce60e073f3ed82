#pragma once

#include <string>
#include <string_view>

#include "src/draw/markup.hpp"

namespace relayout::cli {

using draw::escaped;

/// An SVG document as an image of its own, so that its styles stay inside.
std::string image(std::string_view svg, std::string_view description);

/// A whole page that needs nothing but itself: no script, no font, no file. It is well-formed XML, too.
/// `body` is markup; the classes that it may use are those of html_page.cpp.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace relayout::cli
