#!/usr/bin/env python3
"""JIST's game: the paper's subjects with the predicates it names, what each query can and cannot decide, predicates that
help nobody, words that should be allowed, and the Boolean program as an input of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from _protocol import ROOT, TACIT, difference, tacit

failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def example(name):
    return ROOT / "examples" / name / f"{name}.tir"


def play(source, out, predicates=(), *options, status=0):
    command = [TACIT, "synth", "--arguments", "demonic", source, "--engine", "game", "--explain", "-o", out, *options]
    for p in predicates:
        command += ["--predicate", p]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    label = f"{Path(source).name} {' '.join(predicates)} {' '.join(options)}"
    expect(done.returncode == status, f"{label}: status {done.returncode}, not {status}\n{done.stderr[-2000:]}")
    if done.returncode not in (0, 3):
        return None, done.stderr
    result = json.loads(Path(out).read_text())
    expect(result["verdict"]["safe"] == "proved", f"{label}: safe is {result['verdict']['safe']}")
    if status == 0:
        expect(result["verdict"]["permissive"] == "proved", f"{label}: permissive is not proved")
    tacit("verify", out, "--quiet")
    return result, done.stderr


def never_allowed(result):
    allowed = {call for state in result["states"] for call in state["allows"]}
    return {re.sub(r"\(.*", "", m) for m in result["methods"]} - {re.sub(r"\(.*", "", c) for c in allowed}


def subjects(out):
    """Predicates as in the paper's Table 1: the protocol is the expected one, and proved for the component itself."""
    modes = ["mode == UNINITIALIZED", "mode == SIGN", "mode == VERIFY"]
    entry = [f"mode == {m}" for m in ("ACTIVATING", "DE_ACTIVATED", "ACTIVATED", "RUNNING", "HELD_DOWN")]
    iterator = ["lastRet == -1", "cursor == -1", "expectedModCount == 0"]
    dial = [f"position == {i}" for i in range(4)]
    for name, predicates in (("signature", modes), ("signature", ()), ("server_table_entry", entry),
                             ("list_iterator_jdk14", iterator[:2]), ("list_iterator_jdk14", iterator),
                             ("piped_output_stream_papers", ["sink == 0"]), ("signature_seeded_error", modes),
                             ("list_iterator", ()), ("socket", ()), ("transaction_manager", ()), ("lock_p1", ()),
                             ("game_undecided", ()), ("game_one_step", ()), ("game_exact", dial)):
        result, _ = play(example(name), out, predicates)
        wrong = result and difference(result, example(name).with_name("expected.dfa"))
        expect(not wrong, f"{name} {predicates}: {wrong}")
    # Figure 5: one predicate is too few, and the answer says what is missing.
    result, told = play(example("list_iterator_jdk14"), out, iterator[:1], status=3)
    expect(never_allowed(result) == {"remove", "set"}, f"one predicate: never allowed is {never_allowed(result)}")
    expect(result["verdict"]["permissive"] == "unknown", "one predicate: permissive should be unknown")
    expect("'cursor == -1'" in result["verdict"]["details"]["permissive"],
           f"one predicate: cursor == -1 should be suggested: {result['verdict']['details']}")
    # Figure 8: the error shows.
    result, _ = play(example("signature_seeded_error"), out)
    expect(never_allowed(result) == {"sign"}, "seeded error: sign should never be allowed")


def queries(out):
    """What Superset, OneStepFurther and the exact game each contribute."""
    _, told = play(example("game_undecided"), out)
    expect("Superset: not decided; a run along 'deliver use' does not err, but another one does" in told
           and "exact game: most permissive" in told, "game_undecided:\n" + told)
    _, told = play(example("game_one_step"), out)
    expect("OneStepFurther: 'open enter' is legal" in told, "game_one_step:\n" + told)
    _, told = play(example("game_exact"), out, [f"position == {i}" for i in range(4)])
    expect("OneStepFurther: finds nothing\n  exact game: 'home step step step fire' is legal" in told,
           "game_exact:\n" + told)
    result, told = play(example("signature"), out)
    stats = result["stats"]
    expect(stats["subset_queries"] == 3 and stats["superset_queries"] == 3
           and stats["one_step_further"] == "not needed"
           and stats["answer"] == "most permissive for these predicates", f"signature: {stats}")


