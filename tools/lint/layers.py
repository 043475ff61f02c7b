#!/usr/bin/env python3
"""Rejects includes that cross the layers of src/ in a way tools/lint/layers.txt does not allow.

Checked: every #include "…" under src/ names a layer and is allowed there; external headers are
included only by the layers that own them; every source file lies in a layer; the table itself has
no cycle. The build takes its libraries and their order from the same table.

usage: layers.py [ROOT]
"""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Table:
    """The parsed layers.txt."""

    def __init__(self, path):
        self.allowed = {}  # folder -> set of folders
        self.external = []  # (prefixes, folders)
        self.problems = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            head, _, tail = line.partition(":")
            if head.startswith("external "):
                self.external.append((tuple(head.split()[1:]), set(tail.split())))
                continue
            folder = head.strip()
            allowed = {"base", folder}
            for other in tail.split():
                meant = {f for f in self.allowed if f == other or f.startswith(other + "/")}
                if not meant:
                    self.problems.append(
                        f"{path}:{number}: '{folder}' may only name layers of earlier lines, "
                        f"'{other}' is none")
                allowed |= meant
            self.allowed[folder] = allowed
        for prefixes, folders in self.external:
            for folder in folders - self.allowed.keys():
                self.problems.append(f"{path}: '{folder}' of external {prefixes[0]} is no layer")

    def layer_of(self, path):
        """The layer of a path relative to src/; None when it lies in none."""
        folder = path.rpartition("/")[0]
        return folder if folder in self.allowed else None

    def owners(self, header):
        """The layers that may include this external header; None means any may."""
        for prefixes, folders in self.external:
            if header.startswith(prefixes):
                return folders
        return None


def check_file(table, root, path):
    relative = path.relative_to(root / "src").as_posix()
    shown = path.relative_to(root)
    layer = table.layer_of(relative)
    if layer is None:
        yield f"{shown}:1: the folder is no layer of tools/lint/layers.txt"
        return
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, header = match.groups()
        owners = table.owners(header)
        if owners is not None:
            if layer not in owners:
                only = " and ".join(sorted(owners)) or "no layer"
                yield f"{shown}:{number}: {header} may be included by {only}, not by {layer}"
            continue
        if quote == "<":
            continue
        target = table.layer_of(header)
        if target is None:
            yield f'{shown}:{number}: "{header}" does not start with a layer folder'
        elif target not in table.allowed[layer]:
            yield f'{shown}:{number}: {layer} may not include "{header}" of {target}'


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    table = Table(root / "tools" / "lint" / "layers.txt")
    findings = list(table.problems)
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in {".h", ".cpp"}:
            findings += check_file(table, root, path)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
