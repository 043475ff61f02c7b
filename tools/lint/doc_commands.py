#!/usr/bin/env python3
"""Checks the commands that README.md and docs/ show in ```console blocks.

Each must start with ./dev, build/tacit or tacit, and name a subcommand that exists: in the
`case` of ./dev, or as a text "name" in src/cli. test/e2e/doc_commands.py runs them.

usage: doc_commands.py [ROOT]
"""

import re
import sys
from pathlib import Path

from console_blocks import commands, documents


def dev_subcommands(root):
    """The words before ')' in the last `case` of ./dev."""
    text = (root / "dev").read_text().rpartition("\ncase ")[2]
    words = set()
    for match in re.finditer(r"^  ([a-z |-]+)\)", text, re.MULTILINE):
        words |= {word.strip() for word in match.group(1).split("|")}
    return words


def cli_texts(root):
    """Every string literal of src/cli that looks like a subcommand; None without a src/cli."""
    files = sorted((root / "src" / "cli").glob("*.[hc]*"))
    if not files:
        return None
    return {word for path in files for word in re.findall(r'"([a-z][a-z-]*)"', path.read_text())}


def complaint(command, dev, cli):
    words = command.text.split()
    program, subcommand = words[0], words[1] if len(words) > 1 else ""
    if program == "./dev":
        if subcommand and subcommand not in dev:
            return f"./dev has no command '{subcommand}'"
    elif program in ("build/tacit", "tacit"):
        if cli is not None and subcommand not in cli and not subcommand.startswith("--"):
            return f"tacit has no subcommand '{subcommand}'"
    else:
        return f"a shown command starts with ./dev, build/tacit or tacit, not '{program}'"
    return None


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    dev, cli = dev_subcommands(root), cli_texts(root)
    findings = []
    for page in documents(root):
        shown = page.relative_to(root)
        found, stray = commands(page)
        findings += [f"{shown}:{line}: output without a command above it" for line in stray]
        for command in found:
            reason = complaint(command, dev, cli)
            if reason:
                findings.append(f"{shown}:{command.line}: {reason}")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
