#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "src/plan/model/plan.hpp"

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

  /// Those that were made since `count` was the number of them are dropped.
  void cut_back_to(std::size_t count) { notes_.resize(count); }
  std::size_t count() const { return notes_.size(); }

  std::vector<Note> take() { return std::move(notes_); }

 private:
  bool wanted_;
  std::vector<Note> notes_;
};

}  // namespace relayout::plan
