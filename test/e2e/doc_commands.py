#!/usr/bin/env python3
"""Runs the tacit commands that README.md and docs/ show, and compares what they print.

Files named after -o or > go to a temporary folder, and later commands of the same page read them
there. In a shown output a line `...` stands for any lines, `...` inside a line for any text.
Without shown output the command has to end with status 0 or 1. ./dev commands are not run.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ["TACIT_ROOT"])
TACIT = Path(os.environ["TACIT"])
sys.path.insert(0, str(ROOT / "tools" / "lint"))
from console_blocks import commands, documents  # noqa: E402

TARGET = re.compile(r"(?:(?<=\s)-o\s+|(?<!\S)>\s*)([^\s|;&]+)")
SECONDS = 120


def matches(shown, printed):
    """Whether the printed text is what the shown lines stand for."""
    parts = []
    for line in shown:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append("[^\n]*".join(re.escape(p) for p in line.rstrip().split("...")) + "\n")
    lines = "".join(line.rstrip() + "\n" for line in printed.rstrip("\n").splitlines())
    return re.fullmatch("".join(parts), lines) is not None


def redirected(text, moved, folder):
    """The command with its written files, and those of commands before, in the folder."""
    for target in TARGET.findall(text):
        if target not in moved and not target.startswith("/dev/"):
            place = folder / target.strip("/").replace("..", "_")
            place.parent.mkdir(parents=True, exist_ok=True)
            moved[target] = place
    for name in sorted(moved, key=len, reverse=True):
        text = re.sub(rf"(?<![^\s=>]){re.escape(name)}(?![^\s|;&])",
                      lambda _, place=moved[name]: shlex.quote(str(place)), text)
    return re.sub(r"(?<!\S)(?:build/)?tacit(?=\s|$)", lambda _: shlex.quote(str(TACIT)), text)


def run(command, moved, folder):
    """A complaint, or None."""
    text = redirected(command.text, moved, folder)
    try:
        done = subprocess.run(
            ["bash", "-c", text], cwd=ROOT, env=dict(os.environ, NO_COLOR="1"),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"takes longer than {SECONDS} s"
    # Figures of a run, on standard error, differ from run to run; messages of failures do not.
    printed = done.stdout if done.returncode in (0, 1) else done.stdout + done.stderr
    for name, place in moved.items():
        printed = printed.replace(str(place), name)
    if command.output:
        if not matches(command.output, printed):
            return f"prints (status {done.returncode}):\n{printed}"
    elif done.returncode not in (0, 1):
        return f"ends with status {done.returncode}:\n{printed}"
    return None


def main():
    ran = failed = 0
    for page in documents(ROOT):
        with tempfile.TemporaryDirectory(prefix="tacit-docs-") as folder:
            moved = {}
            for command in commands(page)[0]:
                if command.text.startswith("./dev"):
                    continue
                ran += 1
                complaint = run(command, moved, Path(folder))
                if complaint:
                    failed += 1
                    print(f"{page.relative_to(ROOT)}:{command.line}: {command.text}\n  {complaint}")
    print(f"{ran} commands run, {failed} failed")
    if not ran:
        return 77
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
