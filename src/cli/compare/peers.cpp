// Other implementations beside the kernel, in the same process and buffers.

#include <memory>

#include "src/cli/compare/subject.hpp"
#include "src/cli/packed.hpp"

namespace relayout::cli {
namespace {

constexpr double kSecondsPerContender = 0.15;

/// Elements that a peer's loops can move as they are.
bool has_whole_elements(const ComparisonJob& job) {
  return !is_packed(job.source) && !is_packed(job.destination);
}

/// The peers made ready, and for each whether it may be timed.
struct Field {
  std::vector<std::unique_ptr<PreparedPeer>> prepared;
  std::vector<PeerTiming> timings;
  std::vector<std::size_t> runners;  ///< indices of those that are able and right
};

Field prepare(const Subject& subject, const PeerProblem& problem) {
  Field field;
  for (const Peer& peer : subject.job.tasks.peers) {
    PeerTiming& timing = field.timings.emplace_back();
    timing.name = peer.name();
    auto& prepared = field.prepared.emplace_back(std::make_unique<PreparedPeer>(
        peer, problem, subject.buffers.source(), subject.buffers.destination()));
    if (!prepared->is_able()) continue;
    if (subject.reference.is_met_by([&] { prepared->run(); }, Padding::kUntouched)) {
      field.runners.push_back(field.timings.size() - 1);
    } else {
      timing.error = "wrong result";
    }
  }
  return field;
}

void time_field(const Subject& subject, Field& field) {
  std::vector<Contender> contenders = {converting(subject, subject.convert), copying(subject)};
  for (const std::size_t runner : field.runners) {
    contenders.push_back(repeated([peer = field.prepared[runner].get()] { peer->run(); }));
  }
  const double budget_seconds = kSecondsPerContender * static_cast<double>(contenders.size());
  const std::vector<Statistics> seconds = time_in_turns(contenders, subject.budget(budget_seconds));
  for (std::size_t i = 0; i < field.runners.size(); ++i) {
    PeerTiming& timing = field.timings[field.runners[i]];
    timing.timing = subject.timing(seconds[i + 2]);
    timing.over_memcpy = seconds[1].median / seconds[i + 2].median;
    timing.jit_over_peer = seconds[i + 2].median / seconds[0].median;
  }
}

}  // namespace

std::vector<PeerTiming> time_peers(const Subject& subject) {
  const ComparisonJob& job = subject.job;
  const auto boxes = has_whole_elements(job) ? loop_boxes(job.source, job.destination) : std::nullopt;
  if (!boxes) {
    std::vector<PeerTiming> none;
    for (const Peer& peer : job.tasks.peers) none.emplace_back().name = peer.name();
    return none;
  }
  const PeerProblem problem(*boxes, job.source.type().storage_bytes(), subject.convert.source_bytes(),
                            subject.convert.destination_bytes());
  Field field = prepare(subject, problem);
  if (!field.runners.empty()) time_field(subject, field);
  return std::move(field.timings);
}

}  // namespace relayout::cli
