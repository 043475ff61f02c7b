#!/usr/bin/env python3
"""What happens to results when something goes wrong: a run that is interrupted ends with what it has, one that is killed
leaves no half-written file, and a disk without room, a folder that is not there and a reader that has gone away get a
message and a documented status. TACIT_FULL=1 kills 200 runs, else a few."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _protocol import ROOT, TACIT

FULL = os.environ.get("TACIT_FULL") == "1"
KILLS = 200 if FULL else 12
FAILED = []

# No engine comes to an end with it, and each step is easy.
ENDLESS = """component Endless
state a : int [0..] = 1
state b : int [0..] = 1
method grow(n : int) { if (n < 1 || n > a + b) error range; a := a + n; return; }
method shift() { if (a < b) error less; b := b + a; return; }
method meet() { if (a * 3 != b * b + 7) error apart; a := 1; b := 1; return; }
"""


def check(what, condition, detail=""):
    if not condition:
        FAILED.append(f"{what}: {detail}" if detail else what)


def started(arguments):
    return subprocess.Popen([TACIT, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)


def is_result(path):
    try:
        return "verdict" in json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False


def interrupted(folder):
    source = folder / "endless.tir"
    source.write_text(ENDLESS, encoding="utf-8")
    for number in (signal.SIGINT, signal.SIGTERM):
        path = folder / f"interrupted-{number}.json"
        run = started(["synth", source, "--time", "600", "-o", path, "--quiet"])
        time.sleep(2)
        if run.poll() is not None:
            check("the run goes on", False, run.communicate()[1])
            continue
        run.send_signal(number)
        asked = time.time()
        out, err = run.communicate(timeout=120)
        check(f"signal {number} ends with a bound", run.returncode == 3, f"status {run.returncode}: {out}{err}")
        check(f"signal {number} ends soon", time.time() - asked < 60, f"{time.time() - asked:.0f} s")
        check(f"signal {number} leaves a result", path.exists() and is_result(path))
        if path.exists():
            again = subprocess.run([TACIT, "verify", path, "--quiet"], check=False, capture_output=True, text=True)
            check(f"what signal {number} left is confirmed", again.returncode in (0, 3), again.stdout + again.stderr)


def killed(folder):
    """At any moment there is no file, or a whole one."""
    rng = random.Random(7)
    path = folder / "killed.json"
    whole = 0
    for _ in range(KILLS):
        path.unlink(missing_ok=True)
        run = started(["synth", "examples/nasa_cev/nasa_cev.tir", "-o", path, "--quiet"])
        time.sleep(rng.uniform(0, 2.5))
        run.kill()
        run.communicate()
        if path.exists():
            whole += 1
            check("a file that is there is whole", is_result(path))
    print(f"{KILLS} runs killed, {whole} of them after the result was written")


def unwritable(folder):
    plain = ["synth", "examples/socket/socket.tir", "--quiet", "-o"]
    run = subprocess.run([TACIT, *plain, "/dev/full"], check=False, capture_output=True, text=True, cwd=ROOT)
    check("a full disk is status 2", run.returncode == 2, f"{run.returncode}: {run.stderr}")
    check("a full disk is named", "/dev/full" in run.stderr and "space" in run.stderr, run.stderr)
    absent = folder / "absent" / "r.json"
    run = subprocess.run([TACIT, *plain, absent], check=False, capture_output=True, text=True, cwd=ROOT)
    check("a folder that is not there is status 2", run.returncode == 2 and not absent.parent.exists(), run.stderr)
    check("nothing else was written", not list(folder.glob("socket*")))


def reader_gone(folder):
    path = folder / "socket.json"
    subprocess.run([TACIT, "synth", "examples/socket/socket.tir", "--quiet", "-o", path], check=True, cwd=ROOT)
    for form in ("text", "html", "json"):
        run = started(["show", path, "--as", form])
        run.stdout.close()
        status = run.wait(timeout=60)
        check(f"a reader of {form} that is gone", status in (0, 2, -signal.SIGPIPE), f"status {status}: {run.stderr.read()}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        interrupted(folder)
        killed(folder)
        unwritable(folder)
        reader_gone(folder)
    print("\n".join(FAILED) or "all as it should be")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
