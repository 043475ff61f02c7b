#include "synthesis/game/game_predicates.h"

#include "abstraction/formula/predicates.h"

namespace tacit {
namespace {

// Every statement of the Boolean program is judged over all of them.
constexpr std::size_t most_predicates = 64;

bool never(const PredicateSetting& setting, Term p) {
  return setting.solver().check({setting.facts(), p}) == Truth::Unsat;
}

} // namespace

std::string quoted(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& t : texts) all += (all.empty() ? "'" : ", '") + t + "'";
  return all;
}

Result<GamePredicates> GamePredicates::choose(PredicateSetting& setting) {
  const Component& component = setting.component();
  const SynthesisOptions& options = setting.options();
  PredicateSet set(component.arena());
  if (options.predicates.none()) {
    for (std::size_t k = 0; k < component.constructors().size(); ++k)
      set.add_atoms(setting.formulas().constructor(k, Side::Above).errs, setting.state());
    for (std::size_t c = 0; c < component.calls().size(); ++c)
      set.add_atoms(setting.formulas().call(c, Side::Above).errs, setting.state());
  }
  const WrittenPredicates& given = options.predicates;
  GamePredicates made{{}, {}, given.irrelevant};
  for (std::size_t i = 0; i < given.predicates.size(); ++i) {
    const Term p = given.predicates[i];
    if (never(setting, p) || never(setting, component.arena().negate(p)))
      made.constant.push_back(given.texts[i]);
    else
      set.add(p);
  }
  if (set.size() > most_predicates)
    return fail("{} predicates are too many: at most {}", set.size(), most_predicates);
  made.taken = set.all();
  return made;
}

Result<BooleanProgram> GamePredicates::program(PredicateSetting& setting) const {
  if (auto used = setting.use_invariants(taken); !used) return std::unexpected(used.error());
  return boolean_program(setting.component(), taken, setting.formulas().invariants(),
                         setting.solver());
}

std::string GamePredicates::left_out() const {
  std::string text;
  if (!constant.empty())
    text = "left out, as they have one value in every state: " + quoted(constant);
  if (!irrelevant.empty())
    text += (text.empty() ? "" : "; ") +
            std::string("left out, as no call depends on what they are about: ") +
            quoted(irrelevant);
  return text;
}

} // namespace tacit
