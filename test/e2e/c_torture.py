#!/usr/bin/env python3
"""Small C and C++ files, one language feature each: native runs agree with what is claimed, and the lowered text reads
back as it was. A comment `tacit: OPTIONS` at the top of a file adds options, `flags: FLAGS` flags of the compiler,
`harness: CALL: ARGUMENTS` gives samples.

With TACIT_FULL=1 every file runs and words are longer, else a sample of the files.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from _protocol import ROOT, TACIT

sys.path.insert(0, str(ROOT / "test" / "tools"))
import native_harness  # noqa: E402  pylint: disable=wrong-import-position


def directives(text):
    head = text[:600]
    options = re.search(r"tacit: (.*)", head)
    words = options.group(1).strip().split() if options else []
    samples = re.findall(r"harness: (.*)", head)
    kind = re.search(r"harness-kind: handle (.*)", head)
    return words, samples, kind.group(1).strip() if kind else None, "harness-skip" in head


def compiler_flags(text):
    found = re.search(r"flags: (.*)", text[:600])
    return found.group(1).split() if found else []


def check(path, length):
    """Problems with one file, and the verdicts."""
    text = path.read_text()
    options, samples, handle, skip = directives(text)
    if path.suffix == ".cpp" and "--class" not in options:
        options += ["--class", "T"]
    with tempfile.TemporaryDirectory(prefix="tacit-torture-") as folder:
        out = Path(folder) / "result.json"
        flags = compiler_flags(text)
        done = subprocess.run([TACIT, "synth", "--arguments", "demonic", str(path), *options, "-o", str(out), *(["--", *flags] if flags else [])],
                              capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):
            return [f"exit {done.returncode}: {done.stderr.strip()}"], ""
        result = json.loads(out.read_text())
        verdict = " ".join(f"{claim} {result['verdict'][claim]}" for claim in ("safe", "permissive", "full"))
        problems = []
        tir = Path(folder) / "lowered.tir"
        tir.write_text(result["component"]["tir"])
        again = subprocess.run([TACIT, "lower", str(tir)], capture_output=True, text=True, check=False)
        if again.stdout != result["component"]["tir"]:
            problems.append("the lowered text reads back as something else")
        if not skip:
            subject = options[options.index("--class") + 1] if "--class" in options else None
            kind = "class" if subject else "handle" if handle else "module"
            native = native_harness.Native(path, result, folder, kind, subject or handle, native_harness.parse_arguments(samples))
            found, _ = native_harness.compare(native, result, length)
            problems += found
        return problems, f"{len(result['states'])} states, {verdict}"


def main():
    full = os.environ.get("TACIT_FULL") == "1" or "--all" in sys.argv
    files = sorted(path for path in (ROOT / "test" / "torture").iterdir() if path.suffix in (".c", ".cpp"))
    if len(files) < 60:
        raise SystemExit("files are missing")
    if not full:
        files = files[::5]
    failures = 0
    with ThreadPoolExecutor(max_workers=2) as pool:
        for path, (problems, verdict) in zip(files, pool.map(lambda p: check(p, 4 if full else 3), files)):
            if "--verbose" in sys.argv:
                print(f"{path.name}: {verdict}")
            for problem in problems[:5]:
                failures += 1
                print(f"{path.name}: {problem}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
