#!/usr/bin/env python3
"""The components of test/guarded are found and proved without their hand-written interfaces, and what is found is
never larger than what was written by hand."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from _protocol import ROOT, TACIT

# Not claimed as a whole because of values that nobody knows.
NOT_PERMISSIVE = {"unknown_hidden"}
LEAST = 48  # found, proved and confirmed


def found(folder, out):
    """Why it is not as it should be; empty when it is."""
    name = folder.name
    hand = json.loads((folder / "right.json").read_text())
    options = hand["component"]["options"]
    arguments = [f"--blind={call}" for call in options.get("blind", [])]
    done = subprocess.run([TACIT, "synth", folder / "component.tir", "--time", "60", "-o", out, *arguments],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        return f"exit {done.returncode}: {done.stderr.strip()[:200]}"
    result = json.loads(Path(out).read_text())
    verdict = result["verdict"]
    wanted = ["safe"] if name in NOT_PERMISSIVE else ["safe", "permissive"]
    missing = [claim for claim in wanted if verdict[claim] != "proved"]
    if missing:
        return f"{', '.join(missing)} not proved: {verdict['details']}"
    # Fewest tracked values come first, then states.
    size, least = ((len(r.get("tracked", [])), len(r["states"])) for r in (result, hand))
    if size > least:
        return f"{size[0]} tracked values and {size[1]} states, {least[0]} and {least[1]} by hand"
    aside = {(a["call"], a["site"], a["decided"]) for a in result.get("aside", [])}
    by_hand = {(a["call"], a["site"], a["decided"]) for a in hand.get("aside", [])}
    if aside != by_hand:
        return f"set aside: {sorted(aside)}, by hand {sorted(by_hand)}"
    return ""


def main():
    folders = sorted(p.parent for p in (ROOT / "test" / "guarded").glob("*/component.tir"))
    good = 0
    with tempfile.TemporaryDirectory(prefix="tacit-guarded-") as work:
        for folder in folders:
            why_not = found(folder, str(Path(work) / "result.json"))
            good += not why_not
            if why_not:
                print(f"{folder.name}: {why_not}")
    print(f"{good} of {len(folders)} found")
    return 0 if good >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
