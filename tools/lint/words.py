#!/usr/bin/env python3
"""Rejects files that name one machine's folders or a package host, and sources that are too long.

Looks at every file that git tracks or would add. usage: words.py [ROOT]
"""

import re
import subprocess
import sys
from pathlib import Path

FORBIDDEN = [
    (re.compile(r"/(?:work|home)/"), "a folder of one machine"),
    (re.compile(r"\bshared/(?:seeds|[A-Z]+\.md)|\.\./shared\b"), "a folder outside the project"),
    (re.compile(r"\b(?:deb|security|ftp)\.debian\.|\bregistry\.npmjs\.|\bpypi\.(?:org|io)\b"
                r"|\bproxy\.golang\."), "a package host"),
]
MOST_LINES = 900


def files(root):
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=True).stdout
    return sorted(name for name in set(listed.split("\0")) if name and (root / name).is_file())


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    findings = []
    for name in files(root):
        # Latin-1 reads any bytes, so that binary files are looked at as well.
        lines = (root / name).read_text(encoding="latin-1").split("\n")
        for number, line in enumerate(lines, 1):
            for pattern, reason in FORBIDDEN:
                match = pattern.search(line)
                if match:
                    findings.append(f"{name}:{number}: names {reason}: {match.group(0)}")
        length = len(lines) - (lines[-1] == "")
        if name.startswith("src/") and length > MOST_LINES:
            findings.append(f"{name}:{length}: {length} lines, more than {MOST_LINES}; split it")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
