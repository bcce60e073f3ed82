#include "relayout/version.hpp"

namespace relayout {

std::string_view version() noexcept {
  return RELAYOUT_VERSION;
}

}  // namespace relayout
