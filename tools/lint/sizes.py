#!/usr/bin/env python3
"""Finds functions of more than 100 lines, and classes with more than 50 methods.

Reads sources as the formatter writes them: what stands at the margin begins and ends there, members are
indented by two. What lies under src/frontend/llvm is not held to it yet.

usage: sizes.py [--table] [ROOT]
  --table  prints, for each layer, lines, files of more than 500 lines, the longest function and the
           largest class instead
"""

import re
import sys
from pathlib import Path

MOST_LINES = 100
MOST_METHODS = 50
LONG_FILE = 500
EXEMPT = "src/frontend/llvm/"

CLASS = re.compile(r"^(?:template .*>\s*)?(?:class|struct)\s+(\w+)[^;()]*\{$")
NO_FUNCTION = re.compile(r"^(?:namespace|class|struct|enum|union|extern|#|//|\}|using)")
NO_METHOD = re.compile(r"^(?:using|friend|static_assert|class|struct|enum|union|explicit operator|return)\b|^\W")


def functions(lines):
    """(first line, length, name) of each function that is defined at the margin or in a class."""
    for indent in ("", "  "):
        head = None
        start = None
        for number, line in enumerate(lines, 1):
            depth = len(line) - len(line.lstrip(" "))
            if start is None:
                if depth == len(indent) and line.strip() and line[len(indent)] not in " })":
                    head = number
                if head and line.endswith("{"):
                    first = lines[head - 1].strip()
                    if ("(" in "".join(lines[head - 1:number]) and not NO_FUNCTION.match(first)
                            and "=" not in first.split("(")[0]):
                        start = head
                    head = None
                elif line.endswith(("}", ";", ":")):
                    head = None
            elif line.startswith(indent + "}"):
                name = re.search(r"([\w~:]+|operator\S+)\(", " ".join(lines[start - 1:start + 3]))
                yield start, number - start + 1, name.group(1) if name else "?"
                start = None


def classes(lines):
    """(line, number of methods, name) of each class that is defined at the margin."""
    name, methods, statement = None, set(), ""
    for number, line in enumerate(lines, 1):
        if name is None:
            match = CLASS.match(line)
            if match:
                name, first, methods, statement = match.group(1), number, set(), ""
            continue
        if line.startswith("}"):
            yield first, len(methods), name
            name = None
            continue
        if line.startswith("   ") and not statement:
            continue
        text = line.split("//")[0].strip()
        if not text or text.endswith(":") or text == "}":
            continue
        statement += " " + text
        if text.endswith((";", "{", "}")):
            declared = statement.strip()
            before = declared.split("(")[0]
            if "(" in declared and not NO_METHOD.match(declared) and "=" not in before and "<" not in before[-1:]:
                methods.add(declared.split("{")[0])
            statement = ""


def layer_of(path, root):
    parts = path.relative_to(root / "src").parts
    return parts[0] if len(parts) == 2 or parts[0] != "frontend" else "/".join(parts[:2])


def main(arguments):
    table = "--table" in arguments
    rest = [a for a in arguments if not a.startswith("--")]
    root = Path(rest[0] if rest else Path(__file__).resolve().parents[2])
    findings, rows = [], {}
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        lines = path.read_text().splitlines()
        place = path.relative_to(root)
        exempt = str(place).startswith(EXEMPT)
        row = rows.setdefault(layer_of(path, root), [0, 0, (0, ""), (0, "")])
        row[0] += len(lines)
        row[1] += len(lines) > LONG_FILE
        for number, length, name in functions(lines):
            row[2] = max(row[2], (length, name))
            if length > MOST_LINES and not exempt:
                findings.append(f"{place}:{number}: {name} has {length} lines, more than {MOST_LINES}")
        for number, count, name in classes(lines):
            row[3] = max(row[3], (count, name))
            if count > MOST_METHODS and not exempt:
                findings.append(f"{place}:{number}: {name} has {count} methods, more than {MOST_METHODS}")
    if table:
        print("| layer | lines | files over 500 lines | longest function | largest class |\n|---|---|---|---|---|")
        for layer, (lines, long, function, largest) in rows.items():
            print(f"| {layer} | {lines} | {long} | {function[0]} ({function[1]}) | {largest[0]} ({largest[1]}) |")
        print(f"| all | {sum(r[0] for r in rows.values())} | {sum(r[1] for r in rows.values())} | "
              f"{max(r[2][0] for r in rows.values())} | {max(r[3][0] for r in rows.values())} |")
        return 0
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
