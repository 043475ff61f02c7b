#!/usr/bin/env python3
"""What checking a client costs beside compiling it: processor seconds of both, for every client of
test/clients in C and C++, and the quotient. A table for people.
  client_speed.py [PART OF A PATH]...
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TACIT = os.environ.get("TACIT", str(ROOT / "build" / "tacit"))


def seconds(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    clients, rows = ROOT / "test" / "clients", []
    with tempfile.TemporaryDirectory(prefix="tacit-speed-") as folder:
        stream, channel = (str(Path(folder) / name) for name in ("stream.json", "channel.json"))
        subprocess.run([TACIT, "synth", str(clients / "c/stream.c"), "--handle", "stream", "--own", "stream", "--constructor",
                        "stream_init", "-o", stream, "--quiet"], check=True)
        subprocess.run([TACIT, "synth", str(clients / "cpp/channel.cpp"), "--class", "Channel", "--error",
                        "throws:std::logic_error", "-o", channel, "--quiet"], check=True)
        for path in sorted([*clients.glob("c/*.c"), *clients.glob("cpp/*.cpp")]):
            if path.stem in ("stream", "channel") or (sys.argv[1:] and not any(word in str(path) for word in sys.argv[1:])):
                continue
            in_c = path.suffix == ".c"
            made = seconds(["clang-19" if in_c else "clang++-19", "-std=c17" if in_c else "-std=c++20", "-O2", "-w", "-c",
                            str(path), "-o", str(Path(folder) / "made.o")])
            checked = seconds([TACIT, "check", stream if in_c else channel, str(path), "--quiet"])
            rows.append((checked / made, checked, made, path.relative_to(clients)))
    rows.sort(key=lambda row: -row[0])
    print("| client | compiled, s | checked, s | times |\n|---|---|---|---|")
    for times, checked, made, name in rows:
        print(f"| `{name}` | {made:.2f} | {checked:.2f} | {times:.1f} |")
    print(f"median {rows[len(rows) // 2][0]:.1f}, at most 10 in {sum(row[0] <= 10 for row in rows)} of {len(rows)}")


if __name__ == "__main__":
    main()
