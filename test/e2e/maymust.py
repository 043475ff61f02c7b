#!/usr/bin/env python3
"""The may-must engine on all subjects: the expected protocol by every way to refine and by both learners, proved and
verified by the second solver, the same calls as `permissive`; full wherever a finite full interface exists; sound bounds
where there is no interface at all.

With TACIT_FULL=1 all ways to refine run on all subjects, else the default and a sample of the others.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _protocol import ROOT, TACIT, difference, synthesise, tacit

# What is claimed as full, and what is not because no finite full interface exists (or it is beyond the engine).
FULL = """algorithms_figure2 counter_sign file_library list_iterator_blind lock_p1 lock_p3 nasa_cev nasa_cev_ascent
permissive_example8 permissive_p1 permissive_p2 permissive_p2_release_clears permissive_p3 permissive_p3_blind
permissive_p4 piped_output_stream piped_output_stream_papers read_write_acq read_write_acq_release_clears
refilled_tank server_table_entry server_table_entry_unbounded signature socket transaction_manager
unread_counter""".split()
NOT_FULL = "list_iterator list_iterator_blind_unbounded stack_behind_flag heap_list loop_search".split()
WAYS = ("wp", "wp+craig", "refine-may", "learn-reuse")
SAMPLE = "read_write_acq permissive_p3_blind permissive_p4 stack_behind_flag socket".split()
# The paper's predicates and states by learn-reuse.
PUBLISHED = {"list_iterator_blind": (6, 2), "signature": (5, 3), "server_table_entry": (7, 3),
             "piped_output_stream_papers": (2, 2), "read_write_acq": (6, 4), "socket": (12, 6),
             "transaction_manager": (9, 4), "nasa_cev_ascent": (20, 5), "nasa_cev": (74, 31)}

failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def judge(name, out, *options, full):
    source = ROOT / "examples" / name / f"{name}.tir"
    result = synthesise(source, out, "--engine", "maymust", *options)
    verdict = result["verdict"]
    label = " ".join([name, *options])
    expect(verdict["safe"] == "proved" and verdict["permissive"] == "proved", f"{label}: {verdict}")
    expect((verdict["full"] == "proved") == full, f"{label}: full is {verdict['full']}: {verdict['details']}")
    theorem = result["stats"].get("theorem_2", "")
    expect("coincide" in theorem, f"{label}: Theorem 2: {theorem}")
    expect(("words that can happen" in theorem) != full, f"{label}: Theorem 2: {theorem}")
    wanted = source.with_name("expected.full.dfa")
    wrong = difference(result, wanted if wanted.exists() else source.with_name("expected.dfa"))
    expect(not wrong, f"{label}: {wrong}")
    tacit("verify", out, "--quiet")
    return result


def calls_after(result):
    """The automaton, for comparing the allowed calls word by word."""
    moves = {}
    for t in result["transitions"]:
        moves.setdefault((t["from"], t["call"]), []).append((t["outcome"], t["to"]))
    return [set(s["allows"]) for s in result["states"]], moves, {i["constructor"]: i["state"] for i in result["initial"]}


def compare(source, result, out):
    """The same calls as `permissive` after every word that both allow."""
    name = source.stem
    other = synthesise(source, out, "--engine", "permissive")
    allows, moves, starts = calls_after(result)
    others, other_moves, other_starts = calls_after(other)
    expect(starts.keys() == other_starts.keys(), f"{name}: constructors differ from permissive")
    work = [(starts[c], other_starts[c], c) for c in starts]
    seen = set()
    while work:
        mine, theirs, word = work.pop()
        if (mine, theirs) in seen:
            continue
        seen.add((mine, theirs))
        expect(allows[mine] == others[theirs], f"{name}: {word}: permissive allows other calls")
        for call in allows[mine] & others[theirs]:
            for outcome, to in moves.get((mine, call), []):
                for their_outcome, their_to in other_moves.get((theirs, call), []):
                    if "any" in (outcome, their_outcome) or outcome == their_outcome:
                        work.append((to, their_to, f"{word} {call}:{outcome}"))


def lowered(out, second):
    """Real code from C++ and Java: the same calls as `permissive`, proved and verified."""
    for name in ("unique_lock_mutex", "linkedlist_listitr"):
        source = ROOT / "examples" / "lowered" / f"{name}.tir"
        result = synthesise(source, out, "--engine", "maymust")
        verdict = result["verdict"]
        expect(verdict["safe"] == "proved" and verdict["permissive"] == "proved", f"{name}: {verdict}")
        tacit("verify", out, "--quiet")
        compare(source, result, second)


def story(out):
    """Section 4 of the paper on its running example."""
    done = subprocess.run([TACIT, "synth", ROOT / "examples/read_write_acq/read_write_acq.tir", "--engine", "maymust",
                           "--explain", "-o", out], capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    at = 0
    for text in ("query 'acq'", "errs in the may abstraction, not in the must abstraction; in truth it does not",
                 "refine (craig): a == 0", "answer: legal", "query 'read': illegal", "query 'write'",
                 "in truth it does", "refine (wp): x == 0", "answer: illegal", "conjecture 1: 1 state",
                 "Oracle 1: 'acq ×2' errs in the may abstraction", "counterexample: 'acq ×2' is illegal",
                 "Oracle 2: 'acqx write' does not err in the must abstraction",
                 "counterexample: 'acqx write' is legal", "conjecture 4: 4 states", "Oracle 1: safe",
                 "Theorem 2: the error languages of may and must coincide"):
        while at < len(lines) and text not in lines[at]:
            at += 1
        if at == len(lines):
            expect(False, f"read_write_acq: the story does not tell '{text}'\n" + done.stderr)
            break


def bounds(out):
    """A protocol that is not regular: refinement has no end, and every stop gives bounds."""
    source = ROOT / "examples" / "push_pop" / "push_pop.tir"
    for options in (["--queries", "3000"], ["--time", "0.3"], ["--queries", "50", "--refine", "wp"],
                    ["--queries", "2000", "--refine", "refine-may"]):
        result = synthesise(source, out, "--engine", "maymust", *options, status=3)
        verdict = result["verdict"]
        label = f"push_pop {options}"
        expect(verdict["safe"] in ("proved", "unknown") and verdict["permissive"] == "unknown", f"{label}: {verdict}")
        expect("budget" in verdict["details"]["permissive"], f"{label}: {verdict['details']}")
        expect(result["bounds"]["permissive"]["states"] and result["bounds"]["word"], f"{label}: no bounds")
        # Below, no word with more pops than pushes; above, every word without.
        lower, moves, starts = calls_after(result)
        upper, upper_moves, upper_starts = calls_after(result["bounds"]["permissive"])
        for states, steps, start, low in ((lower, moves, starts, True), (upper, upper_moves, upper_starts, False)):
            work = {(next(iter(start.values())), 0)}
            for _ in range(12):
                for state, depth in work:
                    expect("push" in states[state] or low, f"{label}: the upper bound refuses push")
                    if low:
                        expect("pop" not in states[state] or depth > 0, f"{label}: the lower bound allows too much")
                    elif depth > 0:
                        expect("pop" in states[state], f"{label}: the upper bound refuses too much")
                work = {(to, depth + (1 if call == "push" else -1)) for state, depth in work
                        for call in ("push", "pop") if call in states[state] and (call == "push" or depth > 0)
                        for _, to in steps.get((state, call), [])}
    tacit("show", out)


def seeded(out, old):
    """An older result saves questions when the code has changed, and a wrong one does no harm."""
    folder = ROOT / "examples" / "recorder"
    synthesise(folder / "recorder.tir", old, "--engine", "maymust")
    plain = synthesise(folder / "recorder_changed.tir", out, "--engine", "maymust")
    seed = synthesise(folder / "recorder_changed.tir", out, "--engine", "maymust", "--seed", old)
    expect(seed["states"] == plain["states"] and seed["transitions"] == plain["transitions"],
           "recorder: another result with a seed")
    expect(seed["stats"]["refinements"] < plain["stats"]["refinements"], "recorder: the seed saves no refinement")
    tacit("verify", out, "--quiet")
    other = ROOT / "examples" / "socket" / "socket.tir"
    plain = synthesise(other, out, "--engine", "maymust")
    seed = synthesise(other, out, "--engine", "maymust", "--seed", old)
    expect(seed["transitions"] == plain["transitions"], "socket: the seed of another component does harm")


def main():
    everything = os.environ.get("TACIT_FULL") == "1"
    with tempfile.TemporaryDirectory(prefix="tacit-maymust-") as folder:
        out, second = Path(folder) / "result.json", Path(folder) / "second.json"
        for name in FULL + NOT_FULL:
            result = judge(name, out, full=name in FULL)
            if name in FULL:
                compare(ROOT / "examples" / name / f"{name}.tir", result, second)
            if name in PUBLISHED:
                predicates, states = PUBLISHED[name]
                stats = result["stats"]
                expect(stats["predicates_used"] <= predicates, f"{name}: {stats['predicates_used']} predicates")
                expect(len(result["states"]) == states, f"{name}: {len(result['states'])} states")
                expect(stats["iterations"] == 1, f"{name}: {stats['iterations']} iterations")
            for way in WAYS[:3]:
                if everything or name in SAMPLE:
                    judge(name, out, "--refine", way, full=name in FULL)
            if everything or name in SAMPLE:
                judge(name, out, "--learner", "table", full=name in FULL)
        lowered(out, second)
        story(out)
        bounds(out)
        seeded(out, second)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
