#!/usr/bin/env python3
"""Finds options that nothing reads.

The option table is src/cli/options.h or options.cpp: an array whose entries start with
{"--name". Every name has to be mentioned in another file of src/cli, as the text "--name", or
as an identifier made of it: max_queries, MaxQueries for --max-queries. Double entries are
findings too.

usage: options.py [ROOT]
"""

import re
import sys
from pathlib import Path

ENTRY = re.compile(r'\{\s*"(--[A-Za-z0-9][A-Za-z0-9-]*)"')
LINE_COMMENT = re.compile(r"//[^\n]*")


def without_comments(text):
    """Blanks line comments; good enough, since a use inside a string holds no //."""
    return LINE_COMMENT.sub("", text)


def spellings(option):
    words = option.removeprefix("--").split("-")
    camel = "".join(word[:1].upper() + word[1:] for word in words)
    return re.compile(rf'"{re.escape(option)}"|\b(?:{"_".join(words)}_?|{camel})\b')


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    cli = root / "src" / "cli"
    tables = [path for path in (cli / "options.h", cli / "options.cpp") if path.exists()]
    readers = "\n".join(
        without_comments(path.read_text())
        for path in sorted(cli.glob("*"))
        if path.suffix in {".h", ".cpp"} and path not in tables)

    findings = []
    first_seen = {}
    for path in tables:
        text = without_comments(path.read_text())
        for match in ENTRY.finditer(text):
            option = match.group(1)
            place = f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            if option in first_seen:
                findings.append(f"{place}: {option} is in the table twice, see {first_seen[option]}")
                continue
            first_seen[option] = place
            if not spellings(option).search(readers):
                findings.append(f"{place}: nothing in src/cli reads {option}")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
