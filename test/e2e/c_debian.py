#!/usr/bin/env python3
"""Real C libraries, from Debian's source packages: bzip2 and liblzma lower, and the text reads back as it was.

Runs with TACIT_FULL=1 only. Where the sources cannot be had from the package manager, says so loudly and is skipped.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _protocol import ROOT, TACIT

sys.path.insert(0, str(ROOT / "test" / "tools"))
import debian_source  # noqa: E402  pylint: disable=wrong-import-position

BZIP2 = "bzlib.c compress.c huffman.c blocksort.c crctable.c randtable.c decompress.c".split()
XZ = ["src/liblzma/common/common.c"]
XZ_FLAGS = ["-DHAVE_STDINT_H=1", "-DHAVE_STDBOOL_H=1", "-DHAVE_INTTYPES_H=1", "-DHAVE_STRING_H=1", "-DHAVE__BOOL=1",
            *(f"-Isrc/{folder}" for folder in ("common", "liblzma/api", "liblzma/common", "liblzma/check", "liblzma/lz"))]

LIBRARIES = [
    ("bzip2", BZIP2, ["--handle", "bz_stream", "--constructor", "BZ2_bzCompressInit"], [], ["method BZ2_bzCompress(action", "BZ_SEQUENCE_ERROR"]),
    ("xz-utils", XZ, ["--handle", "lzma_stream"], XZ_FLAGS, ["method lzma_code(action", "method lzma_end("]),
]


def main():
    if os.environ.get("TACIT_FULL") != "1":
        print("skipped: runs with TACIT_FULL=1")
        return 0
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tacit-debian-") as folder:
        for package, sources, options, flags, wanted in LIBRARIES:
            place, why = debian_source.fetch(package, folder)
            if not place:
                print(f"SKIPPED {package}: its source cannot be had from the package manager: {why}")
                continue
            first, second = Path(folder) / "first.tir", Path(folder) / "second.tir"
            for words in ([*sources, *options, "-o", str(first), *(["--", *flags] if flags else [])], [str(first), "-o", str(second)]):
                done = subprocess.run([TACIT, "lower", *words], cwd=place, capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    print(f"{package}: {done.stderr[:2000]}")
                    failures += 1
                    break
            else:
                text = first.read_text()
                failures += text != second.read_text()
                for part in wanted:
                    if part not in text:
                        print(f"{package}: '{part}' is missing")
                        failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
