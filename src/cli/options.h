// The one table of options: parsing, help, completion and the manual are made from it. A script
// checks that every option is read somewhere.
#pragma once

#include <array>
#include <string_view>

namespace tacit {

/// Commands an option belongs to, as bits.
enum CommandSet : unsigned {
  ForInspect = 1,
  ForLower = 2,
  ForSynth = 4,
  ForShow = 8,
  ForVerify = 16,
  ForReplay = 32,
  ForDiff = 64,
  ForBench = 128,
  ForCompletion = 256,
  ForMan = 512,
  ForEpa = 1024,
  ForScan = 2048,
  ForCheck = 4096,
  ForTests = 8192,
  ForComponents = ForSynth | ForEpa,
  ForSources = ForInspect | ForLower | ForComponents,
  ForLowering = ForSources | ForVerify,
};

struct OptionSpec {
  std::string_view name;
  std::string_view argument; // empty: a flag
  unsigned commands = 0;
  bool repeatable = false;
  std::string_view help;
};

inline constexpr std::array option_table = std::to_array<OptionSpec>({
    {"--all-errors", "", ForSynth, false,
     "refuse calls that may err whatever the client does, instead of setting such sites aside"},
    {"--annotate", "FILE", ForEpa, false,
     "write the program with the requires clauses and the invariant that were used"},
    {"--arguments", "guarded|demonic|angelic", ForSynth | ForScan | ForVerify, false,
     "how arguments are read (default guarded: argument by argument; demonic: a call errs if one "
     "does)"},
    {"--as", "FORM", ForShow | ForDiff | ForReplay | ForInspect | ForCheck, false,
     "written form: text (default), html, …; an unknown one lists them all; inspect, replay and "
     "diff have json, check sarif"},
    {"--assume", "'CALL: COND'", ForComponents, true,
     "restrict the arguments of a call; listed as an assumption"},
    {"--assumptions", "", ForShow, false, "list every assumption, where several are one line"},
    {"--baseline", "FILE", ForCheck, false, "violations that are known and do not count"},
    {"--blind", "CALLS", ForSynth | ForLower | ForVerify, true,
     "hide the outcomes of these calls from the client"},
    {"--changed-since", "REVISION", ForScan, false,
     "only units that git says changed since then, and all when a header did"},
    {"--class", "NAME", ForLowering | ForScan | ForCheck | ForTests, false,
     "the class: ns::Name, java.util.ArrayList$ListItr; inspect takes wildcards for Java, scan for "
     "all"},
    {"--collect", "", ForScan, false, "make the site from what is in the folder, do nothing else"},
    {"--constructor", "NAMES", ForLowering | ForReplay, true,
     "use only these constructors; in C, the functions that start the component"},
    {"--contracts", "FILE", ForLowering | ForScan, true,
     "what opaque callees do: extern items as in .tir; 'none' drops the standard ones for Java"},
    {"--coverage", "", ForTests, false,
     "say what the tests cover, and what they do not and why, instead of writing them"},
    {"--database", "FOLDER", ForLowering | ForTests, false,
     "C and C++: where compile_commands.json is (-p); else it is looked for, also in build*"},
    {"--decompose", "", ForSynth, false, "also give one interface per error property"},
    {"--engine", "NAME", ForSynth | ForScan, false,
     "which algorithm to use: auto (default), direct, learn, cegar, permissive, maymust, game"},
    {"--error", "SPEC", ForComponents | ForLower | ForScan | ForVerify, true,
     "what counts as an error: assert, throws:TYPE, returns:COND, METHODS=returns:COND, reach:F, "
     "state:COND, error:NAME"},
    {"--evidence", "FOLDER", ForCheck, false,
     "write what proves that functions follow there, for 'tacit verify'"},
    {"--explain", "", ForComponents | ForVerify, false, "tell the run of the engine step by step"},
    {"--fact", "'CALLS: COND'", ForEpa, true,
     "holds in states that enable exactly these calls (a pseudo-invariant)"},
    {"--full", "", ForSynth, false, "also leave out exactly the outcomes that cannot happen"},
    {"--handle", "STRUCT", ForLowering | ForCheck | ForTests, false,
     "C: the struct whose pointer the functions take first"},
    {"--integers", "math|machine", ForComponents | ForScan, false,
     "mathematical integers (default) or machine arithmetic"},
    {"--intended", "REGEX", ForDiff, false,
     "what the protocol should be, in place of a file: 'open (read | write)* close'"},
    {"--invariant", "COND", ForEpa, true, "holds between calls, besides what the program says"},
    {"--json", "", ForBench, false, "suites engines and scaling: figures as one array of objects"},
    {"--learner", "tree|table", ForSynth, false,
     "how 'learn', 'maymust' (default tree) and 'game' (default table) learn"},
    {"--letter", "'NAME = CALL when COND'", ForComponents | ForVerify, true,
     "split a call by its arguments"},
    {"--memory", "MIB", ForComponents | ForScan, false, "stop when this much memory is in use"},
    {"--methods", "NAMES", ForLowering, true,
     "only these methods; commas separate, * is a wildcard"},
    {"--must-allow", "WORD", ForSynth, true,
     "engine 'game': a word that should be legal, as 'next remove'; it is checked, and learnt "
     "from"},
    {"--must-end", "END", ForCheck, true,
     "objects must end in this state, or where this call is not wanted any more (C, C++)"},
    {"--no-check", "", ForSynth | ForEpa, false,
     "do not re-check the evidence; synth then claims nothing as proved"},
    {"--no-pruning", "", ForEpa, false,
     "with --search candidates: try every set of calls, not only those that may be enabled"},
    {"--output", "FILE", ForSources | ForShow | ForDiff | ForScan | ForCheck | ForTests | ForVerify,
     false, "write here instead of standard output (-o)"},
    {"--own", "PATTERN", ForLowering | ForScan, true,
     "further classes and functions that are the component's own code; * is a wildcard"},
    {"--partition", "", ForSynth, false,
     "also give one interface per group of calls that share state"},
    {"--planned", "", ForScan, false, "take the plan that is in the folder"},
    {"--predicate", "EXPR", ForSynth | ForLower, true,
     "what 'game' knows of the state (default: the guards of errors), and 'permissive' tries "
     "first; with lower, print the Boolean program"},
    {"--print", "FAMILY", ForBench, false,
     "print the .tir of a family instead of measuring; K follows"},
    {"--prove", "", ForVerify, false,
     "prove a protocol that has no evidence: a result, or a drawing or automaton with its sources"},
    {"--queries", "NUMBER", ForComponents, false,
     "stop after this many solver queries with the best bounds so far"},
    {"--quiet", "", ForComponents | ForVerify | ForReplay | ForDiff | ForScan | ForCheck | ForTests,
     false, "say nothing that is not asked for"},
    {"--reachable", "", ForEpa, false,
     "take successors of reachable states, not of all states of the invariant"},
    {"--reentrant", "", ForLowering, false,
     "opaque callees that get the object may write its fields and call it back"},
    {"--refine", "wp|wp+craig|refine-may|learn-reuse", ForSynth, false,
     "how 'maymust' finds predicates, and whether it learns anew (default learn-reuse)"},
    {"--reject", "OUTCOME", ForSynth, true,
     "an outcome that means the arguments were refused (angelic)"},
    {"--representation", "explicit|bdd", ForSynth, false,
     "how finite state spaces are held (default explicit)"},
    {"--requires", "given|mined|both", ForEpa, false,
     "where requires clauses come from (default given, or mined where there are none)"},
    {"--search", "models|candidates", ForEpa, false,
     "ask for successors (default), or try candidates one by one as the paper does"},
    {"--seed", "OLD.json", ForSynth, false,
     "let 'maymust' or 'permissive' start from what an older result knows"},
    {"--serial", "", ForSynth, false, "also remove states from which no infinite safe use exists"},
    {"--shard", "K/N", ForScan, false,
     "do every N-th task, from the K-th on; --collect makes the site when all are done"},
    {"--slurm", "OPTIONS", ForScan, false,
     "let a job array of Slurm do the tasks; options are for sbatch"},
    {"--source", "", ForVerify, false,
     "lower the sources again (those given, or those that the result names) and compare"},
    {"--stats", "", ForComponents, false,
     "figures of the run: times in the result, and what took them"},
    {"--time", "SECONDS", ForComponents | ForVerify | ForBench | ForScan | ForCheck, false,
     "stop after this time with the best bounds so far (default for synth: 60; for scan: 10, "
     "each)"},
    {"--trace", "FILE", ForReplay, false,
     "follow recorded words, one JSON object a line, instead of letters"},
    {"--translated-errors", "", ForComponents, false,
     "count failures of opaque callees that own code passes on"},
    {"--why-not", "'STATE CALL STATE'", ForEpa, true,
     "say why there is no such transition, as in 'S1 remove S0'"},
    {"--write-baseline", "FILE", ForCheck, false, "write the violations that were found here"},
    {"--workers", "NUMBER", ForEpa | ForBench | ForScan, false,
     "threads that ask (default 1); of scan, processes (default: as many as cores)"},
});

} // namespace tacit
