#!/usr/bin/env python3
"""What --reentrant drops in C and C++: callees that are handed the object, and virtual calls on it that may be
overridden, then change private fields. Without it the assumption is listed."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from _protocol import TACIT

HEAD = "#include <cassert>\n"
HANDED = HEAD + """class T;
void registry(T *);
class T {
  int n = 0;

public:
  void attach() { registry(this); }
  void use() { assert(n == 0); }
};
"""
HANDED_AS_BASE = HEAD + """struct Listener { virtual void on_event() = 0; };
struct Counter { int count = 0; };
void registry(Listener &);
class T : Counter, public Listener {
  int n = 0;

public:
  void on_event() override { n = 0; }
  void attach() { registry(*this); }
  void use() { assert(n == 0); }
};
"""
OVERRIDABLE = HEAD + """class T {
  int n = 0;

protected:
  virtual void hook() {}

public:
  virtual ~T() = default;
  void attach() { hook(); }
  void use() { assert(n == 0); }
};
"""
FINAL = OVERRIDABLE.replace("class T {", "class T final {").replace("protected", "private")
READ_ONLY = HANDED.replace("void registry(T *)", "void registry(const T *)")
MODULE = """#include <assert.h>
extern void poll(void);
static int n;
void attach(void) { poll(); }
void use(void) { assert(n == 0); }
void set(void) { n = 0; }
"""

# name, text, suffix, refused without, refused with
CASES = [
    ("the object is handed over", HANDED, "cpp", False, True),
    ("it is handed over as a base", HANDED_AS_BASE, "cpp", False, True),
    ("a virtual method that may be overridden", OVERRIDABLE, "cpp", False, True),
    ("a virtual method of a final class", FINAL, "cpp", False, False),
    ("the object is handed over to be read", READ_ONLY, "cpp", False, False),
    ("a callee of a module", MODULE, "c", False, True),
]


def refuses_use(folder, text, suffix, options):
    source, out = folder / f"input.{suffix}", folder / "result.json"
    source.write_text(text)
    subject = ["--class", "T"] if suffix == "cpp" else []
    done = subprocess.run([TACIT, "synth", "--arguments", "demonic", str(source), *subject, *options, "--error", "assert", "-o", str(out)],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr)
    result = json.loads(out.read_text())
    if result["verdict"]["safe"] != "proved":
        raise SystemExit(f"safe is {result['verdict']['safe']}")
    return any("use" not in state["allows"] for state in result["states"]), result["verdict"]["assumptions"]


def main():
    failures = []
    with tempfile.TemporaryDirectory(prefix="tacit-reentrant-") as name:
        for what, text, suffix, without, with_it in CASES:
            refused, assumed = refuses_use(Path(name), text, suffix, [])
            if refused != without:
                failures.append(f"{what}: 'use' is {'refused' if refused else 'allowed'}")
            listed = any("call it back" in a or "does not call back" in a or "itself" in a for a in assumed)
            if with_it and not listed:
                failures.append(f"{what}: nothing is assumed: {assumed}")
            refused, assumed = refuses_use(Path(name), text, suffix, ["--reentrant"])
            if refused != with_it:
                failures.append(f"{what}, --reentrant: 'use' is {'refused' if refused else 'allowed'}: {assumed}")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
