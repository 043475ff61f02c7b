// A list of nodes that own their successors.
#include <cassert>
#include <memory>
class T {
  struct Node {
    int v;
    std::unique_ptr<Node> next;
  };
  std::unique_ptr<Node> head_;

public:
  void push(int v) {
    auto n = std::make_unique<Node>();
    n->v = v;
    n->next = std::move(head_);
    head_ = std::move(n);
  }
  int pop() {
    assert(head_);
    int v = head_->v;
    head_ = std::move(head_->next);
    return v;
  }
  bool empty() const { return !head_; }
  void clear() { head_.reset(); }
};
