#!/usr/bin/env python3
"""Random Java classes (test/tools/random_java.py): the JVM agrees with whatever is claimed as proved, on all words up to a
length, and nothing crashes or hangs. Needs javac; without it there is nothing to do.

Without arguments a fixed sample; with TACIT_FULL=1 some hundred classes. `java_random.py FIRST COUNT [--keep FOLDER]
[--length K] [--time S] [--batch N]` runs the classes of those seeds and keeps what is found."""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from _protocol import ROOT, TACIT, run_for

TOOLS = ROOT / "test" / "tools"
sys.path[:0] = [str(TOOLS), str(TOOLS / "java_harness")]
import harness  # noqa: E402  pylint: disable=wrong-import-position
import random_java  # noqa: E402  pylint: disable=wrong-import-position

FULL = os.environ.get("TACIT_FULL") == "1"
ERROR = "java.lang.IllegalStateException"


def synthesise(folder, name, seconds):
    """The result, or what went wrong."""
    out = folder / f"{name}.json"
    done = run_for([TACIT, "synth", str(folder / f"{name}.class"), "--arguments", "demonic", "--error", f"throws:{ERROR}",
                    "--time", str(seconds), "--quiet", "-o", str(out)], seconds * 6 + 60)
    if done is None:
        return None, "hangs"
    if done.returncode == 2 and "no code of" in done.stderr:
        return None, ""  # it is thrown in dead code only
    if done.returncode not in (0, 3) or not out.exists():
        return None, f"exit {done.returncode}: {done.stderr.strip()[:300]}"
    return json.loads(out.read_text()), ""


def native_words(folder, length, names):
    run = subprocess.run(["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", str(folder / "harness"), "Fresh", str(folder), str(length), *names],
                         capture_output=True, text=True, check=True)
    found, current = {}, None
    for line in run.stdout.splitlines():
        if line.startswith("== "):
            current = found.setdefault(line[3:], [])
        else:
            current.append(line)
    return {name: harness.parse_words(lines) for name, lines in found.items()}


def batch(seeds, options):
    """Problems by seed, and the verdicts."""
    problems, verdicts = {}, collections.Counter()
    with tempfile.TemporaryDirectory(prefix="tacit-java-") as made:
        folder = Path(made)
        sources = []
        for seed in seeds:
            sources.append(folder / f"R{seed}.java")
            sources[-1].write_text(random_java.generate(seed))
        (folder / "harness").mkdir()
        subprocess.run(["javac", "-nowarn", "-d", str(folder / "harness"), str(TOOLS / "java_harness" / "Fresh.java")], check=True)
        subprocess.run(["javac", "-g", "-nowarn", "-Xlint:none", "-d", str(folder), *map(str, sources)], check=True, capture_output=True)
        names = [f"R{seed}" for seed in seeds]
        words = native_words(folder, options.length, names)
        with ThreadPoolExecutor(max_workers=options.jobs) as pool:
            answers = list(pool.map(lambda n: synthesise(folder, n, options.time), names))
        for seed, name, (result, message) in zip(seeds, names, answers):
            found = [message] if message else []
            if result:
                verdict = result["verdict"]
                verdicts[verdict["safe"], verdict["permissive"]] += 1
                found += harness.compare(result, words[name])
            elif not message:
                verdicts["no error"] += 1
            if found:
                problems[seed] = found
                if options.keep:
                    Path(options.keep).mkdir(parents=True, exist_ok=True)
                    shutil.copy(folder / f"{name}.java", options.keep)
    return problems, verdicts


def main():
    if not shutil.which("javac") or not shutil.which("java"):
        print("no JDK here: skipped")
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("count", nargs="?", type=int, default=300 if FULL else 12)
    parser.add_argument("--keep")
    parser.add_argument("--length", type=int, default=4 if FULL else 3)
    parser.add_argument("--time", type=int, default=5 if FULL else 3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=50)
    options = parser.parse_args()
    failures, verdicts = 0, collections.Counter()
    for first in range(options.first, options.first + options.count, options.batch):
        seeds = range(first, min(first + options.batch, options.first + options.count))
        problems, told = batch(seeds, options)
        verdicts += told
        for seed, found in problems.items():
            failures += 1
            print(f"{seed}: {found[0]}", flush=True)
    print(f"{options.count} classes, {dict(verdicts)}, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
