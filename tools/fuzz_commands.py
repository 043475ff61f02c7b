#!/usr/bin/env python3
"""Damages programs and result files and checks that the tool answers, whatever it is given.

usage: fuzz_commands.py [SECONDS [SEED]]; usually by way of `./dev fuzz readers`.

Every run must end within its time limit with one of the documented exit statuses, without a signal and without the words
"internal error". What breaks this is kept in build/fuzz/ with the command that shows it.
"""

import random
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TACIT = ROOT / "build" / "tacit"
OUT = ROOT / "build" / "fuzz"
LIMIT = 20
TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)


def damaged(text, rng, others):
    """A few changes to tokens, or to bytes."""
    if rng.random() < 0.2:
        data = bytearray(text.encode())
        for _ in range(rng.randint(1, 8)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)
    tokens = TOKEN.findall(text)
    for _ in range(rng.randint(1, 4)):
        if not tokens:
            break
        at, kind = rng.randrange(len(tokens)), rng.randrange(6)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, rng.choice(tokens))
        elif kind == 2:
            tokens[at] = rng.choice(tokens)
        elif kind == 3:
            tokens[at] = rng.choice(["0", "-1", "999999999999999999999", "(", "}", "null", "true", "`", '"', "all(", "@x:1"])
        elif kind == 4:
            tokens[at] = rng.choice(TOKEN.findall(rng.choice(others)))
        else:
            tokens = tokens[:at]
    return "".join(tokens).encode()


def complaint(command):
    try:
        done = subprocess.run(command, capture_output=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return f"takes longer than {LIMIT} s"
    if done.returncode not in (0, 1, 2, 3):
        return f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[:300]}"
    if done.returncode == 2 and not done.stderr.strip():
        return "exit status 2 without a message"
    return None


def main(arguments):
    seconds = float(arguments[0]) if arguments else 60
    rng = random.Random(int(arguments[1]) if len(arguments) > 1 else 1)
    OUT.mkdir(parents=True, exist_ok=True)
    programs = [path.read_text() for path in sorted((ROOT / "examples").glob("*/*.tir"))]
    results = []
    for name in ("lock_p3", "socket", "list_iterator_blind"):
        path = OUT / f"{name}.json"
        subprocess.run([TACIT, "synth", ROOT / "examples" / name / f"{name}.tir", "-o", path, "--quiet"], check=True)
        results.append(path.read_text())
    runs, broken, end = 0, 0, time.monotonic() + seconds
    while time.monotonic() < end:
        is_program = rng.random() < 0.6
        pool = programs if is_program else results
        source = OUT / ("input.tir" if is_program else "input.json")
        source.write_bytes(damaged(rng.choice(pool), rng, pool))
        if is_program:
            command = [TACIT, *rng.choice([["lower"], ["inspect"], ["synth", "--time", "2"],
                                           ["synth", "--time", "2", "--engine", "permissive"],
                                           ["synth", "--time", "2", "--arguments", "angelic"],
                                           ["synth", "--time", "2", "--serial"]]), source]
        else:
            command = [TACIT, *rng.choice([["show"], ["verify", "--time", "5"], ["show", "--as", "dot"], ["replay"]]), source]
        runs += 1
        wrong = complaint([str(part) for part in command])
        if wrong:
            broken += 1
            kept = OUT / f"broken-{runs}{source.suffix}"
            kept.write_bytes(source.read_bytes())
            print(" ".join(str(p) for p in command[:-1]), kept.relative_to(ROOT))
            print("  " + wrong)
    print(f"{runs} runs, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
