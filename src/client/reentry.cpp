#include "client/reentry.h"

#include <algorithm>
#include <map>
#include <set>

#include "client/conformance.h"

namespace tacit {

namespace {

constexpr std::string_view runner = "callbacks"; // as the front end calls them

bool is_runner(const Procedure& p) {
  return p.kind == ProcedureKind::Internal && p.name.starts_with(runner);
}

/// Leads calls of procedures to their copies; those of runners do nothing.
void redirect(Procedure& p, const std::map<std::string, std::string>& copies,
              const std::set<std::string>& runners) {
  for (Block& b : p.blocks) {
    if (b.end.kind != TerminatorKind::Call) continue;
    if (runners.contains(b.end.name)) {
      b.end = {.kind = TerminatorKind::Goto, .next = b.end.next, .where = b.end.where};
    } else if (const auto copy = copies.find(b.end.name); copy != copies.end()) {
      b.end.name = copy->second;
    }
  }
}

} // namespace

void leave_out_reentry(Module& module) {
  std::set<std::string> runners;
  for (const Procedure& p : module.procedures)
    if (is_runner(p)) runners.insert(p.name);
  std::set<std::string> inner;
  bool again = false;
  for (const std::string& name : runners)
    for (const std::string& ran : reached_from(module, name)) {
      const Procedure* p = module.find_procedure(ran);
      if (!p || runners.contains(ran) || p->kind != ProcedureKind::Internal) continue;
      inner.insert(ran);
      again = again || std::ranges::any_of(p->blocks, [&](const Block& b) {
                return b.end.kind == TerminatorKind::Call && runners.contains(b.end.name);
              });
    }
  if (!again) return;
  module.assume("functions whose address is handed out are not run while one of them runs");
  std::map<std::string, std::string> copies;
  for (const std::string& name : inner) copies[name] = name + "@inner";
  std::vector<Procedure> made;
  for (Procedure& p : module.procedures) {
    if (runners.contains(p.name)) redirect(p, copies, {});
    if (!inner.contains(p.name)) continue;
    Procedure copy = p;
    if (copy.shown.empty()) copy.shown = copy.name;
    copy.name = copies[p.name];
    redirect(copy, copies, runners);
    made.push_back(std::move(copy));
  }
  for (Procedure& copy : made) module.procedures.push_back(std::move(copy));
}

} // namespace tacit
