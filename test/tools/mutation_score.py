#!/usr/bin/env python3
"""How many mistakes do generated tests find: each subject is changed in one place at a time (a check taken out, a
comparison or a connective changed, a constant moved by one, an assignment dropped or turned round); where that changes its
protocol, as `tacit synth` and `tacit diff` say, the tests that `tacit tests` wrote for the original should fail.

`mutation_score.py [NAMES]` prints a table, and what no test found.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

TACIT = os.environ.get("TACIT", "build/tacit")
ROOT = os.environ.get("TACIT_ROOT", os.getcwd())

PARKING = ["-I", f"{ROOT}/examples/parking/include"]


def parking(name, *more):
    return {"file": f"examples/parking/src/{name.lower()}.cpp", "synth": ["--class", name, *more], "flags": PARKING}


def java(name, *more):
    return {"file": f"examples/java/{name}.java", "synth": ["--class", name, *more], "java": name}


SUBJECTS = {
    "Ticket": parking("Ticket"),
    "Barrier": parking("Barrier"),
    "Meter": parking("Meter", "--error", "returns:Result::BadState", "--error", "returns:Result::BadAmount"),
    "stream": {"file": "test/compare/stream.c", "synth": ["--handle", "stream", "--own", "stream", "--constructor", "stream_init"],
               "worlds": ["int sys_open(const char *name) { return name ? 3 : 4; }\nint sys_read(void) { return 1; }\n",
                          "int sys_open(const char *name) { return name ? -1 : -2; }\nint sys_read(void) { return -1; }\n"],
               "flags": ["-I", f"{ROOT}/test/compare"]},
    "lock": {"file": "test/compare/lock.c", "synth": ["--handle", "lock", "--own", "lock", "--constructor", "lock_init"],
             "worlds": ["int sys_busy(void) { return 0; }\n", "int sys_busy(void) { return 1; }\n"],
             "flags": ["-I", f"{ROOT}/test/compare"]},
    "ListItr": java("ListItr"),
    "PipedOutputStream": java("PipedOutputStream"),
    "ServerTableEntry": java("ServerTableEntry"),
    "Socket": java("Socket"),
    "TransactionManager": java("TransactionManager"),
}

CHECK = re.compile(r"^(\s*(?:\S.*\{ )?)(if \([^;{}]*\) (?:throw|return) [^;]*;|assert\([^;]*\);)")
SWAPS = [(r"(?<![<>=!-])<(?![<=])", "<="), (r"<=", "<"), (r"(?<![->=])>(?![>=])", ">="), (r">=", ">"), (r"==", "!="), (r"!=", "=="),
         (r"&&", "||"), (r"\|\|", "&&"), (r"= true\b", "= false"), (r"= false\b", "= true"), (r"!(?=\w)", "")]


def mutants(text):
    """(line number, what was done, text)"""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        code = line.split("//")[0]
        if not code.strip() or code.lstrip().startswith(("#", "*", "/*", "import", "template")):
            continue
        made = {}
        if m := CHECK.match(code):
            made[m[1] + code[m.end():]] = "check taken out"
        if m := re.search(r"\b[\w.>-]+ (?:=|\+=|-=) [^=;]*;|\b\w+(?:\+\+|--);", code):
            if not re.match(r"\s*(?:private|public|static|final|int|bool|boolean|auto|const)\b", code):
                made.setdefault(code[:m.start()] + code[m.end():], "assignment dropped")
        for pattern, other in SWAPS:
            for m in re.finditer(pattern, code):
                made.setdefault(code[:m.start()] + other + code[m.end():], f"{m[0]} to {other or 'nothing'}")
        for m in re.finditer(r"(?<=[<>=] )\d+\b", code):
            for step in (1, -1):
                made.setdefault(code[:m.start()] + str(int(m[0]) + step) + code[m.end():], f"{m[0]} to {int(m[0]) + step}")
        for changed, what in made.items():
            if changed != code:
                yield i + 1, what, "\n".join([*lines[:i], changed, *lines[i + 1:]]) + "\n"


def run(*words, **more):
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False, timeout=120, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", "timeout")


def must(*words, **more):
    done = run(*words, **more)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Cpp:
    """The component compiled for each mutant, the tests once."""

    def __init__(self, subject, folder):
        self.subject, self.folder = subject, folder
        self.file = os.path.join(folder, os.path.basename(subject["file"]))

    def sources(self):
        return [self.file]

    def compile(self):
        tool = ["gcc"] if self.file.endswith(".c") else ["g++", "-std=c++20"]
        return run(*tool, "-O0", "-UNDEBUG", *self.subject["flags"], "-c", self.file, "-o", f"{self.folder}/made.o").returncode == 0

    def prepare(self, result):
        test = f"{self.folder}/test.cpp"
        must(TACIT, "tests", result, "-o", test, "--quiet", "--", *self.subject["flags"])
        must("g++", "-std=c++20", "-O0", *self.subject["flags"], "-I", self.folder, "-c", test, "-o", f"{self.folder}/test.o")

    def red(self):
        """In any of the worlds: what the component calls and nobody gives."""
        found = []
        for world in self.subject.get("worlds", [""]):
            with open(f"{self.folder}/world.c", "w", encoding="utf-8") as file:
                file.write(world)
            must("gcc", "-c", f"{self.folder}/world.c", "-o", f"{self.folder}/world.o")
            if run("g++", *(f"{self.folder}/{part}.o" for part in ("made", "test", "world")), "-o", f"{self.folder}/all", "-lgtest", "-lgtest_main", "-lpthread").returncode:
                return None
            found.append(run(f"{self.folder}/all").returncode != 0)
        return any(found)

    def synth_flags(self):
        return ["--", *self.subject["flags"]]


class Java:
    def __init__(self, subject, folder):
        self.subject, self.folder = subject, folder
        self.file = os.path.join(folder, os.path.basename(subject["file"]))

    def sources(self):
        return [f"{self.folder}/classes"]

    def compile(self):
        return run("javac", "-g", "-d", f"{self.folder}/classes", self.file).returncode == 0

    def prepare(self, result):
        name = self.subject["java"] + "ProtocolTest"
        must(TACIT, "tests", result, "-o", f"{self.folder}/{name}.java", "--quiet")
        must("javac", "-d", f"{self.folder}/classes", "-cp", f"{self.folder}/classes", f"{self.folder}/{name}.java")

    def red(self):
        return run("java", "-ea", "-cp", f"{self.folder}/classes", self.subject["java"] + "ProtocolTest").returncode != 0

    def synth_flags(self):
        return []


def judge(name, subject, folder):
    with open(os.path.join(ROOT, subject["file"]), encoding="utf-8") as file:
        text = file.read()
    for header in os.listdir(os.path.dirname(os.path.join(ROOT, subject["file"]))):
        if header.endswith(".h"):
            shutil.copy(os.path.join(ROOT, os.path.dirname(subject["file"]), header), folder)
    made = Java(subject, folder) if "java" in subject else Cpp(subject, folder)

    def put(content):
        with open(made.file, "w", encoding="utf-8") as file:
            file.write(content)
        return made.compile()

    def protocol(out):
        return run(TACIT, "synth", *made.sources(), *subject["synth"], "-o", out, "--quiet", "--time", "30", *made.synth_flags()).returncode

    assert put(text), f"{name} does not compile"
    original, other = f"{folder}/original.json", f"{folder}/other.json"
    assert protocol(original) == 0, name
    made.prepare(original)
    assert made.red() is False, f"{name}: tests of the original fail"
    counts, missed = {"mutants": 0, "changed": 0, "red": 0}, []
    for line, what, content in mutants(text):
        if not put(content):
            continue
        counts["mutants"] += 1
        # A component that never fails any more, or no longer lets itself be decided, has another protocol, too.
        status = protocol(other)
        if status == 0 and run(TACIT, "diff", original, other).returncode == 0:
            continue
        if status not in (0, 2):
            continue
        counts["changed"] += 1
        if made.red() is not False:
            counts["red"] += 1
        else:
            missed.append(f"{name}:{line}: {what}: {content.splitlines()[line - 1].strip()}")
    return counts, missed


def main():
    wanted = sys.argv[1:] or list(SUBJECTS)
    total = {"mutants": 0, "changed": 0, "red": 0}
    print("| subject | mutants | change the protocol | tests fail |\n|---|---|---|---|")
    for name in wanted:
        with tempfile.TemporaryDirectory(prefix="tacit-mutants-") as folder:
            counts, more = judge(name, SUBJECTS[name], folder)
        print(f"| {name} | {counts['mutants']} | {counts['changed']} | {counts['red']} |", flush=True)
        for text in more:
            print(f"no test fails: {text}", file=sys.stderr, flush=True)
        for key, n in counts.items():
            total[key] += n
    share = 100 * total["red"] / max(1, total["changed"])
    print(f"| **all** | {total['mutants']} | {total['changed']} | {total['red']} ({share:.0f} %) |")
    return 0 if share >= 90 else 1


if __name__ == "__main__":
    sys.exit(main())
