"""Checking a client against the interface instead of the component (Henzinger, Jhala and Majumdar, Permissive Interfaces,
section 6): Theorem 3 on random pairs of client and component, and the client of Figure 3(C).

Components and clients are random programs over two small fields. Whether a pair can fail is known by running it in every
way; Tacit says so twice, by analysing both together (`synth` of the client's functions) and by the interface (`check`).
With the full interface all three agree; with one that is not full "follows" is never wrong.

Without arguments a fixed sample; TACIT_FULL=1: 500 pairs. `modular.py FIRST COUNT [--keep FOLDER]`: components of those seeds.
"""
import argparse
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

TACIT = os.environ["TACIT"]
FULL = os.environ.get("TACIT_FULL") == "1"
CLIENTS = 10  # for each component


def run(*words, ok=(0,)):
    done = subprocess.run([TACIT, *words], capture_output=True, text=True)
    if done.returncode not in ok:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


# Programs are lists of statements: ("assert", c), ("set", variable, constant), ("if", c, then, else), ("call", name, keeps),
# ("while", body), ("return", value). A condition is (variable, constant, equal) or None for what nobody knows.


def condition(rng, variables):
    name, top = rng.choice(variables)
    return (name, rng.randint(0, top), rng.random() < 0.6)


FIELDS = [("a", 2), ("b", 1)]


def body(rng, depth):
    made = []
    for _ in range(rng.randint(1, 2)):
        kind = rng.random()
        if kind < 0.35 and depth > 0:
            test = None if rng.random() < 0.4 else condition(rng, FIELDS)
            made.append(("if", test, body(rng, depth - 1), body(rng, depth - 1) if rng.random() < 0.6 else []))
        elif kind < 0.5 and depth > 0:
            made.append(("return", rng.randint(0, 1)))
            return made
        else:
            name, top = rng.choice(FIELDS)
            made.append(("set", name, rng.randint(0, top)))
    return made


def component(rng):
    calls = {}
    for name in ("f", "g", "h"):
        first = [("assert", condition(rng, FIELDS))] if rng.random() < 0.8 else []
        calls[name] = first + body(rng, 2) + [("return", rng.randint(0, 1))]
    return calls


def client(rng, depth):
    made = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.random()
        if kind < 0.2 and depth > 0:
            test = None if rng.random() < 0.3 else ("r", rng.randint(0, 1), True)
            made.append(("if", test, client(rng, depth - 1), client(rng, depth - 1) if rng.random() < 0.5 else []))
        elif kind < 0.3 and depth > 0:
            made.append(("while", client(rng, depth - 1)))
        elif kind < 0.35 and depth < 2:
            made.append(("return", 0))
            return made
        else:
            made.append(("call", rng.choice("fgh"), rng.random() < 0.7))
    return made


# ---- Run in every way: a configuration is (a, b, r).

PLACE = {"a": 0, "b": 1, "r": 2}


def holds(test, one):
    return (one[PLACE[test[0]]] == test[1]) == test[2]


class Failed(Exception):
    pass


def execute(statements, configurations, calls):
    """What comes out at the end, and (configuration, value) of what returned before."""
    now, returned = set(configurations), set()
    for statement in statements:
        kind = statement[0]
        if kind == "assert":
            if any(not holds(statement[1], one) for one in now):
                raise Failed
        elif kind == "set":
            at = PLACE[statement[1]]
            now = {one[:at] + (statement[2],) + one[at + 1:] for one in now}
        elif kind == "return":
            returned |= {(one, statement[1]) for one in now}
            now = set()
        elif kind == "call":
            _, left = execute(calls[statement[1]], now, calls)
            now = {(a, b, value if statement[2] else r) for (a, b, r), value in left}
        elif kind == "if":
            yes = {one for one in now if statement[1] is None or holds(statement[1], one)}
            no = {one for one in now if statement[1] is None or not holds(statement[1], one)}
            one, left = execute(statement[2], yes, calls)
            other, right = execute(statement[3], no, calls)
            now, returned = one | other, returned | left | right
        else:
            while True:
                after, left = execute(statement[1], now, calls)
                returned |= left
                if after <= now:
                    break
                now |= after
    return now, returned


def fails(statements, calls):
    try:
        execute(statements, {(0, 0, 0)}, calls)
    except Failed:
        return True
    return False


# ---- In C.


def text_of(test, prefix):
    if test is None:
        return "choose()"
    return f"{'' if test[0] == 'r' else prefix}{test[0]} {'==' if test[2] else '!='} {test[1]}"


def lines(statements, indent, value):
    pad = "  " * indent
    for statement in statements:
        kind = statement[0]
        if kind == "assert":
            yield f"{pad}assert({text_of(statement[1], 's->')});"
        elif kind == "set":
            yield f"{pad}s->{statement[1]} = {statement[2]};"
        elif kind == "return":
            yield f"{pad}return {statement[1]};" if value else f"{pad}return;"
        elif kind == "call":
            yield f"{pad}{'r = ' if statement[2] else ''}{statement[1]}(&s);"
        elif kind == "if":
            yield f"{pad}if ({text_of(statement[1], 's->')}) {{"
            yield from lines(statement[2], indent + 1, value)
            yield f"{pad}}} else {{"
            yield from lines(statement[3], indent + 1, value)
            yield f"{pad}}}"
        else:
            yield f"{pad}while (choose()) {{"
            yield from lines(statement[1], indent + 1, value)
            yield f"{pad}}}"


