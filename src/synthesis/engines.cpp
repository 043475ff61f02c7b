#include "synthesis/engines.h"
#include "synthesis/auto.h"
#include "synthesis/finite/cegar.h"
#include "synthesis/finite/direct.h"
#include "synthesis/finite/learn.h"
#include "synthesis/game/game.h"
#include "synthesis/predicate/maymust.h"
#include "synthesis/predicate/permissive.h"

namespace tacit {

const std::vector<Engine>& engines() {
  using enum EngineOption;
  // Finite engines give full interfaces whether asked or not.
  static const std::vector<Engine> all = {
      {"auto",
       "let the algorithms below take turns; the default",
       synthesise_auto,
       {Full, Learner},
       "permissive"},
      {"direct",
       "explore every state of a finite component, prune and minimise",
       synthesise_direct,
       {Full, Representation}},
      {"learn",
       "learn the interface of a finite component from questions",
       synthesise_learn,
       {Full, Representation, Learner}},
      {"cegar",
       "hide the variables of a finite component that do not matter",
       synthesise_cegar,
       {Full, Representation, Bits}},
      {"permissive",
       "two refined predicate abstractions, for components with unbounded state",
       synthesise_permissive,
       {Full, Seed, Predicates}},
      {"maymust",
       "learn the minimal interface over may and must abstractions, for unbounded state",
       synthesise_maymust,
       {Full, Learner, Refinement, Seed}},
      {"game",
       "a game with partial information on predicates that are given, solved by learning",
       synthesise_game,
       {Learner, Predicates, MustAllow}},
  };
  return all;
}

const Engine* find_engine(std::string_view name) {
  for (const Engine& e : engines())
    if (e.name == name) return &e;
  return nullptr;
}

} // namespace tacit
