#!/usr/bin/env python3
"""The random testers, for as long as one likes, with seeds that no test has tried.

usage: fuzz.py [all|engines|readers|sources] [--hours H] [--seed N]

engines  random components: every engine that applies, in every reading of arguments, against each other, the reference
         and the checker; guarded protocols and combinations of options against concrete words
readers  damaged files for every reader (.tir, results, graphs and diagrams, expressions, class files, archives, images,
         contracts, traces, compile databases), and damaged programs and results for the commands
sources  random C, C++ and Java programs against what they do when they run

Rounds go on in turn until the time is up; then a table says what was tried. What was found stays in build/fuzz/: what
the tester said, and the inputs. Exit status 1 if anything was. The same N gives the same rounds.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "fuzz"
TESTS = ROOT / "build" / "test"
LIMIT = 1800  # seconds for one round


@dataclass
class Tester:
    """One kind of round; SEED, COUNT and FOLDER stand for themselves in the command."""

    part: str
    name: str
    command: list
    count: int
    rounds: int = 0
    inputs: int = 0
    seconds: float = 0
    found: int = 0


def unit(part, name, program, pattern, count):
    return Tester(part, name, [str(TESTS / program), f"--gtest_filter={pattern}"], count)


def script(part, name, path, count):
    return Tester(part, name, [sys.executable, str(ROOT / path), "SEED", "COUNT", "--keep", str(KEPT), "--jobs", "1"], count)


TESTERS = [
    unit("engines", "exact engines, readings, passes", "test_random", "Seeds/Direct*:Seeds/Engines*:Seeds/Passes*:Maps*:Random*", 240),
    unit("engines", "permissive and maymust", "test_random", "*Permissive*:*MayMust*:*Coarse*", 160),
    unit("engines", "game and enabledness", "test_random", "*Game*:*Epa*", 160),
    unit("engines", "heaps", "test_random", "HeapPasses*", 120),
    unit("engines", "guarded protocols", "test_guarded", "Parts/Synthesised*", 120),
    unit("engines", "options", "test_guarded", "Parts/Options*", 240),
    unit("readers", "texts, results, archives", "test_readers", "*", 400),
    unit("readers", "class files", "test_frontend_java", "Mutated*", 3000),
    Tester("readers", "commands", [sys.executable, str(ROOT / "tools" / "fuzz_commands.py"), "60", "SEED"], 1),
    script("sources", "C and C++", "test/e2e/c_random.py", 24),
    script("sources", "Java", "test/e2e/java_random.py", 24),
]


def play(tester, seed):
    """One round; what went wrong, or None."""
    begun = time.monotonic()
    places = {"SEED": str(seed), "COUNT": str(tester.count)}
    environment = {**os.environ, "TACIT_SEEDS": f"{seed}:{tester.count}", "TACIT": str(ROOT / "build" / "tacit"),
                   "TACIT_ROOT": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    wrong = None
    try:
        done = subprocess.run([places.get(a, a) for a in tester.command], capture_output=True, text=True, errors="replace",
                              check=False, env=environment, cwd=ROOT, timeout=LIMIT)
        said = done.stdout + done.stderr
        if done.returncode not in (0, 77):
            wrong = f"exit status {done.returncode}\n{said}"
        runs = re.search(r"^(\d+) runs, ", said, re.MULTILINE)
        tester.inputs += int(runs.group(1)) if runs else tester.count
    except subprocess.TimeoutExpired:
        wrong = f"takes longer than {LIMIT} s"
    tester.rounds += 1
    tester.seconds += time.monotonic() - begun
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", default="all", choices=["all", "engines", "readers", "sources"])
    parser.add_argument("--hours", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    options = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    testers = [t for t in TESTERS if options.part in ("all", t.part)]
    end = time.monotonic() + options.hours * 3600
    # Far from the seeds of the tests, which begin at 0.
    seed = 1_000_000 + options.seed * 10_000
    while time.monotonic() < end:
        tester = min(testers, key=lambda t: t.seconds)
        wrong = play(tester, seed)
        if wrong:
            tester.found += 1
            path = KEPT / f"{tester.part}-{seed}.txt"
            path.write_text(wrong)
            print(f"{tester.name}, seeds from {seed}: {path.relative_to(ROOT)}", flush=True)
        seed += tester.count
    print(f"{'part':8} {'tester':32} {'rounds':>6} {'inputs':>8} {'minutes':>8} {'found':>6}")
    for t in testers:
        print(f"{t.part:8} {t.name:32} {t.rounds:6} {t.inputs:8} {t.seconds / 60:8.1f} {t.found:6}")
    return 1 if any(t.found for t in testers) else 0


if __name__ == "__main__":
    sys.exit(main())
