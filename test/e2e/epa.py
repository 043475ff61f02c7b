#!/usr/bin/env python3
"""Enabledness abstractions of the papers' subjects: as expected, whatever the way they are computed, with the findings
that the paper's reviewers made by hand."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from _protocol import ROOT, tacit

EXPECTED = "list_buggy list_fixed signature piped_output_stream list_iterator socket_second pccrr_second smtp_server".split()
COUNTS = {"socket_first": (6, 23), "pccrr_first": (16, 33), "smtp_protocol": (2, 39)}
# Without clauses of their own, or with these left aside.
MINED = {
    "signature/signature": "epa_signature",
    "socket/socket": "epa_socket_second",
    "piped_output_stream/piped_output_stream": "epa_piped_output_stream",
    "list_iterator/list_iterator": "epa_list_iterator",
}
FINDINGS = {
    "list_buggy": ["never leaves", "no way out"],
    "pccrr_first": ["near-partition"],
    "pccrr_second": ["work pending"],
    "smtp_server": ["never enabled", "no-op with an effect", "stays disabled"],
    "socket_first": ["nondeterminism"],
}

failures = []


def check(good, what):
    if not good:
        failures.append(what)


def source(name):
    return ROOT / "examples" / f"epa_{name}" / f"epa_{name}.tir"


def parts(result):
    sets = [frozenset(state["allows"]) for state in result["states"]]
    return {
        "states": sorted(map(sorted, sets)),
        "initial": sorted({tuple(sorted(sets[i["state"]])) for i in result["initial"]}),
        "transitions": sorted({(tuple(sorted(sets[t["from"]])), t["call"], tuple(sorted(sets[t["to"]])))
                               for t in result["transitions"]}),
    }


def expected_parts(folder):
    wanted = json.loads((ROOT / "examples" / folder / "expected.epa.json").read_text())
    return {
        "states": sorted(map(sorted, wanted["states"])),
        "initial": sorted({tuple(sorted(s)) for s in wanted["initial"]}),
        "transitions": sorted({(tuple(sorted(a)), c, tuple(sorted(b))) for a, c, b in wanted["transitions"]}),
    }


def java(folder):
    """The Java subjects, compiled, if there is a compiler: once with the source named, once with it beside the class."""
    if not shutil.which("javac"):
        print("no javac: Java left out")
        return []
    sources = ROOT / "examples" / "epa_java"
    subprocess.run(["javac", "-g", "-d", folder / "apart", *sources.glob("*.java")], check=True)
    shutil.copytree(folder / "apart", folder / "beside")
    for path in sources.glob("*.java"):
        shutil.copy(path, folder / "beside")
    return [((folder / "apart" / "ListItr.class", sources / "ListItr.java"), [], "list_iterator"),
            (folder / "beside" / "Signature.class", [], "signature")]


def main():
    with tempfile.TemporaryDirectory(prefix="tacit-epa-") as folder:
        folder = Path(folder)

        def epa(*arguments, status=0, out="result.json"):
            tacit("epa", "-o", folder / out, "--quiet", *arguments, status=status)
            return json.loads((folder / out).read_text())

        def certain(result, label):
            check(all(t["certainty"] == "certain" and t["invariant"] == "kept" for t in result["transitions"]),
                  f"{label}: not all transitions are certain")

        def stripped(result):
            result["stats"] = None
            return result

        for name in EXPECTED + list(COUNTS):
            result = epa(source(name))
            check("check" not in result["verdict"]["details"], f"{name}: not confirmed by the second solver")
            certain(result, name)
            if name in COUNTS:
                size = len(result["states"]), len(result["transitions"])
                check(size == COUNTS[name], f"{name}: {size} states and transitions")
            else:
                check(parts(result) == expected_parts(f"epa_{name}"), f"{name}: not as expected")
            examples = sum("example" in t for t in result["transitions"])
            check(examples == len(result["transitions"]), f"{name}: {examples} transitions have an example")
            check(stripped(epa(source(name), "--workers", "3")) == stripped(result), f"{name}: workers matter")
            again = epa(source(name), "--search", "candidates")
            check(parts(again) == parts(result), f"{name}: candidates give something else")
            if len(result["methods"]) <= 8:
                again = epa(source(name), "--search", "candidates", "--no-pruning")
                check(parts(again) == parts(result), f"{name}: pruning matters")
            kinds = {finding["kind"] for finding in result["epa"]["findings"]}
            check(kinds.issuperset(FINDINGS.get(name, [])), f"{name}: only found {sorted(kinds)}")

        for path, wanted in MINED.items():
            result = epa(ROOT / "examples" / f"{path}.tir", "--requires", "mined", "--annotate", folder / "mined.tir")
            certain(result, path)
            check(parts(result) == expected_parts(wanted), f"{path} mined: not as expected")
            check(result["epa"]["invariant_from"] == "inferred", f"{path}: no invariant was inferred")
            # What was mined can be saved and used as if it were given.
            again = epa(folder / "mined.tir")
            check(parts(again) == parts(result) and again["epa"]["invariant_from"] in ("given", "none"),
                  f"{path}: the annotated program has another abstraction")
        for name, states in [("jdk_signature", 3), ("unique_lock_mutex", 3)]:
            result = epa(ROOT / "examples" / "lowered" / f"{name}.tir")
            certain(result, name)
            check(len(result["states"]) == states, f"{name}: {len(result['states'])} states")

        # In C, clauses are functions; in C++ and Java comments, or attributes.
        C, CPP = ROOT / "examples" / "epa_c", ROOT / "examples" / "epa_cpp"
        for file, options, wanted in [(C / "list.c", ["--constructor", "List"], "list_buggy"),
                                      (C / "list.c", ["--constructor", "List", "--", "-DFIXED"], "list_fixed"),
                                      (C / "piped_output_stream.c", [], "piped_output_stream"),
                                      (C / "signature.c", [], "signature"),
                                      (C / "list_iterator.c", ["--constructor", "ListItr"], "list_iterator"),
                                      (C / "socket.c", [], "socket_first"),
                                      (C / "socket.c", ["--", "-DSECOND"], "socket_second"),
                                      (C / "pccrr.c", [], "pccrr_first"),
                                      (C / "pccrr.c", ["--", "-DSECOND"], "pccrr_second"),
                                      (C / "smtp_server.c", [], "smtp_server"),
                                      (C / "smtp_protocol.c", [], "smtp_protocol"),
                                      (CPP / "socket.cpp", ["--class", "Socket"], "socket_second"),
                                      (CPP / "pccrr.cpp", ["--class", "PCCRR"], "pccrr_second")] + java(folder):
            result = epa(*([file] if isinstance(file, Path) else file), *options)
            label = f"{file} {options}"
            certain(result, label)
            if wanted in COUNTS:
                size = len(result["states"]), len(result["transitions"])
                check(size == COUNTS[wanted], f"{label}: {size} states and transitions")
            else:
                check(parts(result) == expected_parts(f"epa_{wanted}"), f"{label}: not as expected")
            kinds = {finding["kind"] for finding in result["epa"]["findings"]}
            check(kinds.issuperset(FINDINGS.get(wanted, [])), f"{label}: only found {sorted(kinds)}")
            check(not result["epa"].get("unconfirmed") and "check" not in result["verdict"]["details"],
                  f"{label}: not confirmed by the second solver")
            tacit("verify", folder / "result.json", "--quiet")

        # Real classes without any annotation.
        lock = ROOT / "examples" / "unique_lock" / "unique_lock.cpp"
        result = epa(lock, "--class", "std::unique_lock<std::mutex>")
        check(len(result["states"]) == 3, f"unique_lock: {len(result['states'])} states")
        check(all(t["certainty"] == "certain" for t in result["transitions"]),
              "unique_lock: uncertain")
        if shutil.which("java"):
            result = epa("jdk:", "--class", "java.security.Signature")
            check(len(result["states"]) == 3, f"JDK Signature: {len(result['states'])} states")
            result = epa("jdk:", "--class", "java.net.Socket", "--methods",
                         "connect,bind,close,getInputStream,getOutputStream,shutdownInput,shutdownOutput")
            certain(result, "JDK Socket")
            check(len(result["states"]) == 6, f"JDK Socket: {len(result['states'])} states")
            check("(!connected || bound)" in result["epa"]["invariant"], f"JDK Socket: {result['epa']['invariant']}")
            result = epa("jdk:", "--class", "java.util.ArrayList$ListItr", "--methods", "next,previous,remove,set,add")
            clauses = {clause["call"]: clause for clause in result["epa"]["requires"]}
            check("cursor < this$0.size" in clauses["next"]["enabled"] and clauses["add"]["splitting"] == "precise",
                  f"JDK ListItr: {clauses}")
            tacit("verify", folder / "result.json", "--quiet")

        # The finding about remove disappears with the fault, and diff names the new transition.
        fixed = epa(source("list_fixed"), out="fixed.json")
        check("never leaves" not in {f["kind"] for f in fixed["epa"]["findings"]}, "list_fixed: still found")
        epa(source("list_buggy"), out="buggy.json")
        text = tacit("diff", folder / "buggy.json", folder / "fixed.json", status=1)
        check(text == "new:\n  transition {add, destroy, remove} remove → {add, destroy}\n", f"diff: {text}")
        tacit("diff", folder / "fixed.json", folder / "fixed.json")

        # Facts of single states do what the paper's second Socket does.
        facts = [x for calls in ("connect,close", "bind,connect,close")
                 for x in ("--fact", f"{calls}: !shut_in && !shut_out")]
        result = epa(source("socket_first"), *facts)
        check(parts(result) == expected_parts("epa_socket_second"), "socket with facts: not as expected")
        result = epa(source("socket_first"), "--invariant", "!shut_in && !shut_out || connected")
        check(parts(result) == expected_parts("epa_socket_second"), "socket with an invariant: not as expected")

        result = epa(source("pccrr_second"), "--reachable")
        certain(result, "pccrr_second --reachable")
        check((len(result["states"]), len(result["transitions"])) == (9, 12), "pccrr_second --reachable: wrong size")
        splits = [clause["splitting"] for clause in result["epa"]["requires"]]
        check(splits.count("by choice") == 3, f"pccrr_second: {splits}")

        answers = tacit("epa", source("list_buggy"), "--quiet", "--why-not", "S2 remove S1", "--why-not", "S1 remove S0",
                        "--why-not", "{add,destroy} add S2")
        check("S2 remove S1: proved absent: remove is always enabled afterwards" in answers, answers)
        check("S1 remove S0: remove is not enabled in S1" in answers, answers)
        check("S1 add S2: there is such a transition" in answers, answers)

        shown = tacit("show", folder / "buggy.json")
        check(re.search(r"add, remove ↺", shown) and "Findings" in shown, shown)
        for form in ("dot", "svg", "html", "mermaid", "markdown", "json"):
            tacit("show", folder / "buggy.json", "--as", form, "-o", folder / f"shown.{form}")
        seen = tacit("bench", "contractor")
        check("All as recorded for these models." in seen, "bench contractor")
        different = re.findall(r"^  (.+): \d+/\d+ with \d+ calls, published .*: ", seen, re.M)
        check(different == ["ListItr", "Socket (1st)", "Socket (2nd)", "PCCRR (1st)", "SMTPServer"],
              f"bench contractor: other than published: {different}")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    import os
    os.chdir(ROOT)
    sys.exit(main())
