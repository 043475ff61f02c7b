#!/usr/bin/env python3
"""Real C libraries, from Debian's source packages: bzip2 and liblzma lower, and the text reads back as it was; the
protocols of bzip2's compressor, liblzma's encoder and zlib's decompressor are proved, and native runs of the libraries agree.

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
XZ = [f"src/liblzma/common/{name}.c" for name in ("common", "easy_encoder", "stream_encoder", "easy_preset")]
XZ_FLAGS = [*(f"-DHAVE_{name}=1" for name in ("STDINT_H", "STDBOOL_H", "INTTYPES_H", "STRING_H", "_BOOL", "ENCODER_LZMA2", "ENCODERS",
                                              "DECODERS", "CHECK_CRC32")),
            *(f"-Isrc/{folder}" for folder in ("common", *(f"liblzma/{part}" for part in (
                "api", "common", "check", "lz", "lzma", "rangecoder", "simple", "delta"))))]

LIBRARIES = [
    ("bzip2", BZIP2, ["--handle", "bz_stream", "--constructor", "BZ2_bzCompressInit"], [], ["method BZ2_bzCompress(action", "BZ_SEQUENCE_ERROR"]),
    ("xz-utils", XZ, ["--handle", "lzma_stream", "--constructor", "lzma_easy_encoder"], XZ_FLAGS,
     ["method lzma_code(action", "method lzma_end("]),
]


INFLATE = "inflate.c inffast.c inftrees.c adler32.c crc32.c zutil.c".split()
INFLATE_CALLS = ["inflateReset", "inflateEnd", "inflateSyncPoint", "inflateUndermine"]

COMPRESS = ["--handle", "bz_stream", "--constructor", "BZ2_bzCompressInit", "--methods", "BZ2_bzCompress,BZ2_bzCompressEnd",
            "--error", "returns:BZ_SEQUENCE_ERROR", "--arguments", "angelic", "--reject", "returns:BZ_PARAM_ERROR",
            *(word for name in ("run", "flush", "finish")
              for word in ("--letter", f"{name} = BZ2_bzCompress when action == BZ_{name.upper()}"))]

# The client hands over input and room for output before a call, or leaves the input as the last call left it.
SUPPORT = """static char input[64] = "abracadabra abracadabra", output[4096];
static void room(unsigned n) { handle.next_out = output; handle.avail_out = n; if (!handle.next_in) handle.next_in = input; }
static void give(unsigned n, unsigned m) { handle.next_in = input; handle.avail_in = n; room(m); }"""
WAYS = ["give(5, 1000);", "room(1000);", "room(1);", "give(0, 1000);"]


LZMA_ACTIONS = {"run": "RUN", "sync": "SYNC_FLUSH", "full": "FULL_FLUSH", "barrier": "FULL_BARRIER", "finish": "FINISH"}
ENCODE = ["--handle", "lzma_stream", "--constructor", "lzma_easy_encoder", "--methods", "lzma_code,lzma_end",
          "--error", "returns:LZMA_PROG_ERROR", "--arguments", "angelic", "--reject", "returns:LZMA_OPTIONS_ERROR",
          "--reject", "lzma_easy_encoder:returns:!=LZMA_OK",
          *(word for name, action in LZMA_ACTIONS.items() for word in ("--letter", f"{name} = lzma_code when action == LZMA_{action}"))]

# The encoder's own code returns LZMA_PROG_ERROR should one of these fail, which they do not with options that were checked before.
LZMA_CONTRACTS = """extern lzma_block_header_encode(block : ref, out : ref) : lzma_ret { return LZMA_OK; }
extern lzma_stream_footer_encode(options : ref, out : ref) : lzma_ret { return LZMA_OK; }
"""

LZMA_SUPPORT = """static unsigned char input[64] = "abracadabra abracadabra", output[4096];
static void room(unsigned n) { handle.next_out = output; handle.avail_out = n; if (!handle.next_in) handle.next_in = input; }
static void give(unsigned n, unsigned m) { handle.next_in = input; handle.avail_in = n; room(m); }"""


def synthesised(name, words, place, folder, states):
    """The result and the number of failures."""
    out = Path(folder) / f"{name}.json"
    done = subprocess.run([TACIT, "synth", *(["--arguments", "demonic"] if "--arguments" not in words[0] else []), *words[0], "--time", "300", "-o", str(out), *words[1]], cwd=place, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{name}: exit {done.returncode}: {done.stderr[:2000]}")
        return None, 1
    result = json.loads(out.read_text())
    verdict = result["verdict"]
    if len(result["states"]) == states and verdict["safe"] == verdict["permissive"] == "proved":
        return result, 0
    print(f"{name}: {len(result['states'])} states, {verdict['safe']} safe, {verdict['permissive']} permissive")
    return result, 1


def agrees(name, library, result, length):
    """The number of disagreements."""
    problems, made = library_harness.compare(library, result, length)
    print(f"{name}: {made} native calls, {len(problems)} disagreements")
    for problem in problems:
        print(f"{name}: {problem}")
    return len(problems)


def compress_protocol(place, folder):
    """The number of failures."""
    result, failures = synthesised("bzip2", ([*BZIP2, *COMPRESS], []), place, folder, 4)
    if not result:
        return failures
    samples = {name: [(way, f"BZ2_bzCompress(&handle, BZ_{name.upper()})") for way in WAYS] for name in ("run", "flush", "finish")}
    samples["BZ2_bzCompress"] = [("room(9);", "BZ2_bzCompress(&handle, 7)")]
    samples["BZ2_bzCompressEnd"] = [("", "BZ2_bzCompressEnd(&handle)")]
    library = library_harness.Library(place, BZIP2, result, folder, "bz_stream", '#include "bzlib.h"',
                                      "BZ2_bzCompressInit(&handle, 1, 0, 0);", samples, SUPPORT)
    return failures + agrees("bzip2", library, result, 5)


def encode_protocol(place, folder):
    """The number of failures. The library that runs is the machine's own: it is the one that these sources make."""
    contracts = Path(folder) / "lzma.contracts"
    contracts.write_text(LZMA_CONTRACTS)
    result, failures = synthesised("liblzma", ([*XZ, *ENCODE, "--contracts", str(contracts)], ["--", *XZ_FLAGS]), place, folder, 6)
    if not result:
        return failures
    samples = {name: [(way, f"lzma_code(&handle, LZMA_{action})") for way in WAYS] for name, action in LZMA_ACTIONS.items()}
    samples["lzma_end"] = [("", "(lzma_end(&handle), 0)")]
    library = library_harness.Library(place, ["-l:liblzma.so.5"], result, folder, "lzma_stream", "#include <lzma.h>",
                                      "lzma_easy_encoder(&handle, 0, LZMA_CHECK_CRC32);", samples, LZMA_SUPPORT,
                                      ["-Isrc/liblzma/api"])
    return failures + agrees("liblzma", library, result, 5)


