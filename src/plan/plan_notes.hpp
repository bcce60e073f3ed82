#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/plan/plan.hpp"

namespace relayout::plan {

/// Collects what was chosen or rejected, and why. Reasons are functions, so that no text is made that nobody
/// wants to read.
class PlanNotes {
 public:
  explicit PlanNotes(bool wanted) : wanted_(wanted) {}

  bool wanted() const { return wanted_; }

  /// \param reason returns a std::string
  template <class Reason>
  void add(const std::string& choice, const Reason& reason) {
    if (wanted_) notes_.push_back({choice, reason()});
  }

  std::vector<Note> take() { return std::move(notes_); }

 private:
  bool wanted_;
  std::vector<Note> notes_;
};

}  // namespace relayout::plan
