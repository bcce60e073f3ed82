#pragma once

#include <string>

namespace relayout::testing {

/// While one of these lives, a memory fault writes its text and the running test's name to standard error
/// before the process dies: a fault in generated code leaves nothing else to go by.
class FaultReport {
 public:
  explicit FaultReport(const std::string& text);
  ~FaultReport();
  FaultReport(const FaultReport&) = delete;
  FaultReport& operator=(const FaultReport&) = delete;
};

}  // namespace relayout::testing