def inflate_protocol(folder):
    """zlib's decompressor: alive until inflateEnd; with good allocators, and after an inflateInit_ that succeeded."""
    place, why = debian_source.fetch("zlib", folder)
    if not place:
        print(f"SKIPPED zlib: its source cannot be had from the package manager: {why}")
        return 0
    options = [*INFLATE, "--handle", "z_stream", "--constructor", "inflateInit_", "--methods", ",".join(INFLATE_CALLS),
               "--error", "returns:Z_STREAM_ERROR", "--arguments", "angelic", "--reject", "inflateInit_:returns:!=Z_OK"]
    result, failures = synthesised("zlib", (options, []), place, folder, 2)
    if not result:
        return failures
    samples = {name: [("", f"{name}(&handle{', 1' if name == 'inflateUndermine' else ''})")] for name in INFLATE_CALLS}
    library = library_harness.Library(place, INFLATE, result, folder, "z_stream", '#include "zlib.h"',
                                      "inflateInit_(&handle, ZLIB_VERSION, (int)sizeof handle);", samples, "")
    return failures + agrees("zlib", library, result, 4)


def main():
    if os.environ.get("TACIT_FULL") != "1":
        print("skipped: runs with TACIT_FULL=1")
        return 0
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tacit-debian-") as folder:
        failures += inflate_protocol(folder)
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
                failures += (compress_protocol if package == "bzip2" else encode_protocol)(place, folder)
                text = first.read_text()
                failures += text != second.read_text()
                for part in wanted:
                    if part not in text:
                        print(f"{package}: '{part}' is missing")
                        failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
