#!/usr/bin/env python3
"""Writes the tables of docs/performance.md that `tacit bench` measures: performance.py [--check] ENGINES.json SCALING.json

    tacit bench engines --json > engines.json && tacit bench scaling --json > scaling.json
    tools/performance.py engines.json scaling.json

What stands between `<!-- bench NAME -->` and `<!-- end -->` is replaced. With --check nothing is written: counts that
differ from the page are printed (seconds are not compared), and the exit status is 1 when there are some.
"""
import json
import re
import statistics
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def engines(rows):
    by_subject = {}
    for row in rows:
        by_subject.setdefault(row["subject"], {})[row["engine"]] = row
    cells, against_best, ratios = [], [], []
    for subject, runs in by_subject.items():
        one = next(iter(runs.values()))
        counts = [runs[e].get("queries", "-") for e in ("permissive", "maymust", "auto")]
        seconds = {e: r["seconds"] for e, r in runs.items() if r.get("seconds")}
        if "auto" in seconds:
            against_best.append(seconds["auto"] / min(seconds.values()))
        ratios += [r["seconds"] / r["check_seconds"] for r in runs.values() if r.get("check_queries", 0) >= 20]
        cells.append([subject, one["proved"], one.get("states", "-"), one.get("tracked", "-"), *counts,
                      one.get("obligations", "-"), one.get("check_queries", "-")])
    text = table(["subject", "proved", "states", "tracked", "queries, `permissive`", "`maymust`", "`auto`",
                  "obligations", "queries of the re-check"], cells)
    text += (f"\n\nIn one run, `auto` takes {statistics.median(against_best):.1f} times as long as the best engine in the "
             f"median, {max(against_best):.1f} times at worst.")
    if ratios:
        text += (f" Synthesis takes {statistics.median(ratios):.1f} times as long as the re-check in the median where that "
                 f"asks at least 20 queries ({len(ratios)} runs), {max(ratios):.1f} times at most.")
    return text


def scaling(rows):
    cells = [[r["subject"], r["engine"], r["up_to"], r["power_of_queries"], r["power_of_seconds"]]
             for r in rows if "up_to" in r]
    return table(["grows", "engine", "up to", "power of queries", "power of time"], cells)


def main():
    check = "--check" in sys.argv
    files = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(files) != 2:
        sys.exit(__doc__)
    page = old = PAGE.read_text()
    for name, make, file in (("engines", engines, files[0]), ("scaling", scaling, files[1])):
        made = make(json.loads(Path(file).read_text()))
        pattern = re.compile(rf"(<!-- bench {name} -->\n).*?(\n<!-- end -->)", re.S)
        if not pattern.search(page):
            sys.exit(f"{PAGE}: there is no place for the table '{name}'")
        page = pattern.sub(lambda m, text=made: m[1] + text + m[2], page)
    if not check:
        PAGE.write_text(page)
        return 0
    before, after = ({line for line in text.splitlines() if line.startswith("| ")} for text in (old, page))
    changed = sorted(after - before)
    print("\n".join(changed) if changed else "no count has changed")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
