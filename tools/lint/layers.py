#!/usr/bin/env python3
"""Rejects includes that cross the layers of src/ in a way tools/lint/layers.txt does not allow.

Checked: every #include "…" under src/ names a layer and is allowed there; external headers are
included only by the layers that own them; every source file lies in a layer; the DEPENDS of
src/CMakeLists.txt stay within the table; the table itself has no cycle.

usage: layers.py [ROOT]
"""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LAYER_CALL = re.compile(r"^tacit_layer\(([^)]*)\)", re.MULTILINE)


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
            for other in tail.split():
                if other not in self.allowed:
                    self.problems.append(
                        f"{path}:{number}: '{folder}' may only name layers of earlier lines, "
                        f"'{other}' is none")
            self.allowed[folder] = set(tail.split()) | {"base", folder}
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


def check_cmake(table, root):
    path = root / "src" / "CMakeLists.txt"
    if not path.exists():
        return
    text = path.read_text()
    shown = path.relative_to(root)
    seen = set()
    for match in LAYER_CALL.finditer(text):
        number = text.count("\n", 0, match.start()) + 1
        words = match.group(1).split()
        folder, words = words[0], words[1:]
        seen.add(folder)
        if folder not in table.allowed:
            yield f"{shown}:{number}: layer '{folder}' is not in tools/lint/layers.txt"
            continue
        depends = words[1:] if words[:1] == ["DEPENDS"] else []
        if "EXTERNAL" in depends:
            depends = depends[: depends.index("EXTERNAL")]
        for other in depends:
            if other not in table.allowed[folder]:
                yield f"{shown}:{number}: {folder} may not depend on {other}"
    for folder in table.allowed.keys() - seen:
        yield f"{shown}:1: layer '{folder}' of tools/lint/layers.txt is not built"


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    table = Table(root / "tools" / "lint" / "layers.txt")
    findings = list(table.problems)
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in {".h", ".cpp"}:
            findings += check_file(table, root, path)
    findings += sorted(check_cmake(table, root))
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
