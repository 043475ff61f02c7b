#!/usr/bin/env python3
"""Do limits hold? Runs `tacit synth` with --time or --memory on many components and lists the runs that went over.

  budgets.py [--time 5 | --memory 1000] [--over X] [FOLDER…]

Subjects: the probes, torture files and examples of the project, and FOLDERs of components with an about.json (class or handle,
constructors, error). A run is over when it takes more than X seconds, or more than X MiB at its peak (default: the limit and
a fifth in time, a tenth in memory). Time is the smaller of the time on the wall and that of the processor: the machine may be
busy. Exit status 1 when one is over."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(os.environ.get("TACIT_ROOT", Path(__file__).resolve().parents[2]))
TACIT = os.path.abspath(os.environ.get("TACIT", ROOT / "build" / "tacit"))


def compiled(sources, folder):
    """One folder of class files for each, since names of classes repeat."""
    folder.mkdir(parents=True)
    done = subprocess.run(["javac", "-g", "-nowarn", "-d", folder, *sources], capture_output=True, check=False)
    return folder if done.returncode == 0 else None


def of_about(place, folder):
    about = json.loads((place / "about.json").read_text())
    errors = [word for spec in about["error"]["machine"] for word in ("--error", spec)]
    files = sorted(str(f) for f in place.rglob("*") if f.suffix in (".c", ".cpp", ".java"))
    if files and files[0].endswith(".java"):
        made = compiled(files, folder / place.name)
        if made is None:
            return None
        return [*map(str, made.rglob("*.class")), "--class", about["class"], *errors]
    which = ["--handle", about["handle"]] if about.get("handle") else ["--class", about["class"]] if about.get("class") else []
    starts = [word for name in about.get("constructors", []) if about.get("handle") for word in ("--constructor", name)]
    return [*files, *which, *starts, *errors]


def subjects(places, folder):
    """Names and arguments."""
    for place in places:
        for about in sorted(place.rglob("about.json")):
            arguments = of_about(about.parent, folder)
            if arguments:
                yield about.parent.name, arguments
    for path in sorted([*(ROOT / "test/probes").iterdir(), *(ROOT / "test/torture").iterdir()]):
        if path.suffix in (".c", ".cpp"):
            text = path.read_text()
            more = re.search(r"tacit: (.*)", text[:600])
            options = more.group(1).strip().rstrip("*/").split() if more else []
            yield path.name, [str(path), *options, *(["--class", "T"] if path.suffix == ".cpp" and "--class" not in options else [])]
    for path in sorted((ROOT / "examples").rglob("*.tir")):
        yield path.name, [str(path)]
    classes = {}
    for part in ("torture", "probes"):
        classes[part] = compiled(sorted(map(str, (ROOT / "test/java" / part).glob("*.java"))), folder / part)
        for path in sorted((ROOT / "test/java" / part).glob("*.java")) if classes[part] else []:
            yield path.name, [str(classes[part] / f"{path.stem}.class"), "--error", "throws:java.lang.IllegalStateException"]


def measured(arguments, options):
    """Status, seconds, MiB."""
    begun = time.monotonic()
    with subprocess.Popen([TACIT, "synth", *arguments, *options, "--quiet", "-o", "/dev/null"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as run:
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    return run.returncode, min(time.monotonic() - begun, used.ru_utime + used.ru_stime), used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--time", type=float, default=5)
    parser.add_argument("--memory", type=float)
    parser.add_argument("--over", type=float)
    given = parser.parse_args()
    most = given.over or (given.memory * 1.1 if given.memory else given.time * 1.2)
    options = ["--memory", f"{given.memory:g}", "--time", "60"] if given.memory else ["--time", f"{given.time:g}"]
    runs, over, largest = 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="tacit-budgets-") as folder:
        for name, arguments in subjects(given.folders, Path(folder)):
            status, seconds, memory = measured(arguments, options)
            value = memory if given.memory else seconds
            runs += 1
            largest = max(largest, value)
            if value > most or status not in (0, 2, 3):
                over += 1
                print(f"{name}: {seconds:.1f} s, {memory:.0f} MiB, status {status}", flush=True)
    print(f"{runs} runs with {' '.join(options)}: {over} over {most:g}, the largest {largest:.1f}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
