#!/usr/bin/env python3
"""Random C modules, C handles and C++ classes (test/tools/random_c.py): native runs agree with whatever is claimed as proved,
the lowered text gives the same answer as the source, and nothing crashes or hangs.

Without arguments a fixed sample; with TACIT_FULL=1 several hundred programs. `c_random.py FIRST COUNT [--keep FOLDER]
[--verbose] [--length K] [--time S]` runs the programs of those seeds and keeps what is found.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from _protocol import ROOT, TACIT, run_for

sys.path.insert(0, str(ROOT / "test" / "tools"))
import native_harness  # noqa: E402  pylint: disable=wrong-import-position
import random_c  # noqa: E402  pylint: disable=wrong-import-position

# Debian's Clang has no sanitizers of its own.
SANITIZING = {".c": ["gcc", "-std=gnu17"], ".cpp": ["g++", "-std=c++20"]}
FULL = os.environ.get("TACIT_FULL") == "1"
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"]


def differ(one, other):
    """Whether two results that are proved say different things. Outcomes that cannot happen are left out only where there was time for it."""
    if [sorted(state["allows"]) for state in one["states"]] != [sorted(state["allows"]) for state in other["states"]]:
        return True
    moves = [sorted((t["from"], t["call"], t["outcome"], t["to"]) for t in r["transitions"]) for r in (one, other)]
    return one["verdict"]["full"] == other["verdict"]["full"] and moves[0] != moves[1]


def proved(result):
    return result["verdict"]["safe"] == result["verdict"]["permissive"] == "proved"


def run(arguments, limit):
    return run_for([TACIT, *arguments], limit, env={**os.environ, "LC_ALL": "C"})


def header(program):
    return f"/* tacit: {' '.join(program.options)}\n" + (f"   harness-kind: handle {program.subject}\n" if program.kind == "handle" else "") + \
        "".join(f"   harness: {s}\n" for s in program.samples) + f"   seed {program.seed} */\n"


def judge(program, path, folder, length, seconds, reread):
    """What is wrong with the answer for one program, and the result."""
    out = Path(folder) / "result.json"
    begun = time.monotonic()
    done = run(["synth", "--arguments", "demonic", str(path), *program.options, "--time", str(seconds), "-o", str(out)], seconds * 3 + 30)
    if done is None:
        return ["hangs"], None
    if done.returncode == 2 and ("the program has no exception" in done.stderr or "nothing counts as an error" in done.stderr):
        return [], None  # it is thrown in dead code only, or what is asserted is a constant
    if done.returncode not in (0, 3):
        return [f"exit {done.returncode}: {done.stderr.strip()[:300]}"], None
    result = json.loads(out.read_text())
    result["wall"] = time.monotonic() - begun
    problems = []
    for state in ("safe", "permissive", "full"):
        if result["verdict"][state] == "refuted" and state != "full":
            problems.append(f"{state} is refuted: {result['verdict']['details']}")
    if reread and done.returncode == 0:
        tir = Path(folder) / "lowered.tir"
        tir.write_text(result["component"]["tir"])
        errors = [
            word
            for spec in (e if isinstance(e, str) else e["error"] for e in result["errors"])
            for word in ("--error", spec if isinstance(spec, str) else spec["error"])
        ]
        more = program.options[-2:] if "--integers" in program.options[-2:] else []
        again = run(["synth", "--arguments", "demonic", str(tir), *errors, *more, "--time", str(seconds), "-o", str(folder) + "/again.json"], seconds * 3 + 30)
        if again is None or again.returncode not in (0, 3):
            problems.append(f"the lowered text: {again.stderr.strip()[:300] if again else 'hangs'}")
        elif again.returncode == 0:
            second = json.loads((Path(folder) / "again.json").read_text())
            if proved(result) and proved(second) and differ(result, second):
                problems.append("the lowered text gives another answer")
    if "proved" in (result["verdict"]["safe"], result["verdict"]["permissive"]):
        given = native_harness.parse_arguments(program.samples)
        native = native_harness.Native(path, result, folder, program.kind, program.subject, given)
        found, result["calls"] = native_harness.compare(native, result, length, most=3000, runs=40)
        if found:
            # Undefined behaviour would excuse everything.
            native = native_harness.Native(path, result, folder, program.kind, program.subject, given, SANITIZE, compilers=SANITIZING)
            found, _ = native_harness.compare(native, result, length, most=3000, runs=40)
        problems += found
    return problems, result


def check(seed, options):
    program = random_c.generate(seed)
    with tempfile.TemporaryDirectory(prefix="tacit-random-") as folder:
        path = Path(folder) / f"random{seed}{program.suffix}"
        path.write_text(header(program) + program.text)
        try:
            problems, result = judge(program, path, folder, options.length, options.time, seed % 3 == 0)
        except (subprocess.CalledProcessError, ValueError, KeyError) as error:
            problems, result = [f"{type(error).__name__}: {error}"], None
        if problems and options.keep:
            Path(options.keep).mkdir(parents=True, exist_ok=True)
            (Path(options.keep) / path.name).write_text(path.read_text())
    return problems, result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("count", nargs="?", type=int, default=600 if FULL else 24)
    parser.add_argument("--keep")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--length", type=int, default=4)
    parser.add_argument("--time", type=int, default=5 if FULL else 2)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    failures, verdicts, reasons = 0, collections.Counter(), collections.Counter()
    calls = 0
    seeds = range(options.first, options.first + options.count)
    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        for seed, (problems, result) in zip(seeds, pool.map(lambda s: check(s, options), seeds)):
            for problem in problems[:3]:
                failures += 1
                print(f"{seed}: {problem}", flush=True)
            if result is None:
                continue
            calls += result.get("calls", 0)
            claims = tuple(result["verdict"][claim] for claim in ("safe", "permissive"))
            verdicts[claims] += 1
            if claims != ("proved", "proved"):
                for text in result["verdict"]["details"].values():
                    reasons[re.sub(r"'[^']*'|\d+", "_", str(text))[:150]] += 1
            if options.verbose:
                print(f"{seed}: {len(result['states'])} states, {' '.join(claims)}, {result['wall']:.1f} s {result['engine']} "
                      f"{result['verdict']['details'] if claims != ('proved', 'proved') else ''}", flush=True)
    print(f"{options.count} programs, {calls} native calls, {failures} findings")
    for claims, n in verdicts.most_common():
        print(f"  safe {claims[0]}, permissive {claims[1]}: {n}")
    for reason, n in reasons.most_common(12):
        print(f"  {n} times: {reason}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