def predicates(out):
    """Ill-typed, contradictory, irrelevant, too many; words that should be allowed."""
    _, told = play(example("signature"), out, ["mode + 1"], status=2)
    expect("--predicate 'mode + 1':1:1: error: this is of type Mode" in told, f"ill-typed: {told}")
    _, told = play(example("signature"), out, ["mod == SIGN"], status=2)
    expect("did you mean 'mode'" in told, f"unknown: {told}")
    result, _ = play(example("signature"), out, ["mode == SIGN && mode == VERIFY", "true"], status=3)
    expect("'mode == SIGN && mode == VERIFY', 'true'" in result["verdict"]["details"]["predicates"]
           and never_allowed(result) == {"sign", "verify", "update"}, f"contradictory: {result['verdict']}")
    result, _ = play(example("server_table_entry"), out, ["retries == 1"], status=3)
    expect(never_allowed(result) == {"register", "install", "uninstall"}, "irrelevant: too much is allowed")
    many = [f"cursor == {i}" for i in range(-1, 38)] + ["lastRet == -1"]
    result, _ = play(example("list_iterator_jdk14"), out, many, "--time", "60")
    expect(result and not difference(result, example("list_iterator_jdk14").with_name("expected.dfa")),
           "40 predicates: another protocol")
    result, _ = play(example("signature"), out, ["mode == SIGN"], "--time", "0.000001", status=3)
    expect("the budget ran out" in result["verdict"]["details"]["permissive"], "no time: another reason")
    # Words.
    result, _ = play(example("list_iterator_jdk14"), out, (), "--must-allow", "next remove", status=3)
    expect("the component does not err" in result["verdict"]["details"]["must_allow"]
           and "'cursor == -1'" in result["verdict"]["details"]["must_allow"], f"must-allow: {result['verdict']}")
    result, told = play(example("list_iterator"), out, (), "--must-allow", "next:returns remove")
    expect("must_allow" not in result["verdict"]["details"] and "'next:returns remove' is allowed" in told,
           f"must-allow: {told}")
    result, _ = play(example("list_iterator"), out, (), "--must-allow", "add remove", status=3)
    expect("'add remove' is not allowed" in result["verdict"]["details"]["must_allow"], "must-allow: add remove")
    _, told = play(example("list_iterator"), out, (), "--must-allow", "nxt", status=2)
    expect("did you mean 'next'" in told, f"must-allow: {told}")


def boolean_program(out, folder):
    """The abstraction prints, reads back, and is an input for every finite engine."""
    program = Path(folder) / "boolean.tir"
    tacit("lower", example("list_iterator_jdk14"), "--predicate", "lastRet == -1", "--predicate", "cursor == -1",
          "-o", program)
    expect("`lastRet == -1` := `cursor == -1`;" in program.read_text(), "the Boolean program looks different")
    for engine in ("direct", "learn", "cegar", "game"):
        given = ["--predicate", "`lastRet == -1`", "--predicate", "`cursor == -1`"] if engine == "game" else []
        done = subprocess.run([TACIT, "synth", "--arguments", "demonic", program, "--engine", engine, "-o", out, *given], capture_output=True,
                              text=True, check=False)
        expect(done.returncode in (0, 3), f"Boolean program by {engine}: {done.stderr}")
        result = json.loads(Path(out).read_text())
        allowed = {call for state in result["states"] for call in state["allows"]}
        expect({"remove", "set"} <= allowed, f"Boolean program by {engine}: {allowed}")
        expect(result["verdict"]["permissive"] == "unknown" or engine == "game",
               f"Boolean program by {engine}: it is an approximation")


def java(out, folder):
    """The same from byte code."""
    if not shutil.which("javac"):
        return
    sources = [ROOT / "examples" / "java" / f"{n}.java" for n in ("ListItr14", "SignatureSeeded", "PipedOutputStream14")]
    subprocess.run(["javac", "-g", "-d", folder, *map(str, sources)], check=True)
    iterator = ["lastRet == -1", "cursor == -1", "expectedModCount == 0"]
    error = ("--error", "throws:IllegalStateException")
    result, _ = play(Path(folder) / "ListItr14.class", out, iterator[:1], *error, status=3)
    expect(never_allowed(result) == {"remove", "set"}, f"Java, one predicate: {never_allowed(result)}")
    for count in (2, 3):
        result, _ = play(Path(folder) / "ListItr14.class", out, iterator[:count], *error)
        expect(len(result["states"]) == 2 and not never_allowed(result), f"Java, {count} predicates: {result['states']}")
    play(Path(folder) / "PipedOutputStream14.class", out, ["sink == null"], "--error", "throws:NullPointerException")
    result, _ = play(Path(folder) / "SignatureSeeded.class", out, [f"state == {i}" for i in (0, 2, 3)], "--error",
                     "throws:SignatureException", status=3)
    expect(never_allowed(result) == {"sign"}, "Java, seeded error")


def bench(folder):
    lines = tacit("bench", "jist").splitlines()
    for subject in ("Signature (paper)", "ServerTableEntry (paper)", "ListItr, 1 predicate (paper)",
                    "ListItr, 3 predicates (paper)", "PipedOutputStream (paper)", "Signature, seeded error"):
        expect(any(line.startswith(subject) for line in lines), f"bench: no row for {subject}")
    expect(sum("safe proved" in line for line in lines) == 7, "bench: seven rows should be proved safe")


def main():
    with tempfile.TemporaryDirectory(prefix="tacit-game-") as folder:
        out = Path(folder) / "result.json"
        subjects(out)
        queries(out)
        predicates(out)
        boolean_program(out, folder)
        java(out, folder)
        bench(folder)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
