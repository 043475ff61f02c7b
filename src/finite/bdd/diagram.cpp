// The only file that calls BuDDy.
//
// BuDDy reports trouble through a hook and would go on with wrong results or stop the process. The
// hooks here jump back to where the operation started, over frames of C only, as BuDDy itself does
// before reordering; from there an exception goes on. A jump happens when the table has been left
// consistent: after a garbage collection, or when the last free node is gone. Running out of memory
// in realloc is not such a place, so the table is kept below a limit.
#include "finite/bdd/diagram.h"

#include <algorithm>
#include <csetjmp>
#include <functional>
#include <unordered_set>

#include <bdd.h>
// The header renames these to functions on its own class of handles.
#undef bdd_init
#undef bdd_ithvar
#undef bdd_nithvar

/// BuDDy's stack of nodes that an operation still needs, as long as twice the number of variables.
/// An operation makes room on it before it computes what goes there (PUSHREF evaluates in no fixed
/// order), and a garbage collection in between reads what malloc left behind. Hence it is cleared
/// whenever it has been allocated.
extern "C" int* bddrefstack;

#include "base/should.h"

namespace tacit {
namespace {

constexpr int first_nodes = 100'000;
constexpr int first_cache = 25'000;
constexpr int most_nodes = 40'000'000; // 20 bytes each; BuDDy's caches need numbers below 2^26
constexpr int most_new_nodes = 4'000'000;
constexpr int nodes_per_cache_entry = 4;
constexpr unsigned operations_per_check = 16;
constexpr std::size_t first_variables = 1024, most_variables = 2'000'000;

std::weak_ptr<BddSession> current_session;
Budget* current_budget = nullptr;
Watch current_watch = Watch::LongOperations;
std::jmp_buf back;
bool can_jump = false;
unsigned operations = 0;
int error_code = 0; // 0: the budget is exhausted

extern "C" void on_error(int code) {
  error_code = code;
  if (can_jump) std::longjmp(back, 1);
}

extern "C" void on_collection(int before, bddGbcStat*) {
  if (before != 0 || !can_jump || current_budget == nullptr || !current_budget->exhausted_now())
    return;
  error_code = 0;
  std::longjmp(back, 1);
}

[[noreturn, gnu::noinline]] void give_up() {
  can_jump = false;
  bdd_clear_error();
  if (error_code == 0) throw BddGaveUp{"the budget ran out (" + current_budget->reason() + ")"};
  if (error_code == BDD_NODENUM || error_code == BDD_MEMORY)
    throw BddGaveUp{"the sets of states are too large: no room for more decision diagrams"};
  should_not_be_reached(bdd_errstring(error_code));
}

template <class Operation> [[gnu::noinline]] Bdd guarded(Operation operation) {
  if (current_watch == Watch::AllOperations && ++operations % operations_per_check == 0)
    check_budget();
  if (_setjmp(back) != 0) give_up();
  can_jump = true;
  const int result = operation();
  can_jump = false;
  return Bdd::of_result(result);
}

} // namespace

Result<std::shared_ptr<BddSession>> BddSession::open() {
  if (auto session = current_session.lock()) {
    if (session->thread_ != std::this_thread::get_id())
      return fail("decision diagrams are in use by another thread");
    return session;
  }
  std::shared_ptr<BddSession> session(new BddSession);
  current_session = session;
  return session;
}

BddSession::BddSession() : thread_(std::this_thread::get_id()) {
  should(!bdd_isrunning(), "nobody else should use BuDDy");
  bdd_init(first_nodes, first_cache);
  bdd_error_hook(on_error);
  bdd_gbc_hook(on_collection);
  bdd_resize_hook(nullptr);
  bdd_setmaxnodenum(most_nodes);
  bdd_setmaxincrease(most_new_nodes);
  bdd_setcacheratio(nodes_per_cache_entry);
  need_variables(
      1); // a second bdd_done() without variables in between would free the tables of the first
}

BddSession::~BddSession() { bdd_done(); }

void BddSession::need_variables(std::size_t count) {
  const auto known = static_cast<std::size_t>(bdd_varnum());
  if (known >= count) return;
  if (count > most_variables) throw BddGaveUp{"there are too many bits of state and choice"};
  const std::size_t wanted =
      std::min(most_variables, std::max({count, 2 * known, first_variables}));
  // No garbage collection while the new stack is not clear: each variable takes two nodes.
  bddStat table;
  bdd_stats(&table);
  if (static_cast<std::size_t>(table.freenodes) <= 2 * wanted) {
    bdd_gbc();
    bdd_stats(&table);
    if (static_cast<std::size_t>(table.freenodes) <= 2 * wanted)
      throw BddGaveUp{"the sets of states are too large: no room for more variables"};
  }
  error_code = 0;
  bdd_setvarnum(static_cast<int>(wanted));
  if (error_code != 0) give_up();
  std::fill_n(bddrefstack, 2 * wanted + 4, 0);
}

BddScope::BddScope(Budget& budget, Watch watch)
    : outer_(current_budget), outer_watch_(current_watch) {
  current_budget = &budget;
  current_watch = watch;
}

BddScope::~BddScope() {
  current_budget = outer_;
  current_watch = outer_watch_;
}

void check_budget() {
  if (current_budget != nullptr && current_budget->exhausted_now())
    throw BddGaveUp{"the budget ran out (" + current_budget->reason() + ")"};
}

void Bdd::hold() const {
  if (id_ > 1) bdd_addref(id_);
}

void Bdd::release() const {
  if (id_ > 1) bdd_delref(id_);
}

Bdd& Bdd::operator=(const Bdd& other) {
  other.hold();
  release();
  id_ = other.id_;
  return *this;
}

Bdd Bdd::of_result(int id) {
  Bdd made;
  made.id_ = id;
  made.hold();
  return made;
}

Bdd Bdd::variable(std::size_t number) { return of_result(bdd_ithvar(static_cast<int>(number))); }
Bdd Bdd::literal(std::size_t number, bool value) {
  return of_result(value ? bdd_ithvar(static_cast<int>(number))
                         : bdd_nithvar(static_cast<int>(number)));
}

std::size_t Bdd::top() const { return static_cast<std::size_t>(bdd_var(id_)); }
Bdd Bdd::low() const { return of_result(bdd_low(id_)); }
Bdd Bdd::high() const { return of_result(bdd_high(id_)); }

Bdd operator&(const Bdd& a, const Bdd& b) {
  return guarded([x = a.id(), y = b.id()] { return bdd_apply(x, y, bddop_and); });
}
Bdd operator|(const Bdd& a, const Bdd& b) {
  return guarded([x = a.id(), y = b.id()] { return bdd_apply(x, y, bddop_or); });
}
Bdd operator^(const Bdd& a, const Bdd& b) {
  return guarded([x = a.id(), y = b.id()] { return bdd_apply(x, y, bddop_xor); });
}
Bdd operator!(const Bdd& a) {
  return guarded([x = a.id()] { return bdd_not(x); });
}
Bdd same(const Bdd& a, const Bdd& b) {
  return guarded([x = a.id(), y = b.id()] { return bdd_apply(x, y, bddop_biimp); });
}
Bdd without(const Bdd& a, const Bdd& b) {
  return guarded([x = a.id(), y = b.id()] { return bdd_apply(x, y, bddop_diff); });
}
Bdd ite(const Bdd& condition, const Bdd& then_, const Bdd& else_) {
  if (then_ == else_) return then_;
  return guarded([x = condition.id(), y = then_.id(), z = else_.id()] { return bdd_ite(x, y, z); });
}

Bdd variable_set(std::vector<std::size_t> variables) {
  std::ranges::sort(variables, std::greater<>());
  Bdd set(true);
  for (std::size_t v : variables) set &= Bdd::variable(v);
  return set;
}

Bdd exists(const Bdd& a, const Bdd& variables) {
  if (variables.is_true()) return a;
  return guarded([x = a.id(), y = variables.id()] { return bdd_exist(x, y); });
}

Bdd and_exists(const Bdd& a, const Bdd& b, const Bdd& variables) {
  if (variables.is_true()) return a & b;
  return guarded(
      [x = a.id(), y = b.id(), z = variables.id()] { return bdd_appex(x, y, bddop_and, z); });
}

Bdd cofactor(const Bdd& a, const Bdd& literals) {
  if (literals.is_true()) return a;
  return guarded([x = a.id(), y = literals.id()] { return bdd_restrict(x, y); });
}

Renaming::Renaming(const std::vector<std::size_t>& from, const std::vector<std::size_t>& to) {
  bddPair* pair = bdd_newpair();
  should(pair != nullptr, "there should be room for a renaming");
  pair_ = pair;
  for (std::size_t i = 0; i < from.size(); ++i)
    bdd_setpair(pair, static_cast<int>(from[i]), static_cast<int>(to[i]));
}

Renaming::~Renaming() {
  if (pair_ != nullptr) bdd_freepair(static_cast<bddPair*>(pair_));
}

Bdd Renaming::operator()(const Bdd& a) const {
  return guarded(
      [x = a.id(), pair = static_cast<bddPair*>(pair_)] { return bdd_replace(x, pair); });
}

namespace {

/// Numbers stay valid while the root is held.
void visit(int id, std::unordered_set<int>& seen, std::vector<bool>& variables) {
  if (id < 2 || !seen.insert(id).second) return;
  variables[static_cast<std::size_t>(bdd_var(id))] = true;
  visit(bdd_low(id), seen, variables);
  visit(bdd_high(id), seen, variables);
}

} // namespace

std::vector<std::size_t> support(const Bdd& a) {
  std::vector<bool> occurs(static_cast<std::size_t>(bdd_varnum()), false);
  std::unordered_set<int> seen;
  visit(a.id(), seen, occurs);
  std::vector<std::size_t> variables;
  for (std::size_t v = 0; v < occurs.size(); ++v)
    if (occurs[v]) variables.push_back(v);
  return variables;
}

std::size_t node_count(const Bdd& a) { return static_cast<std::size_t>(bdd_nodecount(a.id())); }

} // namespace tacit
