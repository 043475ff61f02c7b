#!/usr/bin/env python3
"""Runs regression cases: run_cases.py [--update] [CASE_FOLDER...]

A case is a small folder:

  why            one line: what this case guards against (must not be empty)
  cmd            the command line, run by bash in the folder, with `tacit` on the PATH;
                 files it writes belong under $OUT, a fresh folder
  expect.status  the exit status; 0 without this file
  expect.out     the standard output, exactly; $OUT's path reads `$OUT` there
  expect.grep    regular expressions, one a line, each found in the standard output
  expect.err     regular expressions, one a line, each found in the standard error

Without folders all of test/cases run. TACIT names the program, build/tacit without it.
A command that exits with 77 skips its case, unless 77 is what is expected.
--update writes expect.out of the cases that have one; read the difference before you keep it.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TEST = Path(__file__).resolve().parent
SKIPPED = 77


def patterns(path):
    if not path.exists():
        return []
    return [line for line in path.read_text().splitlines() if line]


def missing(path, text):
    """What the pattern file asks for and the text lacks."""
    complaints = []
    for number, pattern in enumerate(patterns(path), 1):
        try:
            if not re.search(pattern, text, re.MULTILINE):
                complaints.append(f"{path.name}:{number}: not found: {pattern}")
        except re.error as error:
            complaints.append(f"{path.name}:{number}: bad regular expression: {error}")
    return complaints


def run_case(case, tacit, update):
    """Complaints about the case, None when it was skipped."""
    why = case / "why"
    if not why.exists() or not why.read_text().strip():
        return [f"{case.name}: a case needs a file `why` that says what it guards against"]
    if not (case / "cmd").exists():
        return [f"{case.name}: there is no file `cmd`"]

    with tempfile.TemporaryDirectory(prefix="tacit-case-") as out:
        environment = dict(os.environ, OUT=out, NO_COLOR="1", LC_ALL="C.UTF-8")
        environment["PATH"] = f"{tacit.parent}{os.pathsep}{environment.get('PATH', '')}"
        done = subprocess.run(
            ["bash", "-c", (case / "cmd").read_text()],
            cwd=case, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, errors="replace", check=False)
        stdout = done.stdout.replace(out, "$OUT")
        stderr = done.stderr.replace(out, "$OUT")

    status_file = case / "expect.status"
    expected_status = int(status_file.read_text()) if status_file.exists() else 0
    if done.returncode == SKIPPED and expected_status != SKIPPED:
        return None

    complaints = []
    if done.returncode != expected_status:
        complaints.append(f"exit status {done.returncode}, expected {expected_status}")
    out_file = case / "expect.out"
    if out_file.exists() and out_file.read_text() != stdout:
        if update and not complaints:
            out_file.write_text(stdout)
            print(f"{case.name}: wrote expect.out")
        else:
            difference = difflib.unified_diff(
                out_file.read_text().splitlines(), stdout.splitlines(),
                "expect.out", "standard output", lineterm="")
            complaints.append("\n".join(difference)
                              or "standard output differs in its last newline")
    complaints += missing(case / "expect.grep", stdout)
    complaints += missing(case / "expect.err", stderr)
    if complaints:
        complaints.insert(0, f"why: {why.read_text().strip()}")
        complaints.append(f"standard output:\n{stdout}")
        complaints.append(f"standard error:\n{stderr}")
    return complaints


def main(arguments):
    update = "--update" in arguments
    folders = [Path(a).resolve() for a in arguments if a != "--update"]
    if not folders:
        folders = sorted(p for p in (TEST / "cases").glob("*") if p.is_dir())
    tacit = Path(os.environ.get("TACIT", TEST.parent / "build" / "tacit")).resolve()
    if not tacit.exists():
        print(f"{tacit} does not exist; build it first", file=sys.stderr)
        return 1

    failed = skipped = 0
    for case in folders:
        complaints = run_case(case, tacit, update)
        if complaints is None:
            skipped += 1
            print(f"skipped {case.name}")
        elif complaints:
            failed += 1
            print(f"FAILED  {case.name}")
            for complaint in complaints:
                print("  " + complaint.replace("\n", "\n  "))
        else:
            print(f"passed  {case.name}")
    if failed:
        return 1
    return SKIPPED if skipped and skipped == len(folders) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
