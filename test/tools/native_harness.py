#!/usr/bin/env python3
"""Runs a C or C++ component natively and compares it with an interface that Tacit computed for it.

A driver is generated that includes the source, starts the component and makes calls with sample arguments, every word
in a process of its own. What the runs show is held against the claims of the result:

  safe        a call that the interface allows does not err in any run;
  permissive  a call that it refuses errs in some run of the same letters, with some sample argument;
  full        every outcome that was seen is one that the interface lists.

Use it as a module (`compare`), or: native_harness.py SOURCE RESULT.json [--class C | --handle S] [--length K]
[--arguments 'call: 1, 2 | 3, 4']… [--flags '…'] [--libs '…'].
"""

import argparse
import collections
import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILERS = {".c": ["clang-19", "-std=gnu17"], ".cpp": ["clang++-19", "-std=c++20"]}
SAMPLES = {"bool": ["false", "true"], "int": ["0", "1", "2", "-1"]}

DRIVER = r"""
@HEAD@
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
@SUPPORT@
static FILE *tacit_out;
static void tacit_aborted(int s) { fprintf(tacit_out, "error:abort"); fflush(tacit_out); _exit(3 + 0 * s); }
@BODY@
int main(void) {
  static char line[4096];
  tacit_out = fdopen(dup(1), "w");
  if (!freopen("/dev/null", "w", stderr)) return 9;
  while (fgets(line, sizeof line, stdin)) {
    fflush(tacit_out);
    pid_t child = fork();
    if (child == 0) {
      signal(SIGABRT, tacit_aborted);
      signal(SIGVTALRM, tacit_aborted);
      signal(SIGALRM, tacit_aborted);
      struct itimerval five = {{0, 0}, {5, 0}}; // of processor time: the machine may be busy
      setitimer(ITIMER_VIRTUAL, &five, NULL);
      alarm(60);
      tacit_word(line);
      fflush(tacit_out);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) fprintf(tacit_out, "crash:%d", WTERMSIG(status));
    fprintf(tacit_out, "\n");
  }
  fflush(tacit_out);
  return 0;
}
"""

SUPPORT_CPP = r"""
#include <cxxabi.h>
#include <exception>
#include <type_traits>
#include <typeinfo>
static void tacit_print_exception() {
  int status = 0;
  char *name = abi::__cxa_demangle(abi::__cxa_current_exception_type()->name(), nullptr, nullptr, &status);
  fprintf(tacit_out, "throws=%s ", name);
}
template <class T> void tacit_print(const T &value) {
  if constexpr (std::is_same_v<T, bool>) fprintf(tacit_out, "returns=%s ", value ? "true" : "false");
  else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) fprintf(tacit_out, "returns=%lld ", (long long)value);
  else fprintf(tacit_out, "returns ");
}
"""


def signatures(result):
    """Name, parameter types and result type of each procedure of the lowered component."""
    found = {"method": {}, "constructor": {}}
    for kind, name, parameters, rest in re.findall(r"^(method|constructor) (`[^`]*`|[\w.$~]+)\((.*)\)( : [^{]*?)?(?: requires.*)? \{$",
                                                   result["component"]["tir"], flags=re.M):
        types = [p.split(" : ", 1)[1] for p in re.split(r", (?=[\w.$`]+ : )", parameters)] if parameters else []
        found[kind][name.strip("`")] = (types, rest[3:].strip() if rest else None)
    return found


def enumerators(result):
    values = {}
    for body in re.findall(r"^enum \S+(?: : int)? \{ (.*) \}$", result["component"]["tir"], flags=re.M):
        n = -1
        for entry in body.split(", "):
            name, _, number = entry.partition(" = ")
            n = int(number) if number else n + 1
            values[name] = n
    return values


def sample_arguments(name, types, given):
    if name in given:
        return given[name]
    choices = []
    for t in types:
        key = "bool" if t == "bool" else "int" if t.startswith("int") else None
        if key is None:
            return None
        samples = SAMPLES[key]
        if t.startswith("int [0"):
            samples = [s for s in samples if not s.startswith("-")]
        choices.append(samples)
    return [list(c) for c in itertools.product(*choices)][:16]


