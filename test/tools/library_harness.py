#!/usr/bin/env python3
"""Runs a real C library natively and compares it with an interface that was computed with angelic arguments.

The library's sources are compiled as they are. A driver makes the calls of a word with sample arguments, each word in
a process of its own; a sample may first set fields of the handle, which the client owns. What is held against the
result:

  safe        an allowed call does not err with at least one of the samples, in every run;
  permissive  a refused call errs or is rejected with every sample, and errs with one of them;
  outcomes    what a call returned is an outcome that the interface lists, unless the arguments were rejected.

As a module: `Library(...)` and `compare`.
"""

import collections
import subprocess
from pathlib import Path

import native_harness

DRIVER = r"""
@HEAD@
static @HANDLE@ handle;
@SUPPORT@
static void tacit_word(char *line) {
  int word = atoi(strtok(line, " \n"));
  @START@
  for (char *next = strtok(NULL, " \n"); next; next = strtok(NULL, " \n")) {
    long long value = 0;
    switch (atoi(next)) {
    @CASES@
    }
    fprintf(tacit_out, "returns=%lld ", value);
    fflush(tacit_out);
  }
  (void)word;
}
"""


class Library:
    """`samples`: call -> list of (C statements before the call, C expression of the call)."""

    def __init__(self, place, sources, result, folder, handle, head, start, samples, support="", flags=()):
        self.errors, self.rejects = set(), set()
        self.constants = native_harness.enumerators(result)
        for spec in (e if isinstance(e, str) else e["error"] for e in result["errors"]):
            self.errors.add(self.number(spec.partition("returns:")[2]))
        for spec in result["component"]["options"]["rejects"]:
            if spec.startswith("returns"):  # not of a constructor
                self.rejects.add(self.number(spec.replace("=", ":").partition("returns:")[2]))
        self.calls = [(call, before, expression) for call, all_of_it in samples.items() for before, expression in all_of_it]
        cases = "\n    ".join(f"case {i}: {before} value = {expression}; break;"
                              for i, (_, before, expression) in enumerate(self.calls))
        body = DRIVER.replace("@HEAD@", "").replace("@HANDLE@", handle).replace("@SUPPORT@", support)
        body = body.replace("@START@", start).replace("@CASES@", cases)
        text = native_harness.DRIVER.replace("@HEAD@", head).replace("@SUPPORT@\n", "").replace("@BODY@", body)
        driver = Path(folder) / "library_driver.c"
        driver.write_text(text)
        self.program = Path(folder) / "library_driver"
        subprocess.run(["clang-19", "-std=gnu17", "-O1", "-w", "-I.", *flags, str(driver), *sources, "-o", str(self.program)],
                       check=True, cwd=place)

    def number(self, text):
        return int(self.constants.get(text, text))

    def run(self, words):
        text = "".join("0 " + " ".join(map(str, word)) + "\n" for word in words)
        done = subprocess.run([str(self.program)], input=text, capture_output=True, text=True, check=True)
        return [line.split() for line in done.stdout.split("\n")[: len(words)]]


def outcome_listed(library, moves, value):
    """Where the interface goes with a returned value; None when it lists no such outcome."""
    for listed, to in moves:
        name = listed.partition("=")[2]
        if listed in ("any", "returns") or name == str(value) or str(library.constants.get(name)) == str(value):
            return to
    return next((to for listed, to in moves if listed == "returns=other"), None)


def compare(library, result, length):
    """Disagreements, and how many calls were made."""
    allows = {state["id"]: set(state["allows"]) for state in result["states"]}
    moves = collections.defaultdict(list)
    for t in result["transitions"]:
        moves[t["from"], t["call"]].append((t["outcome"], t["to"]))
    problems, made = [], 0
    prefixes = [((), result["initial"][0]["state"], ())]
    for _ in range(length):
        words = [(letters, state, numbers + (i,)) for letters, state, numbers in prefixes for i in range(len(library.calls))]
        answers = library.run([numbers for _, _, numbers in words])
        made += len(words)
        erred, good, following = collections.Counter(), collections.Counter(), {}
        tried = collections.OrderedDict()
        for (letters, state, numbers), seen in zip(words, answers):
            call = library.calls[numbers[-1]][0]
            place = (letters, state, numbers[:-1], call)
            tried[place] = None
            if len(seen) != len(numbers) or not seen[-1].startswith("returns="):
                problems.append(f"no answer: {' '.join(letters)} {call}: {seen[-1:]}")
                continue
            value = int(seen[-1].partition("=")[2])
            if value in library.errors:
                erred[place] += 1
                continue
            if value in library.rejects:
                continue
            good[place] += 1
            if call not in allows[state]:
                continue
            to = outcome_listed(library, moves[state, call], value)
            if to is None:
                problems.append(f"outcome not listed: {' '.join(letters)} {call}: {value}")
                continue
            following.setdefault((letters + (f"{call}={value}",), to, numbers), None)
        for place in tried:
            letters, state, _, call = place
            word = " ".join(letters + (call,))
            if call in allows[state] and erred[place] and not good[place]:
                problems.append(f"allowed, but errs with every sample: {word}")
            if call not in allows[state] and (good[place] or not erred[place]):
                problems.append(f"refused, but does not err: {word}")
        by_word = collections.defaultdict(list)
        for entry in following:
            by_word[entry[0]].append(entry)
        prefixes = [entry for entries in by_word.values() for entry in entries[:3]]
        if not prefixes or len(problems) > 20:
            break
    return problems, made
