#!/usr/bin/env python3
"""Real C libraries, from Debian's source packages: bzip2 and liblzma lower, and the text reads back as it was; the
protocol of bzip2's compressor is proved, and the library itself, compiled and run, agrees with it.

Runs with TACIT_FULL=1 only. Where the sources cannot be had from the package manager, says so loudly and is skipped.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _protocol import ROOT, TACIT

sys.path.insert(0, str(ROOT / "test" / "tools"))
import debian_source  # noqa: E402  pylint: disable=wrong-import-position
import library_harness  # noqa: E402  pylint: disable=wrong-import-position

BZIP2 = "bzlib.c compress.c huffman.c blocksort.c crctable.c randtable.c decompress.c".split()
XZ = ["src/liblzma/common/common.c"]
XZ_FLAGS = ["-DHAVE_STDINT_H=1", "-DHAVE_STDBOOL_H=1", "-DHAVE_INTTYPES_H=1", "-DHAVE_STRING_H=1", "-DHAVE__BOOL=1",
            *(f"-Isrc/{folder}" for folder in ("common", "liblzma/api", "liblzma/common", "liblzma/check", "liblzma/lz"))]

LIBRARIES = [
    ("bzip2", BZIP2, ["--handle", "bz_stream", "--constructor", "BZ2_bzCompressInit"], [], ["method BZ2_bzCompress(action", "BZ_SEQUENCE_ERROR"]),
    ("xz-utils", XZ, ["--handle", "lzma_stream"], XZ_FLAGS, ["method lzma_code(action", "method lzma_end("]),
]


COMPRESS = ["--handle", "bz_stream", "--constructor", "BZ2_bzCompressInit", "--methods", "BZ2_bzCompress,BZ2_bzCompressEnd",
            "--error", "returns:BZ_SEQUENCE_ERROR", "--arguments", "angelic", "--reject", "returns:BZ_PARAM_ERROR",
            *(word for name in ("run", "flush", "finish")
              for word in ("--letter", f"{name} = BZ2_bzCompress when action == BZ_{name.upper()}"))]

# The client hands over input and room for output before a call, or leaves the input as the last call left it.
SUPPORT = """static char input[64] = "abracadabra abracadabra", output[4096];
static void room(unsigned n) { handle.next_out = output; handle.avail_out = n; if (!handle.next_in) handle.next_in = input; }
static void give(unsigned n, unsigned m) { handle.next_in = input; handle.avail_in = n; room(m); }"""
WAYS = ["give(5, 1000);", "room(1000);", "room(1);", "give(0, 1000);"]


def compress_protocol(place, folder):
    """The number of failures."""
    out = Path(folder) / "compress.json"
    done = subprocess.run([TACIT, "synth", *BZIP2, *COMPRESS, "-o", str(out)], cwd=place, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"bzip2: exit {done.returncode}: {done.stderr[:2000]}")
        return 1
    result = json.loads(out.read_text())
    verdict = result["verdict"]
    failures = 0
    if len(result["states"]) != 4 or verdict["safe"] != "proved" or verdict["permissive"] != "proved":
        print(f"bzip2: {len(result['states'])} states, {verdict['safe']} safe, {verdict['permissive']} permissive")
        failures += 1
    samples = {name: [(way, f"BZ2_bzCompress(&handle, BZ_{name.upper()})") for way in WAYS] for name in ("run", "flush", "finish")}
    samples["BZ2_bzCompress"] = [("room(9);", "BZ2_bzCompress(&handle, 7)")]
    samples["BZ2_bzCompressEnd"] = [("", "BZ2_bzCompressEnd(&handle)")]
    library = library_harness.Library(place, BZIP2, result, folder, "bz_stream", '#include "bzlib.h"',
                                      "BZ2_bzCompressInit(&handle, 1, 0, 0);", samples, SUPPORT)
    problems, made = library_harness.compare(library, result, 5)
    print(f"bzip2: {made} native calls, {len(problems)} disagreements")
    for problem in problems:
        print(f"bzip2: {problem}")
    return failures + len(problems)


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
                if package == "bzip2":
                    failures += compress_protocol(place, folder)
                text = first.read_text()
                failures += text != second.read_text()
                for part in wanted:
                    if part not in text:
                        print(f"{package}: '{part}' is missing")
                        failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