class Native:
    """The compiled driver of one component."""

    def __init__(self, source, result, folder, kind, subject, given=None, flags=(), libraries=(), compilers=None):
        self.given = given or {}
        self.enumerators = enumerators(result)
        procedures = signatures(result)
        self.calls, self.starts = [], []
        initial = [entry["constructor"] for entry in result["initial"]]
        for name in result["methods"]:
            types, returns = procedures["method"].get(name, ([], None))
            samples = sample_arguments(name, types, self.given)
            if samples is not None:
                self.calls += [(name, arguments, returns) for arguments in samples]
        for name in initial:
            types, _ = procedures["constructor"].get(name, ([], None))
            samples = sample_arguments(name, types, self.given)
            if samples is not None:
                self.starts += [(name, arguments) for arguments in samples]
        self.errors = [e if isinstance(e, str) else e["error"] for e in result["errors"]]
        suffix = Path(source).suffix
        code = self.driver(Path(source).resolve(), suffix, kind, subject)
        text = Path(folder) / f"driver{suffix}"
        text.write_text(code)
        self.program = Path(folder) / "driver"
        subprocess.run([*(compilers or COMPILERS)[suffix], "-w", "-UNDEBUG", *flags, str(text), "-o", str(self.program), *libraries], check=True)

    def driver(self, source, suffix, kind, subject):
        cpp = suffix != ".c"
        lines = []
        for i, (name, arguments, returns) in enumerate(self.calls):
            bare = name.split("(")[0]
            if kind == "class":
                bare = "operator bool" if bare == "operatorbool" else bare
                expression = f"object.{bare}({', '.join(arguments)})"
            else:
                expression = f"{bare}({', '.join((['&handle'] if kind == 'handle' else []) + arguments)})"
            value = returns is not None
            if cpp:
                one = f"auto value = {expression}; tacit_print(value);" if value else f"{expression}; fprintf(tacit_out, \"returns \");"
                lines.append(f"case {i}: try {{ {one} }} catch (...) {{ tacit_print_exception(); }} break;")
            elif value and returns != "ref":
                lines.append(f"case {i}: fprintf(tacit_out, \"returns=%lld \", (long long)({expression})); break;")
            else:
                lines.append(f"case {i}: {expression}; fprintf(tacit_out, \"returns \"); break;")
        body = []
        steps = "\n      ".join(lines)
        loop = f"""for (char *word = strtok(NULL, " \\n"); word; word = strtok(NULL, " \\n")) {{
      switch (atoi(word)) {{
      {steps}
      }}
      fflush(tacit_out);
    }}"""
        cases = []
        for i, (name, arguments) in enumerate(self.starts):
            if kind == "class":
                cases.append(f"case {i}: try {{ {subject} object{'{' + ', '.join(arguments) + '}' if arguments else ''}; "
                             f"fprintf(tacit_out, \"returns \"); {loop} _exit(0 * fflush(tacit_out)); }} "
                             f"catch (...) {{ tacit_print_exception(); }} break;")
            elif kind == "handle":
                known = name in [n for n, _ in self.starts] and (arguments or True)
                start = f"{name}({', '.join(['&handle'] + arguments)});" if known and name != subject.split()[-1] else ""
                cases.append(f"case {i}: {{ static {subject} handle; {start} fprintf(tacit_out, \"returns \"); {loop} }} break;")
            else:
                cases.append(f"case {i}: fprintf(tacit_out, \"returns \"); {loop} break;")
        newline = "\n  "
        body = f"""static void tacit_word(char *line) {{
  switch (atoi(strtok(line, " \\n"))) {{
  {newline.join(cases)}
  }}
}}"""
        support = SUPPORT_CPP if cpp else ""
        head = f'#include "{source}"'
        text = DRIVER.replace("@HEAD@", head).replace("@BODY@", body)
        # The support code prints through the driver's own stream.
        return text.replace("@SUPPORT@\nstatic FILE *tacit_out;", "static FILE *tacit_out;\n" + support)

    def run(self, words):
        text = "".join(" ".join(map(str, word)) + "\n" for word in words)
        done = subprocess.run([str(self.program)], input=text, capture_output=True, text=True, check=True)
        return [line.split() for line in done.stdout.split("\n")[: len(words)]]

    def is_error(self, outcome, call):
        if outcome.startswith(("error:", "crash:")):
            return True
        for spec in self.errors:
            method, _, rest = spec.partition("=returns:") if "=returns:" in spec else ("", "", "")
            if spec.startswith("throws:") and outcome.startswith("throws="):
                wanted = spec[len("throws:"):].split("@")[0]
                name = outcome[len("throws="):]
                if wanted == "*" or name == wanted or name.endswith("::" + wanted) or wanted.endswith("::" + name):
                    return True
            if spec.startswith("returns:") or (rest and method == call):
                condition = rest or spec[len("returns:"):]
                value = outcome.partition("=")[2]
                if re.fullmatch(r"-?\d+", value):
                    number = self.enumerators.get(condition, condition)
                    test = str(number) if re.match(r"[<>=!]", str(number)) else f"== {number}"
                    if eval(f"{value} {test}", {}, {}):  # pylint: disable=eval-used
                        return True
        return False

    def fits(self, seen, listed):
        """Whether an outcome that was seen is the one that an interface lists."""
        if listed in ("any", seen) or (listed == "returns" and seen.startswith("returns")):
            return True
        if listed.startswith("throws=") and seen.startswith("throws="):
            return seen.split("::")[-1].split("=")[-1] == listed[len("throws="):] or listed == "throws=foreign_exception"
        if listed.startswith("returns=") and seen.startswith("returns="):
            name, value = listed[len("returns="):], seen[len("returns="):]
            if name in ("true", "false"):
                return value == name or value == str(int(name == "true"))
            return name in self.enumerators and str(self.enumerators[name]) == value
        return False


