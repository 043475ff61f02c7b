#include "logic/term/reads.h"

#include <map>
#include <unordered_map>
#include <utility>

namespace tacit {
namespace {

class ReadPusher {
public:
  explicit ReadPusher(TermArena& arena) : arena_(arena) {}

  Term run(Term term) {
    if (term->args.empty()) return term;
    if (auto found = done_.find(term); found != done_.end()) return found->second;
    std::vector<Term> args;
    for (Term a : term->args) args.push_back(run(a));
    const Term made =
        term->op == Op::Select ? read(args[0], args[1]) : arena_.rebuild(term, std::move(args));
    done_.emplace(term, made);
    return made;
  }

private:
  /// Conditional maps share their parts: without memory this would take exponential time.
  Term read(Term map, Term key) {
    if (map->args.empty() && key->op != Op::Ite) return arena_.select(map, key);
    const std::pair place{map, key};
    if (auto found = read_.find(place); found != read_.end()) return found->second;
    const Term made = read_anew(map, key);
    read_.emplace(place, made);
    return made;
  }

  Term read_anew(Term map, Term key) {
    if (key->op == Op::Ite)
      return arena_.ite(key->args[0], read(map, key->args[1]), read(map, key->args[2]));
    switch (map->op) {
    case Op::Store:
      return arena_.ite(arena_.eq(map->args[1], key), map->args[2], read(map->args[0], key));
    case Op::Ite: return arena_.ite(map->args[0], read(map->args[1], key), read(map->args[2], key));
    default: return arena_.select(map, key);
    }
  }

  TermArena& arena_;
  std::unordered_map<Term, Term> done_;
  std::map<std::pair<Term, Term>, Term> read_;
};

} // namespace

Term push_reads(TermArena& arena, Term term) { return ReadPusher(arena).run(term); }

} // namespace tacit
