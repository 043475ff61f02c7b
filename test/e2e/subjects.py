#!/usr/bin/env python3
"""The papers' finite subjects: every engine and representation gives the expected protocol, proved and verified.

With TACIT_FULL=1 all combinations run, else a sample of them.
"""

import os
import sys
import tempfile
from pathlib import Path

from _protocol import ROOT, difference, synthesise, tacit

SUBJECTS = """lock_p1 lock_p3 read_write_acq read_write_acq_release_clears file_library signature server_table_entry
list_iterator_blind piped_output_stream piped_output_stream_papers socket transaction_manager nasa_cev
nasa_cev_ascent algorithms_figure2""".split()

EVERY = [(engine, representation) for engine in ("direct", "learn", "cegar") for representation in ("explicit", "bdd")]
# Too slow for every day: CEGAR enumerates all valuations of the docked parts.
SLOW = {("nasa_cev", "cegar", "explicit")}


def strip(result):
    """What must agree between engines: the automaton, start states and refusals."""
    return {
        "initial": result["initial"],
        "states": [state["allows"] for state in result["states"]],
        "transitions": [(t["from"], t["call"], t["outcome"], t["to"]) for t in result["transitions"]],
        "forbidden": [(f["state"], f["call"], f["error"], f["at"], f["word"]) for f in result["forbidden"]],
    }


def main():
    full = os.environ.get("TACIT_FULL") == "1"
    failures = []
    with tempfile.TemporaryDirectory(prefix="tacit-subjects-") as folder:
        out = Path(folder) / "result.json"
        for name in SUBJECTS:
            source = ROOT / "examples" / name / f"{name}.tir"
            reference = None
            for engine, representation in EVERY:
                if (name, engine, representation) in SLOW and not full:
                    continue
                label = f"{name} by {engine} on {representation}"
                result = synthesise(source, out, "--engine", engine, "--representation", representation)
                verdict = result["verdict"]
                for claim in ("safe", "permissive", "full"):
                    if verdict[claim] != "proved":
                        failures.append(f"{label}: {claim} is {verdict[claim]}: {verdict['details']}")
                wrong = difference(result, source.with_name("expected.dfa"))
                if wrong:
                    failures.append(f"{label}: {wrong}")
                tacit("verify", out, "--quiet")
                reference = reference or strip(result)
                if strip(result) != reference:
                    failures.append(f"{label}: differs from direct")
            serial = source.with_name("expected.serial.dfa")
            if serial.exists():
                result = synthesise(source, out, "--serial")
                wrong = difference(result, serial)
                if wrong:
                    failures.append(f"{name} --serial: {wrong}")
                tacit("verify", out, "--quiet")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
