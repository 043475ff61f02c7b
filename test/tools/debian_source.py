#!/usr/bin/env python3
"""Fetches a Debian source package through apt into a folder, and says why when that is impossible.

The machine's own package lists are asked for sources as well, in a private folder; nothing is installed or changed.
  debian_source.py PACKAGE FOLDER        prints the folder that was unpacked
"""

import os
import re
import subprocess
import sys
from pathlib import Path


def source_lists(target):
    """Copies of the machine's package lists that name sources instead of binaries."""
    found = False
    for path in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        if not path.is_file() or path.suffix not in (".list", ".sources"):
            continue
        text = path.read_text()
        if path.suffix == ".sources":
            text = re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.M)
        else:
            text = "\n".join(re.sub(r"^deb\s", "deb-src ", line) for line in text.splitlines()) + "\n"
        (target / path.name).write_text(text)
        found = found or "deb-src" in text
    return found


def fetch(package, folder):
    """The unpacked folder, or None with the reason."""
    folder = Path(folder)
    known = sorted(p for p in folder.glob(f"{package}-*") if p.is_dir())
    if known:
        return known[0], ""
    lists, parts = folder / "lists", folder / "parts"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    parts.mkdir(parents=True, exist_ok=True)
    if not source_lists(parts):
        return None, "this machine has no package lists"
    options = [f"-oDir::Etc::SourceParts={parts}", "-oDir::Etc::SourceList=/dev/null", f"-oDir::State::Lists={lists}",
               "-oAcquire::Retries=1", "-oAcquire::http::Timeout=20"]
    for words in (["update"], ["source", "--only-source", package]):
        done = subprocess.run(["apt-get", *options, "-qq", *words], cwd=folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "LC_ALL": "C"})
        if done.returncode != 0:
            return None, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "apt-get failed"
    known = sorted(p for p in folder.glob(f"{package}-*") if p.is_dir())
    return (known[0], "") if known else (None, "nothing was unpacked")


if __name__ == "__main__":
    place, why = fetch(sys.argv[1], sys.argv[2])
    print(place or f"not fetched: {why}")
    sys.exit(0 if place else 1)
