#!/usr/bin/env python3
"""Writes the tables of `tacit bench` into the documents: figures.py [--check] [--from FILE] SUITE...

A fenced block of docs/*.md whose first line is the header of a table that the suite prints holds
that table; it is replaced by what is printed now. With --check nothing is written: differences are
listed, times, memory and who was fastest apart, and the exit status is 1 when there are any. --from
reads what a suite printed from a file. TACIT names the program, build/tacit without it.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITES = ("algorithms", "contractor", "jist", "maymust")
MEASURED = re.compile(r"\(?\b\d+\.\d+\)?(?: s\b)?|\b\d+ MB\b|> *\d+ s\b|\b2\^[\d.]+k, k ≤ \d+|"
                      r"\b(?:explicit|bdd)\b")


def words(line):
    return line.split()


def tables(text):
    """What is printed, in pieces without blank lines between them, by their first lines."""
    found = {}
    for piece in re.split(r"\n\s*\n", text.strip("\n")):
        lines = [line.rstrip() for line in piece.splitlines()]
        # A table may stand behind a line of text, or another table.
        for start in range(len(lines)):
            found.setdefault(tuple(words(lines[start])), lines[start:])
    return found


def settled(line):
    """The line without what differs from run to run."""
    return words(MEASURED.sub("", line))


def blocks(lines):
    """Fenced blocks, as the numbers of their first line and of the closing fence."""
    opened = None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if opened is None:
            opened = number
        else:
            yield opened + 1, number
            opened = None


def update(document, printed, check):
    """Names the differences of one document, and writes it anew."""
    lines = document.read_text().splitlines()
    differences = []
    for first, end in reversed(list(blocks(lines))):
        table = printed.get(tuple(words(lines[first]))) if first < end else None
        if table is None:
            continue
        place = f"{document.name}:{first + 1}"
        old, new = lines[first:end], table[:end - first] if check else table
        if check:
            if len(table) < end - first:
                differences.append(f"{place}: {end - first} lines, and {len(table)} are printed")
            differences += [f"{place}: '{a}' is now '{b}'" for a, b in zip(old, new)
                            if settled(a) != settled(b)]
        elif old != new:
            differences.append(f"{place}: {len(new)} lines written")
            lines[first:end] = new
    if not check and differences:
        document.write_text("\n".join(lines) + "\n")
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--from", dest="file", type=Path)
    parser.add_argument("--documents", type=Path, default=ROOT / "docs")
    parser.add_argument("suites", nargs="+", choices=SUITES)
    given = parser.parse_args()
    tacit = os.environ.get("TACIT", str(ROOT / "build" / "tacit"))
    differences = []
    for suite in given.suites:
        text = (given.file.read_text() if given.file else
                subprocess.run([tacit, "bench", suite], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                               check=False).stdout)
        printed = tables(text)
        for document in sorted(given.documents.glob("*.md")):
            differences += update(document, printed, given.check)
    print("\n".join(differences) if differences else "nothing differs")
    return 1 if given.check and differences else 0


if __name__ == "__main__":
    sys.exit(main())
