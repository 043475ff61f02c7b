#!/usr/bin/env python3
"""Classes of the C++ standard library straight from the installed headers, with all their methods and no options but the
error: the verdicts are proved, and what the standard says about some words is found."""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from _protocol import TACIT

# header, class, flags, error, number of states, start that is meant, words that are legal, words that are refused
CLASSES = [
    ("mutex", "std::unique_lock<std::mutex>", ["-std=c++20"], "throws:std::system_error", 4, "unique_lock(mutex&)",
     ["unlock lock:returns unlock"], ["lock", "release unlock"]),
    ("shared_mutex", "std::shared_lock<std::shared_mutex>", ["-std=c++20"], "throws:std::system_error", 4, "shared_lock()",
     ["owns_lock:returns=false"], ["lock", "unlock"]),
    ("optional", "std::optional<int>", ["-std=c++20"], "throws:std::bad_optional_access", 2, "optional()",
     ["emplace value()const", "emplace emplace value()"], ["value()", "emplace reset value()"]),
    ("expected", "std::expected<int, bool>", ["-std=c++23"], "throws:std::bad_expected_access<bool>", 2, "expected()",
     ["value()", "value()const"], []),
    ("functional", "std::function<void()>", ["-std=c++20"], "throws:std::bad_function_call", 1, "function()",
     ["operatorbool:returns=false"], ["operator()"]),
    ("memory", "std::unique_ptr<int>", ["-std=c++20", "-D_GLIBCXX_ASSERTIONS"], "assert", None, "unique_ptr()",
     ["reset operatorbool:returns=true operator*"], ["operator*", "reset operator*"]),
    ("future", "std::packaged_task<int()>", ["-std=c++20"], "throws:std::future_error", 1, "packaged_task",
     ["valid"], ["get_future", "operator()", "reset"]),
    ("future", "std::promise<int>", ["-std=c++20"], "throws:std::future_error", 4, "promise",
     ["get_future set_value(int&&)", "set_value(int&&) get_future"], ["get_future get_future", "set_value(int&&) set_exception"]),
    ("future", "std::future<int>", ["-std=c++20"], "throws:std::future_error", 1, "future", ["valid", "share"], ["get", "wait"]),
    ("thread", "std::thread", ["-std=c++20"], "throws:std::system_error", 1, "thread", ["joinable"], ["join", "detach"]),
]
# What rests on library functions that have no contract: nothing is claimed about their refusals.
NOT_PERMISSIVE = {"std::packaged_task<int()>"}


def walk(result, start, word):
    """Whether the calls before the last one, and the last one, are allowed."""
    state = next(entry["state"] for entry in result["initial"] if entry["constructor"] == start)
    allows = {entry["id"]: entry["allows"] for entry in result["states"]}
    letters = word.split()
    for letter in letters[:-1]:
        call, _, outcome = letter.partition(":")
        steps = {t["to"] for t in result["transitions"]
                 if t["from"] == state and t["call"] == call and (not outcome or t["outcome"] in (outcome, "any"))}
        if len(steps) != 1:
            return False, False
        state = steps.pop()
    return True, letters[-1].partition(":")[0] in allows[state]


def check(row):
    header, name, flags, error, states, start, legal, refused = row
    with tempfile.TemporaryDirectory(prefix="tacit-standard-") as folder:
        source, out = Path(folder) / "input.cpp", Path(folder) / "result.json"
        source.write_text(f"#include <{header}>\n")
        done = subprocess.run([TACIT, "synth", str(source), "--arguments", "demonic", "--class", name, "--error", error, "-o", str(out), "--", *flags],
                              capture_output=True, text=True, check=False)
        if done.returncode != (3 if name in NOT_PERMISSIVE else 0):
            return [f"exit {done.returncode}: {done.stderr.strip()[:300]}"]
        result = json.loads(out.read_text())
    problems = [f"{claim} is {result['verdict'][claim]}" for claim in (("safe",) if name in NOT_PERMISSIVE else ("safe", "permissive")) if result["verdict"][claim] != "proved"]
    if states and len(result["states"]) != states:
        problems.append(f"{len(result['states'])} states")
    if any(call.startswith("_") for call in result["methods"]):
        problems.append("a helper of the library is a call")
    for word in legal + refused:
        before, last = walk(result, start, word)
        if not before or last != (word in legal):
            problems.append(f"'{word}' from {start} should be {'legal' if word in legal else 'refused'}")
    return problems


def main():
    failures = 0
    with ThreadPoolExecutor(max_workers=2) as pool:
        for row, problems in zip(CLASSES, pool.map(check, CLASSES)):
            for problem in problems:
                failures += 1
                print(f"{row[1]}: {problem}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
