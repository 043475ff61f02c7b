#!/usr/bin/env python3
"""The papers' subjects written in C and C++: the same protocols as their .tir forms, proved, and the lowered text reads
back as what it was."""

import subprocess
import sys
import tempfile
from pathlib import Path

from _protocol import ROOT, TACIT, difference, synthesise, tacit

LETTERS = """failure_le5 = failure when tminus <= 5
failure_gt5 = failure when tminus > 5
abort_lo_c = {abort} when altitude < 120000 && motor_fired
abort_lo_n = {abort} when altitude < 120000 && !motor_fired
abort_hi_c = {abort} when altitude >= 120000 && motor_fired
abort_hi_n = {abort} when altitude >= 120000 && !motor_fired"""
EI_BURN = """eiBurn_0_0 = eiBurn when !imbalance && !rcs_failure
eiBurn_0_1 = eiBurn when !imbalance && rcs_failure
eiBurn_1_0 = eiBurn when imbalance && !rcs_failure
eiBurn_1_1 = eiBurn when imbalance && rcs_failure"""


def letters(text):
    return [word for line in text.splitlines() for word in ("--letter", line)]


# example, suffix, options, renamed calls
SUBJECTS = [
    ("lock_p1", "c", [], {}),
    ("lock_p3", "c", [], {}),
    ("read_write_acq", "c", [], {}),
    ("read_write_acq_release_clears", "c", [], {}),
    ("file_library", "c", [], {}),
    ("signature", "cpp", ["--class", "Signature", "--error", "throws:SignatureException"], {}),
    ("server_table_entry", "cpp", ["--class", "activation::ServerTableEntry"], {"register_": "register"}),
    ("list_iterator", "cpp", ["--class", "ListIterator", "--error", "throws:IllegalState"], {}),
    ("list_iterator_blind", "c", ["--handle", "list_iterator", "--constructor", "list_iterator_init", "--blind", "*"], {}),
    ("piped_output_stream", "cpp", ["--class", "PipedOutputStream"], {}),
    ("piped_output_stream_papers", "c", [], {}),
    ("socket", "cpp", ["--class", "net::Socket"], {}),
    ("transaction_manager", "cpp", ["--class", "TransactionManager"], {}),
    ("nasa_cev", "cpp", ["--class", "Mission", *letters(LETTERS.format(abort="abort")), *letters(EI_BURN)], {}),
    ("nasa_cev_ascent", "c", letters(LETTERS.format(abort="abort_mission")), {}),
]


def renamed(result, names):
    """The result with calls under the names that the expected protocol gives them."""
    def name(call):
        return names.get(call, call)

    for state in result["states"]:
        state["allows"] = [name(call) for call in state["allows"]]
    for entry in result["transitions"]:
        entry["call"] = name(entry["call"])
    return result


def reads_back(source, options, folder):
    """Lowered text, read and printed again, is the same text."""
    lowering = [word for pair in zip(options, options[1:]) if pair[0] in ("--class", "--handle", "--constructor") for word in pair]
    first, second = folder / "first.tir", folder / "second.tir"
    tacit("lower", source, *lowering, "-o", first)
    tacit("lower", first, "-o", second)
    return first.read_text() == second.read_text()


def main():
    failures = []
    with tempfile.TemporaryDirectory(prefix="tacit-c-subjects-") as name:
        folder = Path(name)
        for example, suffix, options, names in SUBJECTS:
            source = ROOT / "examples" / example / f"{example}.{suffix}"
            label = f"{example}.{suffix}"
            out = folder / "result.json"
            result = renamed(synthesise(source, out, *options), names)
            for claim in ("safe", "permissive"):
                if result["verdict"][claim] != "proved":
                    failures.append(f"{label}: {claim} is {result['verdict'][claim]}: {result['verdict']['details']}")
            wrong = difference(result, source.with_name("expected.dfa"))
            if wrong:
                failures.append(f"{label}: {wrong}")
            tacit("verify", out, "--quiet")
            if not reads_back(source, options, folder):
                failures.append(f"{label}: the lowered text reads back as something else")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