def compare(native, result, length, most=40000, runs=6):
    """Descriptions of disagreements, and how many calls were made: at most so many of one length, so many runs of a word.
    Where runs are left out, refusals are not judged."""
    verdict = result["verdict"]
    allows = {state["id"]: set(state["allows"]) for state in result["states"]}
    moves = collections.defaultdict(list)
    for t in result["transitions"]:
        moves[t["from"], t["call"]].append((t["outcome"], t["to"]))
    start_of = {entry["constructor"]: entry["state"] for entry in result["initial"]}
    problems, calls = [], 0
    # A prefix is a native run that is legal so far: letters, state of the interface, numbers of the calls made.
    prefixes = [((name,), start_of[name], (i,)) for i, (name, _) in enumerate(native.starts) if start_of.get(name) is not None]
    begun = native.run([numbers for _, _, numbers in prefixes])
    prefixes = [p for p, seen in zip(prefixes, begun) if seen and seen[0] == "returns"]
    for _ in range(length):
        words = [(letters, state, numbers + (i,)) for letters, state, numbers in prefixes for i in range(len(native.calls))]
        thinned = len(words) > most
        if thinned:
            words = words[:: len(words) // most + 1]
        answers = native.run([numbers for _, _, numbers in words])
        calls += len(words)
        refused = collections.defaultdict(bool)
        following = {}
        for (letters, state, numbers), seen in zip(words, answers):
            call = native.calls[numbers[-1]][0]
            outcome = seen[-1] if len(seen) == len(numbers) else "crash:early"
            erred = native.is_error(outcome, call)
            if call not in allows[state]:
                refused[letters, call] |= erred
                continue
            word = " ".join(letters[1:] + (call,))
            if erred:
                if verdict["safe"] == "proved":
                    problems.append(f"allowed but errs: {word}: {outcome}")
                continue
            targets = [(to, listed) for listed, to in moves[state, call] if native.fits(outcome, listed)]
            if not targets:
                targets = [(to, listed) for listed, to in moves[state, call]
                           if listed == "returns=other" and outcome.startswith("returns=")]
            if not targets:
                if verdict["safe"] == "proved":
                    problems.append(f"outcome not listed: {word}: {outcome}")
                continue
            to, listed = targets[0]
            following.setdefault((letters + (f"{call}:{listed}",), to, numbers), None)
        if verdict["permissive"] == "proved" and not thinned:
            for (letters, call), erred in refused.items():
                if not erred:
                    problems.append(f"refused but no sample errs: {' '.join(letters[1:] + (call,))}")
        # A few runs of each word are enough to go on from.
        by_word = collections.defaultdict(list)
        for entry in following:
            by_word[entry[0]].append(entry)
        prefixes = [entry for entries in by_word.values() for entry in (entries if len(entries) <= runs else entries[: runs // 2] + entries[-(runs // 2):])]
        if not prefixes or len(problems) > 20:
            break
    return problems, calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("result")
    parser.add_argument("--class", dest="cls")
    parser.add_argument("--handle")
    parser.add_argument("--length", type=int, default=3)
    parser.add_argument("--arguments", action="append", default=[])
    parser.add_argument("--flags", default="")
    parser.add_argument("--libs", default="")
    options = parser.parse_args()
    given = parse_arguments(options.arguments)
    result = json.loads(Path(options.result).read_text())
    kind = "class" if options.cls else "handle" if options.handle else "module"
    with tempfile.TemporaryDirectory(prefix="tacit-native-") as folder:
        native = Native(options.source, result, folder, kind, options.cls or options.handle, given, options.flags.split(),
                        options.libs.split())
        problems, calls = compare(native, result, options.length)
    for problem in problems:
        print(problem)
    print(f"{calls} native calls, {len(problems)} disagreements")
    return 1 if problems else 0


def parse_arguments(texts):
    given = {}
    for text in texts:
        name, _, rest = text.partition(": ")
        given[name.strip()] = [[a.strip() for a in group.split(",") if a.strip()] for group in rest.split("|")]
    return given


if __name__ == "__main__":
    sys.exit(main())
