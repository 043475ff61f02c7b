"""Typestate headers, whole: for each state and each call of a protocol, a client that makes the call there compiles exactly
when the protocol allows it; where it does not, the compiler's message names the call and the state."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TACIT = os.environ["TACIT"]
ROOT = os.environ["TACIT_ROOT"]

PARKING = ["-I", f"{ROOT}/examples/parking/include"]
PARKED = lambda name: {"sources": [f"examples/parking/src/{name.lower()}.cpp"], "synth": ["--class", name], "flags": PARKING,
                       "head": f'#include "parking/{name.lower()}.h"\n', "object": f"parking::{name}"}
# What a call is given, where it takes anything.
SUBJECTS = {
    "Ticket": {**PARKED("Ticket"), "arguments": {"pay": "1"}},
    "Meter": {**PARKED("Meter"), "synth": ["--class", "Meter", "--error", "returns:Result::BadState", "--error", "returns:Result::BadAmount"], "arguments": {"insert": "1", "add": "1", "set_rate": "1", "pay": "1"}},
    "Barrier": {**PARKED("Barrier"), "arguments": {}},
    "Channel": {"sources": ["test/clients/cpp/channel.cpp"], "synth": ["--class", "Channel", "--error", "throws:std::logic_error"],
                "flags": [], "head": f'#include "{ROOT}/test/clients/cpp/channel.h"\n', "object": "Channel", "arguments": {"connect": "1", "try_connect": "1", "send": "1"}},
    "stream": {"sources": ["test/clients/c/stream.c"], "flags": [],
               "synth": ["--handle", "stream", "--own", "stream", "--constructor", "stream_init"],
               "head": f'extern "C" {{\n#include "{ROOT}/test/clients/c/stream.h"\n}}\n', "object": "stream",
               "arguments": {"stream_open": "1", "stream_read": "1"}},
}


def run(*words, ok=(0,)):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in ok:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def compile_calls(folder, name, subject, pairs):
    """The compiler's answer to clients that make these calls in these states."""
    text = subject["head"] + f'#include "{name}.hpp"\n'
    for number, (state, call) in enumerate(pairs):
        given = subject["arguments"].get(call, "")
        text += (f"void client{number}({name}_protocol::{name}<::{subject['object']}, {state}> it) "
                 f"{{ (void)std::move(it).{call}({given}); }}\n")
    path = os.path.join(folder, "client.cpp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-fmax-errors=0", *subject["flags"], path],
                          capture_output=True, text=True, check=False)


def judge(folder, name, subject):
    out = os.path.join(folder, f"{name}.json")
    flags = ["--", *subject["flags"]] if subject["flags"] else []
    run(TACIT, "synth", *(os.path.join(ROOT, one) for one in subject["sources"]), *subject["synth"], "-o", out, "--quiet", *flags)
    run(TACIT, "show", out, "--as", "typestate", "-o", os.path.join(folder, f"{name}.hpp"))
    with open(out, encoding="utf-8") as file:
        result = json.load(file)
    legal, illegal = [], []
    for state in result["states"]:
        for call in result["methods"]:
            (legal if call in state["allows"] else illegal).append((state["id"], re.sub(r"\(.*", "", call)))
    assert legal and illegal, f"{name}: {result['methods']}"
    done = compile_calls(folder, name, subject, legal)
    assert done.returncode == 0, f"{name}: legal clients do not compile\n{done.stderr}"
    # One instantiation after another, each with its own complaint and with no other.
    done = compile_calls(folder, name, subject, illegal)
    said = re.findall(r"error: (.*)", done.stderr)
    missed = [pair for pair in illegal if not any(
        f"{result['component']['name']}: {pair[1]} is refused in state {pair[0]}" in one for one in said)]
    assert done.returncode == 1 and not missed, f"{name}: no message for {missed}\n{done.stderr}"
    assert len(said) == len(illegal), f"{name}: {len(said)} messages for {len(illegal)} calls\n{done.stderr}"
    return len(legal), len(illegal)


def main():
    if not shutil.which("g++"):
        return 77
    all_legal = all_illegal = 0
    with tempfile.TemporaryDirectory(prefix="tacit-typestate-") as folder:
        for name, subject in SUBJECTS.items():
            legal, illegal = judge(folder, name, subject)
            print(f"{name}: {legal} legal calls compile, {illegal} illegal ones do not")
            all_legal += legal
            all_illegal += illegal
    print(f"all: {all_legal} and {all_illegal}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
