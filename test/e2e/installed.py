#!/usr/bin/env python3
"""`cmake --install` into a private prefix: the program works there, away from the source tree, and has
its manual page, completions and contracts."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TACIT = Path(os.environ["TACIT"])
ROOT = Path(os.environ["TACIT_ROOT"])


def main():
    cmake = shutil.which("cmake")
    build = TACIT.parent
    if not cmake or not (build / "cmake_install.cmake").exists():
        print("no build folder of CMake: skipped")
        return 77
    with tempfile.TemporaryDirectory(prefix="tacit-installed-") as work:
        prefix = Path(work) / "usr"
        subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        missing = [name for name in (
            "bin/tacit", "share/man/man1/tacit.1", "share/tacit/contracts/cpp.tir",
            "share/bash-completion/completions/tacit", "share/zsh/vendor-completions/_tacit",
            "share/fish/vendor_completions.d/tacit.fish", "share/doc/tacit/LICENSE")
            if not (prefix / name).is_file() or (prefix / name).stat().st_size == 0]
        if missing:
            print("not installed: " + ", ".join(missing))
            return 1
        source = Path(work) / "ticket"
        shutil.copytree(ROOT / "examples" / "parking", source)
        done = subprocess.run([prefix / "bin" / "tacit", "synth", "src/ticket.cpp", "--class", "Ticket", "--", "-Iinclude"],
                              cwd=source, text=True, capture_output=True, check=False, timeout=120)
        if done.returncode != 0 or "4 states, proved safe and permissive" not in done.stdout:
            print(done.stdout + done.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
