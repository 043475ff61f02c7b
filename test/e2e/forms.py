#!/usr/bin/env python3
"""Has every written form read by a program that is made for it, where one is installed.

dot: Graphviz and Tacit itself; svg, scxml: xmllint, scxml also with a schema and by Qt's compiler;
plantuml: PlantUML; mermaid: Mermaid in a browser. No reader of aut and hoa is packaged, so small ones
here compare them with the result. A reader that is missing is named, and the test counts as skipped
unless others found something.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import _hostile
from _browser import FOLDER, ROOT, run_node, tacit

FAILED, SKIPPED = [], []
QSCXMLC = next((p for p in ("/usr/lib/qt5/bin/qscxmlc", "/usr/lib/qt6/libexec/qscxmlc") if Path(p).exists()), None)


def accepts(what, command, **how):
    """Whether a reader takes it without a word of complaint."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace", timeout=120,
                          check=False, **how)
    complaint = done.stderr.strip()
    if done.returncode != 0 or "error" in complaint.lower() or "warning" in complaint.lower():
        FAILED.append(f"{what}: {command[0]} says {complaint[:600]} (status {done.returncode})")
    return done.stdout


def installed(program):
    if program and shutil.which(program):
        return True
    SKIPPED.append(program or "qscxmlc")
    return False


def expect(what, got, want):
    if got != want:
        FAILED.append(f"{what}: {str(got)[:300]} instead of {str(want)[:300]}")


def letters(result):
    """(from, letter, to) of every transition."""
    triples = set()
    for t in result["transitions"]:
        outcomes = result["outcomes"][t["call"]]
        name = t["call"] if len(outcomes) == 1 else f"{t['call']}:{t['outcome']}"
        triples.add((t["from"], name, t["to"]))
    return triples


def check_dot(name, result, path):
    if installed("dot"):
        plain = accepts(name, ["dot", "-Tplain", path])
        edges = sum(line.startswith("edge ") for line in plain.splitlines())
        expect(f"{name}: edges", edges, len(result["transitions"]) + len(result["initial"]))
    # Read back it is the same interface. Where states refuse by call and letters split calls, too.
    if len(result["initial"]) == 1:
        expect(f"{name}: read back", tacit("diff", path.with_suffix(".json"), path, statuses=(0, 1)), "")
    again = path.with_name("again.dot")
    tacit("show", path, "--as", "dot", "-o", again)
    count = lambda p: len(re.findall(r"^  s\d+ -> ", p.read_text(), re.MULTILINE))
    expect(f"{name}: transitions read back", count(again), count(path))


def check_aut(name, result, path):
    lines = path.read_text().split("\n")
    head = re.fullmatch(r"des \((\d+), (\d+), (\d+)\)", lines[0])
    unquote = lambda text: re.sub(r"%([0-9A-F]{2})", lambda m: chr(int(m.group(1), 16)), text)
    found = [re.fullmatch(r'\((\d+), "([^"]*)", (\d+)\)', line) for line in lines[1:-1]]
    if not head or not all(found):
        FAILED.append(f"{name}: not in Aldebaran's format")
        return
    expect(f"{name}: the head counts", int(head.group(2)), len(found))
    states = len(result["states"])
    triples = {(int(m.group(1)), unquote(m.group(2)), int(m.group(3))) for m in found}
    starts = {t[2] for t in triples if t[0] == states} or {int(head.group(1))}
    expect(f"{name}: transitions", {t for t in triples if t[0] < states}, letters(result))
    expect(f"{name}: starts", starts, {i["state"] for i in result["initial"]})


def check_hoa(name, result, path):
    text = path.read_text()
    head, _, body = text.partition("--BODY--\n")
    names = re.findall(r'"((?:[^"\\]|\\.)*)"', re.search(r"^AP: \d+ (.*)$", head, re.MULTILINE).group(1))
    names = [re.sub(r"\\(.)", r"\1", n) for n in names]
    aliases = {}
    for alias, formula in re.findall(r"^Alias: @(\w+) (.*)$", head, re.MULTILINE):
        positive = [int(p) for p in formula.split("&") if not p.startswith("!")]
        expect(f"{name}: one letter holds", len(positive), 1)
        aliases[alias] = names[positive[0]]
    triples, state = set(), None
    for line in body.splitlines():
        if line.startswith("State: "):
            state = int(line.split()[1])
        elif line.startswith("["):
            alias, to = re.fullmatch(r"\[@(\w+)\] (\d+)", line).groups()
            triples.add((state, aliases[alias], int(to)))
    control = re.compile(r"[\x00-\x1f]")
    expect(f"{name}: transitions", triples, {(a, control.sub(" ", n), b) for a, n, b in letters(result)})


def check_xml(name, path, schema=None):
    if installed("xmllint"):
        accepts(name, ["xmllint", "--noout", "--huge", *(["--schema", schema] if schema else []), path])


def main():
    with tempfile.TemporaryDirectory(prefix="tacit-forms-") as temporary:
        folder = Path(temporary)
        results = {}
        for example in ("signature", "list_iterator", "nasa_cev", "permissive_p4"):
            path = folder / f"{example}.json"
            tacit("synth", f"examples/{example}/{example}.tir", "-o", path)
            results[example] = path
        _hostile.write(folder / "hostile.json", states=4)
        results["hostile"] = folder / "hostile.json"
        diagrams, plant = [], []
        for example, path in results.items():
            result = json.loads(path.read_text())
            for form in ("dot", "svg", "aut", "hoa", "scxml", "mermaid", "plantuml", "markdown", "text"):
                tacit("show", path, "--as", form, "-o", folder / f"{example}.{form}")
            check_dot(f"{example} as dot", result, folder / f"{example}.dot")
            check_aut(f"{example} as aut", result, folder / f"{example}.aut")
            check_hoa(f"{example} as hoa", result, folder / f"{example}.hoa")
            check_xml(f"{example} as svg", folder / f"{example}.svg")
            scxml = folder / f"{example}.scxml"
            check_xml(f"{example} as scxml", scxml, ROOT / "test" / "schema" / "scxml.xsd")
            if installed(QSCXMLC):
                accepts(f"{example} as scxml", [QSCXMLC, scxml, "--header", folder / "x.h", "--impl", folder / "x.cpp"])
            diagrams.append(folder / f"{example}.mermaid")
            plant.append(folder / f"{example}.plantuml")
        (folder / "hostile.mermaid.texts").write_text(json.dumps(
            ["new<script>", "[*]:returns=[*]", "%%{init: {}}%%", "a|b:", "back\\slash\\n:", "#35;:"]))
        (folder / "signature.mermaid.texts").write_text(json.dumps(["initSign, sign, update", "0: mode == UNINITIALIZED"]))
        if installed("plantuml"):
            accepts("plantuml", ["plantuml", "-failfast2", "-tsvg", *plant], cwd=folder)
            for source in plant:
                picture = source.with_suffix(".svg")
                if not picture.exists() or "Syntax Error" in picture.read_text():
                    FAILED.append(f"{source.name}: PlantUML draws no picture")
        if (FOLDER / "node_modules" / "mermaid").is_dir() and shutil.which("chromium") and shutil.which("node"):
            if run_node("mermaid.mjs", *diagrams) != 0:
                FAILED.append("mermaid: see above")
        else:
            SKIPPED.append("mermaid (npm ci --prefix test/browser)")
    for failure in FAILED:
        print("FAILED", failure)
    missing = sorted(set(SKIPPED))
    if missing:
        print("SKIPPED, not installed: " + ", ".join(missing))
    if FAILED:
        return 1
    return 77 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
