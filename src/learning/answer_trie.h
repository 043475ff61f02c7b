// Everything known about the answers of words, as a tree of prefixes.
//
// The tree draws the conclusions that the shape of the language allows: a Legal word
// has Legal prefixes; an Illegal word or one that CannotHappen has only extensions of
// its kind; an Illegal letter makes the other letters of its group Illegal. So one
// answer settles many words, and a learner that looks here first never asks about an
// extension of a word that is known to be in a sink.
//
// Nodes are numbered in the order in which they come to be, stay for ever, and stand
// for one word each. A sink's extensions have no nodes of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "automata/alphabet.h"
#include "learning/oracle.h"

namespace tacit {

class AnswerTrie {
public:
  using Node = std::uint32_t;
  static constexpr Node root = 0;

  /// `groups` is empty or has an entry for each letter.
  explicit AnswerTrie(LetterGroups groups = {});

  /// Records an answer. Should not contradict what is known.
  void insert(std::span<const Letter> word, Answer answer);

  std::optional<Answer> find(std::span<const Letter> word) const { return find(root, word); }

  /// The answer of the word of `from` followed by `suffix`.
  std::optional<Answer> find(Node from, std::span<const Letter> suffix) const;

  /// The node of a word that is known to be Legal.
  Node legal_node(std::span<const Letter> word) const;

  /// Inspection: the answer at a node, and its children by ascending letter. The children
  /// are valid until the next insert().
  std::optional<Answer> answer(Node node) const { return nodes_[node].answer; }
  std::span<const std::pair<Letter, Node>> children(Node node) const {
    return nodes_[node].children;
  }

  std::size_t size() const { return nodes_.size(); }

private:
  struct Entry {
    std::optional<Answer> answer;
    std::vector<std::pair<Letter, Node>> children; // ascending by letter
  };

  std::optional<Node> child(Node node, Letter letter) const;
  Node make_child(Node node, Letter letter);
  void settle(Node node, Answer answer);

  std::vector<Entry> nodes_;
  std::vector<std::vector<Letter>> siblings_; // by letter; empty without groups
};

} // namespace tacit
