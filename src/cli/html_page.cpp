#include "src/cli/html_page.hpp"

#include <fmt/format.h>

namespace relayout::cli {
namespace {

/// Without signs that HTML and XML read differently in a style: & and <.
constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--panel:#f6f8fa;
--accent:#0b66c3;--warm:#b35900;--code:#24292f}
@media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9198a1;--line:#30363d;
--panel:#161b22;--accent:#58a6ff;--warm:#e09b4f;--code:#e6edf3}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1240px;padding:32px 28px 64px;background:var(--paper);color:var(--ink);
font:15px/1.5 -apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif}
h1{font:600 22px/1.3 ui-monospace,SFMono-Regular,Consolas,monospace;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:18px;margin:40px 0 12px;padding-bottom:6px;border-bottom:1px solid var(--line)}
h3{font-size:15px;margin:24px 0 8px}
p{margin:6px 0 12px}
.soft{color:var(--soft)}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Consolas,monospace;font-size:13px}
pre{margin:0;white-space:pre;color:var(--code)}
.facts{display:flex;flex-wrap:wrap;gap:12px;margin:20px 0 0;padding:0}
.facts div{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:10px 16px;min-width:130px}
.facts b{display:block;font-size:19px;font-weight:600;font-variant-numeric:tabular-nums}
.facts span{color:var(--soft);font-size:13px}
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:20px}
.frame{border:1px solid var(--line);border-radius:6px;background:#fff;overflow:auto;max-height:560px}
.frame img{display:block;max-width:none}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600;color:var(--soft);font-size:13px}
th,td{padding:6px 14px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.name{white-space:nowrap}
.loop{border-left:3px solid var(--accent);border-radius:3px;padding:4px 0 4px 14px;margin:4px 0}
.loop .loop{margin-left:8px}
.body{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:8px 14px;margin:4px 8px;
overflow:auto}
.wide{overflow-x:auto}
.wires{border:1px solid var(--line);border-radius:6px;overflow:auto;max-height:1400px;background:var(--paper)}
svg text{font:12px ui-monospace,SFMono-Regular,Consolas,monospace;fill:var(--ink)}
svg text.soft{fill:var(--soft)}
svg .bar{fill:var(--accent)}
svg .other{fill:var(--warm)}
svg .rail{stroke:var(--line);stroke-width:1}
svg .wire{fill:none;stroke-width:1.3;stroke-opacity:.8}
.code{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);border:1px solid var(--line);border-radius:6px;
overflow:hidden}
.code>div{border-top:1px solid var(--line);padding:5px 12px;overflow:auto}
.code>div:nth-child(-n+2){border-top:0}
.code>div:nth-child(odd){background:var(--panel);white-space:pre-wrap;overflow-wrap:anywhere}
summary{cursor:pointer;margin:10px 0;overflow-wrap:anywhere}
@media(max-width:860px){.pair{grid-template-columns:minmax(0,1fr)}}
)";

/// The characters that end a data URL or an attribute, in percent notation.
std::string url_text(std::string_view text) {
  std::string result;
  for (const char character : text) {
    const bool plain = std::string_view("%#<>\"&\n\r\t+^`{}|\\").find(character) == std::string_view::npos;
    if (plain && static_cast<unsigned char>(character) < 0x80) {
      result += character;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    }
  }
  return result;
}

}  // namespace

std::string image(std::string_view svg, std::string_view description) {
  return fmt::format("<img alt=\"{}\" src=\"data:image/svg+xml;charset=utf-8,{}\"/>", escaped(description),
                     url_text(svg));
}

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<link rel=\"icon\" "
      "href=\"data:,\"/>\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n"
      "</html>\n",
      escaped(title), kStyle, body);
}

}  // namespace relayout::cli