HEADER = "#pragma once\nstruct box { int a, b; };\nvoid box_init(struct box *s);\nint f(struct box *s);\nint g(struct box *s);\nint h(struct box *s);\nint choose(void);\n"


def component_text(calls):
    text = '#include <assert.h>\n#include "box.h"\nvoid box_init(struct box *s) { s->a = 0; s->b = 0; }\n'
    for name, statements in calls.items():
        text += f"int {name}(struct box *s) {{\n" + "\n".join(lines(statements, 1, True)) + "\n}\n"
    return text


def client_text(clients):
    text = '#include "box.h"\n'
    for name, statements in clients.items():
        text += f"void {name}(void) {{\n  struct box s;\n  int r = 0;\n  box_init(&s);\n" + "\n".join(lines(statements, 1, False)) + "\n  (void)r;\n}\n"
    return text


def judge(seed, folder, counts):
    rng = random.Random(seed)
    calls = component(rng)
    clients = {f"client{i}": client(rng, 2) for i in range(CLIENTS)}
    write(os.path.join(folder, "box.h"), HEADER)
    source = write(os.path.join(folder, "box.c"), component_text(calls))
    using = write(os.path.join(folder, "clients.c"), client_text(clients))
    both = write(os.path.join(folder, "both.c"), '#include "box.c"\n#include "clients.c"\n')
    result, joined = os.path.join(folder, "box.json"), os.path.join(folder, "both.json")
    done = run("synth", source, "--handle", "box", "--own", "box", "--constructor", "box_init", *(["--full"] if seed % 3 else []), "--time", "20", "-o", result, "--quiet", ok=(0, 2, 3))
    if done.returncode == 2:
        return []  # nothing in it can fail
    verdict = json.load(open(result, encoding="utf-8"))["verdict"]
    if verdict["safe"] != "proved":
        counts["component not settled"] += 1
        return []
    checked = run("check", result, using, "--quiet", "--time", "60", ok=(0, 1, 3)).stdout
    said = dict(re.findall(r"^\S+: (client\d+):? (follows|violates|unknown)", checked, re.M))
    together = [word for name in clients for word in ("--methods", name)]
    done = run("synth", both, *together, "--error", "assert", "--arguments", "demonic", "--time", "60", "-o", joined, "--quiet", ok=(0, 2, 3))
    assert done.returncode != 2 or "error: clang" not in done.stderr, done.stderr
    analysed = json.load(open(joined, encoding="utf-8")) if done.returncode != 2 else None
    full, wrong = verdict["full"] == "proved", []
    for name, statements in clients.items():
        bad, word = fails(statements, calls), said.get(name, "no verdict")
        counts["pairs"] += 1
        counts[f"{'full' if full else 'not full'}: {word}, {'fails' if bad else 'safe'}"] += 1
        if word == "follows" and bad:
            wrong.append(f"seed {seed}, {name} follows, and fails")
        if full and word != ("violates" if bad else "follows"):
            wrong.append(f"seed {seed}, {name}: {word}, but it is {'not ' if bad else ''}safe")
        if not full and not bad and word == "unknown":
            wrong.append(f"seed {seed}, {name}: unknown")
        allowed = analysed is None or all(name in state["allows"] for state in analysed["states"])
        if not allowed and analysed["verdict"]["permissive"] != "proved":
            counts["together: not settled"] += 1
        elif allowed == bad:
            wrong.append(f"seed {seed}, {name}: analysed together it is {'safe' if allowed else 'not safe'}")
    return wrong


# ---- Figure 3(C).

P4 = """#include <assert.h>
#include "lock.h"
static int held, failed;
int acq(void) {
  assert(!held);
  if (!failed && choose()) { failed = 1; return 0; }
  held = 1;
  return 1;
}
void read(void) { assert(held); }
void rel(void) { held = 0; }
"""
P4_CLIENT = """#include "lock.h"
int main(void) {
  if (!acq()) acq(); /* it fails at most once */
  read();
  rel();
  return 0;
}
"""


def figure3(folder):
    """A correct client: a false alarm against W3, accepted against W4."""
    write(os.path.join(folder, "lock.h"), "int choose(void);\nint acq(void);\nvoid read(void);\nvoid rel(void);\n")
    source, using = write(os.path.join(folder, "lock.c"), P4), write(os.path.join(folder, "client.c"), P4_CLIENT)
    for states, options, status, word in ((2, (), 1, "main violates"), (4, ("--full",), 0, "main follows")):
        result = os.path.join(folder, f"w{states}.json")
        run("synth", source, *options, "-o", result, "--quiet")
        found = len(json.load(open(result, encoding="utf-8"))["states"])
        assert found == states, f"{found} states"
        done = run("check", result, using, "--quiet", ok=(status,))
        assert word in done.stdout, done.stdout
        assert ("not proved full" in done.stdout) == (states == 2), done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("count", nargs="?", type=int, default=60 if FULL else 3)
    parser.add_argument("--keep")
    options = parser.parse_args()
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="tacit-modular-") as folder:
        figure3(folder)
    for seed in range(options.first, options.first + options.count):
        with tempfile.TemporaryDirectory(prefix="tacit-modular-") as folder:
            found = judge(seed, folder, counts)
            for text in found:
                print(text, flush=True)
            wrong += found
            if found and options.keep:
                shutil.copytree(folder, os.path.join(options.keep, str(seed)), dirs_exist_ok=True)
    for name, n in sorted(counts.items()):
        print(f"{name}: {n}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
