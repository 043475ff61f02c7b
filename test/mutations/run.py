#!/usr/bin/env python3
"""Do the testers find mistakes that somebody put in? Each of mistakes.py is turned on in turn, and the testers of its part run
until one of them complains. What a tester says counts when it says nothing with the mistake turned off, right after. One that
does not come to its end in time has not complained: the machine may be busy.

usage: run.py --tree FOLDER --switches      puts all mistakes into that copy of the project, each behind a switch
       run.py --tree FOLDER [--only TEXT] [--limit SECONDS] [--report FILE]
                                            runs the testers of the copy, which has been built by then

All are built once: a mistake is on when TACIT_MUTANT is its number. The report is a table; exit status 1 when fewer than
85 % were found, or when a tester complains with none turned on.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from mistakes import CHECKER, CPP, ENGINE, JAVA, MUTATIONS, PASS

HEADER = """// Mistakes that were put in on purpose (test/mutations).
#pragma once

#include <cstdlib>

namespace tacit {
inline bool mutant(int number) {
  static const int wanted = std::getenv("TACIT_MUTANT") ? std::atoi(std::getenv("TACIT_MUTANT")) : 0;
  return wanted == number;
}
} // namespace tacit
"""


def put_in(tree):
    (tree / "src/base/mutant.h").write_text(HEADER)
    texts = {}
    for number, (name, _, file, old, new) in enumerate(MUTATIONS, 1):
        text = texts.setdefault(file, (tree / file).read_text())
        if text.count(old) != 1:
            sys.exit(f"{name}: stands {text.count(old)} times in {file}")
        texts[file] = text.replace(old, re.sub(r"\bM\b", f"tacit::mutant({number})", new.replace("OLD", old)))
    for file, text in texts.items():
        (tree / file).write_text('#include "base/mutant.h"\n' + text)
    print(f"{len(MUTATIONS)} mistakes in {len(texts)} files")


TOO_LONG = "does not end in time"


def unit(program, pattern):
    return (f"{program} {pattern}", [f"build/test/{program}", f"--gtest_filter={pattern}", "--gtest_fail_fast"])


def whole(program, pattern):
    """All that the test can do; the limit ends it."""
    label, command = unit(program, pattern)
    return (label + ", whole", ["env", "TACIT_FULL=1", *command])


def script(path, *arguments):
    return (path, [sys.executable, path, *arguments])


def cases(*names):
    return ("test/run_cases.py", [sys.executable, "test/run_cases.py", *(f"test/cases/{name}" for name in names)])


GUARDED = cases("sum_of_current", "moving_place", "refused_whatever_the_key", "track_stack", "track_values_by_key", "slot_table",
                "undo_groups", "loop_counts", "loop_without_bound", "letters_split", "blind_result", "replay_guarded", "elements_on_stack")


RANDOM = unit("test_random", "Seeds/Direct*:Seeds/Engines*:*Permissive*:*MayMust*:*Game*:Random*")
TESTERS = {
    ENGINE: [RANDOM, unit("test_guarded", "Parts/*"), unit("test_abstraction_formula", "*"), unit("test_pipeline", "*"),
             GUARDED, whole("test_random", "Seeds/Direct*:Seeds/Engines*")],
    CHECKER: [unit("test_guarded", "RandomGuarded*:All/*Rejects*:Forged*"), unit("test_mutation", "*"), unit("test_check", "*")],
    PASS: [unit("test_random", "Seeds/Passes*"), unit("test_guarded", "Parts/Options*"), unit("test_program_passes", "*"),
           GUARDED, script("test/e2e/c_random.py", "0", "24", "--jobs", "1")],
    CPP: [cases("cpp_handlers", "cpp_lent", "cpp_lent_written_through", "cpp_stack_apart"),
          script("test/e2e/c_torture.py"), script("test/e2e/c_probes.py"), script("test/e2e/c_random.py", "0", "60", "--jobs", "1")],
    JAVA: [script("test/e2e/java_torture.py"),
           script("test/e2e/java_probes.py", "test/java/probes/ShiftNegative.java", "test/java/probes/ShiftMask.java"), script("test/e2e/java_random.py", "0", "24", "--jobs", "1")],
}


def complaint(tree, tester, number, limit):
    """What it said, None for nothing, TOO_LONG when it had not come to its end."""
    environment = {**os.environ, "TACIT_MUTANT": str(number), "TACIT": str(tree / "build/tacit"), "TACIT_ROOT": str(tree)}
    with subprocess.Popen(tester, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", cwd=tree, env=environment,
                          start_new_session=True) as running:
        try:
            said, _ = running.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)  # with what it has started
            return TOO_LONG
    return None if running.returncode in (0, 77) else said[-600:]


def finder(tree, part, number, limit):
    """The tester that complains of a mistake and says nothing without it; the reason when there is none."""
    begun, open_ends = time.monotonic(), []
    for label, command in TESTERS[part]:
        left = limit - (time.monotonic() - begun)
        said = complaint(tree, command, number, left) if left > 0 else TOO_LONG
        if said == TOO_LONG:
            open_ends.append(label)
        elif said and complaint(tree, command, 0, 10 * limit) is None:
            return label, True
    return "not found" + (f" ({', '.join(open_ends)}: {TOO_LONG})" if open_ends else ""), False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", required=True, type=Path)
    parser.add_argument("--switches", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    tree = options.tree.resolve()
    if options.switches:
        return put_in(tree)
    lines, found, tried, sound = [], 0, 0, True
    chosen = [(n, m) for n, m in enumerate(MUTATIONS, 1) if options.only in m[0] or options.only == m[1]]
    for part in sorted({m[1] for _, m in chosen}):
        for label, command in TESTERS[part]:
            if (said := complaint(tree, command, 0, 10 * options.limit)) not in (None, TOO_LONG):
                sound = False
                print(f"{label} complains without any mistake:\n{said}", flush=True)
    for number, (name, part, *_) in chosen:
        begun = time.monotonic()
        by, was_found = finder(tree, part, number, options.limit)
        tried += 1
        found += was_found
        lines.append(f"| {name} | {part} | {by} | {time.monotonic() - begun:.0f} |")
        print(lines[-1], flush=True)
    print(f"{found} of {tried} found")
    if options.report:
        options.report.write_text("| mistake | in | found by | seconds |\n|---|---|---|---|\n" + "\n".join(lines) + "\n")
    return 0 if sound and found >= 0.85 * tried else 1


if __name__ == "__main__":
    sys.exit(main())
