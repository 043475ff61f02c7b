"""The commands that the documentation shows. Used by doc_commands.py and by the test that runs
them, test/e2e/doc_commands.py.

A fenced block marked ```console holds commands, on lines that start with "$ ", each followed by
the output lines it shows (perhaps none). A backslash at the end continues a command.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r"^\s*```(\S*)\s*$")


@dataclass
class Command:
    path: Path
    line: int
    text: str
    output: list = field(default_factory=list)


def documents(root):
    """README.md and every page under docs/."""
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [page for page in pages if page.exists()]


def commands(path):
    """(commands, stray): stray lists the numbers of block lines that belong to no command."""
    found, stray = [], []
    fence, continued = None, False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = FENCE.match(line)
        if match:
            fence = match.group(1) if fence is None else None
            continued = False
            block_start = len(found)
            continue
        if fence != "console":
            continue
        if continued:
            found[-1].text += " " + line.strip()
        elif line.startswith("$ "):
            found.append(Command(path, number, line[2:].strip()))
        elif len(found) > block_start:
            found[-1].output.append(line)
            continue
        else:
            stray.append(number)
            continue
        continued = found[-1].text.endswith("\\")
        if continued:
            found[-1].text = found[-1].text[:-1].strip()
    for command in found:
        while command.output and not command.output[-1].strip():
            command.output.pop()
    return found, stray
