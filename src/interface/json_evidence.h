// Reading what an interface rests on: labels and must-nodes, which speak of its states, transitions
// and refusals by their numbers.
#pragma once

#include "interface/json_parts.h"

namespace tacit {

class EvidenceReader : public PartReader {
public:
  using PartReader::PartReader;

protected:
  void check_must_nodes(std::string_view name, const std::map<std::size_t, std::size_t>& entries,
                        std::size_t count, std::size_t start) {
    for (const auto& [index, node] : entries) {
      if (node < count) continue;
      const std::string key = fmt::format("{}.{}", name, index);
      complain_below(key, start, fmt::format("must-node {} does not exist", node));
    }
  }

  void labels(const Interface& interface, std::vector<std::string>& labels) {
    const std::size_t start = cursor_.offset();
    read_into(labels);
    if (!labels.empty() && labels.size() != interface.states.size())
      complain_at(start, fmt::format("there are {} labels for {} states", labels.size(),
                                     interface.states.size()));
  }

  void must(const Interface& interface, std::vector<MustNode>& nodes) {
    JsonCursor counting = cursor_;
    std::size_t count = 0;
    if (counting.kind() == JsonKind::Array)
      for (counting.enter(); counting.next_element(); ++count) counting.skip();
    array([&](std::size_t) {
      MustNode& node = nodes.emplace_back();
      object(required("state", [&] { node.state = state_number(interface); }),
             required("predicate", [&] { read_into(node.predicate); }), required("incoming", [&] {
               array([&](std::size_t) {
                 auto& incoming = node.incoming.emplace_back();
                 object(required("transition",
                                 [&] {
                                   incoming.transition =
                                       number_of("transition", interface.transitions.size());
                                 }),
                        required("source",
                                 [&] {
                                   if (cursor_.kind() == JsonKind::Null)
                                     cursor_.null();
                                   else
                                     incoming.source = number_of("must-node", count);
                                 }),
                        optional("outcome", [&] { incoming.outcome = text(); }));
               });
             }));
    });
  }

  void must_table(std::string_view thing, std::size_t count,
                  std::map<std::size_t, std::size_t>& entries) {
    table([&](const std::string& key) {
      const std::size_t index = number_of(thing, count, key, cursor_.offset());
      entries[index] = number_of("must-node", SIZE_MAX);
    });
  }

  void outcome_must(const Interface& interface, Evidence& evidence) {
    array([&](std::size_t) {
      std::size_t transition = 0, node = 0;
      std::string outcome;
      object(required("transition",
                      [&] { transition = number_of("transition", interface.transitions.size()); }),
             required("outcome", [&] { outcome = text(); }),
             required("node", [&] { node = number_of("must-node", SIZE_MAX); }));
      evidence.outcome_must[{transition, outcome}] = node;
    });
  }
};

} // namespace tacit
