#!/usr/bin/env python3
"""Twenty small clients of a stream and a lock (test/compare): what Tacit finds in them, and with
--all what other analysers do, as the table in docs/clients.md. A client says `right` or `wrong` in
the comment before it. Analysers that know the C library see its streams and mutexes (NATIVE);
Tacit sees stream.c and lock.c. A tool finds a client when it complains about a line of it; what is
not installed is left out.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TACIT = os.environ.get("TACIT", "build/tacit")
HERE = Path(__file__).resolve().parents[1] / "compare"
CLIENTS = {"stream": "stream_clients.c", "lock": "lock_clients.c"}
CHECKS = ("-*,bugprone-*,cert-*,concurrency-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,"
          "-bugprone-reserved-identifier,-cert-err33-c,"
          "-bugprone-assignment-in-if-condition")
ANALYSERS = {
    "gcc -fanalyzer": lambda f: ["gcc", "-DNATIVE", "-O1", "-fanalyzer", "-ftrack-macro-expansion=0", "-c", f, "-o", "/dev/null"],
    "clang --analyze": lambda f: ["clang-19", "-DNATIVE", "--analyze", f, "-o", "/dev/null"],
    "clang, alpha checkers": lambda f: ["clang-19", "-DNATIVE", "--analyze", "-Xclang",
                                        "-analyzer-checker=alpha.unix", f, "-o", "/dev/null"],
    "clang-tidy": lambda f: ["clang-tidy-19", f"--checks={CHECKS}", f, "--", "-DNATIVE"],
}


def clients(file):
    """(name, whether it is right, first line, last line) of every client, helpers left out."""
    found, comment = [], None
    for number, line in enumerate((HERE / file).read_text().splitlines(), 1):
        if m := re.match(r"/\* (right|wrong)(.*?) ?\*/", line):
            comment = m[1] == "right"
        elif (m := re.match(r"\w[\w ]*?(\w+)\(", line)) and line.endswith("{"):
            start = (m[1], comment, number)
        elif line == "}" and start:
            if start[1] is not None:
                found.append((*start, number))
            start, comment = None, None
    return found


def complaints(command, file):
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    lines = re.findall(rf"{file}:(\d+):\d+: warning: ", done.stdout + done.stderr)
    return {int(line) for line in lines}


def tacit_verdicts(tacit, handle, file, work):
    result = f"{work}/{handle}.json"
    close = "stream_close" if handle == "stream" else "lock_give"
    subprocess.run([tacit, "synth", f"{handle}.c", "--handle", handle, "--own", handle,
                    "--constructor", f"{handle}_init", "-o", result, "--quiet"],
                   cwd=HERE, check=True)
    done = subprocess.run([tacit, "check", result, file, "--handle", handle, "--must-end", close, "--quiet"],
                          cwd=HERE, capture_output=True, text=True, check=False)
    words = {}
    for line in done.stdout.splitlines():
        if m := re.match(r"\S+: (\w+)(?:\(.*?\))?:? (follows|violates|leaks|unknown)", line):
            words.setdefault(m[1], m[2])
    return words, done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="the other analysers, too")
    wanted = ANALYSERS if parser.parse_args().all else {}
    tacit = str(Path(TACIT).resolve())
    tools = {name: make for name, make in wanted.items() if shutil.which(make("x")[0])}
    rows, missed, alarms = [], dict.fromkeys([*tools, "tacit"], 0), dict.fromkeys([*tools, "tacit"], 0)
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        for handle, file in CLIENTS.items():
            lines = {name: complaints(make(file), file) for name, make in tools.items()}
            verdicts, text = tacit_verdicts(tacit, handle, file, work)
            for name, right, first, last in clients(file):
                said = {tool: any(first <= line <= last for line in lines[tool]) for tool in tools}
                said["tacit"] = verdicts.get(name) != "follows"
                wrong += not right
                for tool, found in said.items():
                    missed[tool] += not right and not found
                    alarms[tool] += right and found
                row = [f"`{name}`", "right" if right else "wrong"]
                row += ["finds it" if f and not right else "false alarm" if f else "misses it" if not right else ""
                        for f in said.values()]
                if verdicts.get(name) == "unknown":
                    row[-1] = "unknown"
                rows.append(row)
                if name not in verdicts:
                    print(f"no verdict for {name}:\n{text}", file=sys.stderr)
    heads = ["client", "is", *tools, "Tacit"]
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print("| **found** | " + " | ".join([f"{wrong} wrong", *[str(wrong - missed[t]) for t in missed]]) + " |")
    print("| **false alarms** | | " + " | ".join(str(alarms[t]) for t in alarms) + " |")
    return 1 if missed["tacit"] or alarms["tacit"] else 0


if __name__ == "__main__":
    sys.exit(main())
