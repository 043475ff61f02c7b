#!/usr/bin/env python3
"""Twenty small clients of a stream and a lock (test/compare): what Tacit finds in them, and with
--all what other analysers do, as the table in docs/clients.md. A client says `right` or `wrong` in
the comment before it. Analysers that know the C library see its streams and mutexes (NATIVE);
Tacit sees stream.c and lock.c. A tool finds a client when it complains about a line of it; what is
not installed is left out. Twenty more in Java (test/compare/java) use a stream and a lock of the
JDK, which Debian's findbugs knows; Tacit sees classes of the same names in `model`.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
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


JAVA = {"FileInputStream": ("StreamClients.java", "java.io", "close"),
        "ReentrantLock": ("LockClients.java", "java.util.concurrent.locks", "unlock")}


def clients(file):
    """(name, whether it is right, first line, last line) of every client, helpers left out."""
    found, comment, start = [], None, None
    for number, line in enumerate((HERE / file).read_text().splitlines(), 1):
        if m := re.match(r" */\* (right|wrong)(.*?) ?\*/", line):
            comment = m[1] == "right"
        elif (m := re.match(r"(?:    public |    private )?\w[\w ]*?(\w+)\(", line)) and line.endswith("{"):
            start = (m[1], comment, number)
        elif line in ("}", "    }") and start:
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


def signatures_of_java8(jar):
    """What findbugs, which is older than the JDK here, can read of its library."""
    home = Path(shutil.which("javac")).resolve().parents[1]
    with zipfile.ZipFile(home / "lib/ct.sym") as given, zipfile.ZipFile(jar, "w") as made:
        seen = set()
        for name in given.namelist():
            top, *rest = name.removesuffix(".sig").split("/")
            path = "/".join(rest[1:] if rest and "." in rest[0] else rest) + ".class"
            if "8" in top and name.endswith(".sig") and path not in seen:
                seen.add(path)
                data = bytearray(given.read(name))
                data[6:8] = b"\0\x34"
                made.writestr(path, bytes(data))


def findbugs_lines(work):
    """File -> lines that findbugs complains about."""
    classes, jar = f"{work}/native", f"{work}/java8.jar"
    signatures_of_java8(jar)
    files = [str(HERE / "java" / file) for file, _, _ in JAVA.values()]
    subprocess.run(["javac", "--release", "8", "-g", "-d", classes, *files], check=True, capture_output=True)
    done = subprocess.run(["findbugs", "-textui", "-low", "-effort:max", "-auxclasspath", jar, classes], capture_output=True, text=True, check=False)
    found = {file: set() for file, _, _ in JAVA.values()}
    for file, line in re.findall(r"(\w+\.java):\[line (\d+)\]", done.stdout + done.stderr):
        found[file].add(int(line))
    return found


def java_rows(tacit, with_findbugs):
    """(name, right, {tool: whether it complains, or None where nothing is known}) of every client."""
    rows = []
    with tempfile.TemporaryDirectory() as work:
        lines = findbugs_lines(work) if with_findbugs else None
        sources = [str(file) for file in (HERE / "java/model").glob("*.java")]
        for name, (file, package, _) in JAVA.items():
            text = (HERE / "java" / file).read_text().replace(f"import {package}.{name};", f"import model.{name};")
            sources.append(f"{work}/{file}")
            Path(sources[-1]).write_text(text)
        subprocess.run(["javac", "-g", "-d", f"{work}/classes", *sources], check=True)
        for name, (file, _, wanted) in JAVA.items():
            result, about = f"{work}/{name}.json", ["--class", f"model.{name}", "--quiet"]
            subprocess.run([tacit, "synth", f"{work}/classes", *about, "-o", result], check=True)
            done = subprocess.run([tacit, "check", result, f"{work}/classes", *about, "--must-end", wanted],
                                  capture_output=True, text=True, check=False)
            words = dict(re.findall(r"^\S+: \w+\.(\w+):? (follows|violates|unknown)", done.stdout, re.M))
            for client, right, first, last in clients(f"java/{file}"):
                said = {"findbugs": any(first <= line <= last for line in lines[file])} if lines else {}
                said["tacit"] = {"follows": False, "violates": True}.get(words[client])
                rows.append((client, right, said))
    return rows


def java_table(tacit, with_findbugs):
    """Prints the table; whether Tacit is wrong somewhere."""
    rows = java_rows(tacit, with_findbugs)
    tools = list(rows[0][2])
    print("\n| client | is | " + " | ".join("Tacit" if t == "tacit" else t for t in tools) + " |\n|" + "---|" * (len(tools) + 2))
    for client, right, said in rows:
        texts = ["unknown" if s is None else "false alarm" if s and right else "finds it" if s else "" if right else "misses it" for s in said.values()]
        print(f"| `{client}` | {'right' if right else 'wrong'} | " + " | ".join(texts) + " |")
    wrong = [said for _, right, said in rows if not right]
    print(f"| **found** | {len(wrong)} wrong | " + " | ".join(str(sum(bool(s[t]) for s in wrong)) for t in tools) + " |")
    print("| **false alarms** | | " + " | ".join(str(sum(bool(s[t]) for _, right, s in rows if right)) for t in tools) + " |")
    return any(said["tacit"] == right for _, right, said in rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="the other analysers, too")
    everything = parser.parse_args().all
    wanted = ANALYSERS if everything else {}
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
    bad = bool(missed["tacit"] or alarms["tacit"])
    if shutil.which("javac"):
        bad |= java_table(tacit, everything and bool(shutil.which("findbugs")))
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
