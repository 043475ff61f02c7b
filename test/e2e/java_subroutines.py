#!/usr/bin/env python3
"""Class files of old compilers call subroutines (`jsr`, `ret`) for `finally`. They are assembled here by hand: what is
proved of them agrees with the JVM, and a method that is not looked into may do and throw anything."""
import os, shutil, struct, sys, tempfile
from pathlib import Path

from _protocol import ROOT, synthesise, tacit

sys.path.insert(0, str(ROOT / "test" / "tools" / "java_harness"))
import harness  # noqa: E402

FAILURES = []


def check(condition, message):
    if not condition:
        FAILURES.append(message)


class Assembler:
    """One class of version 49: a constructor, Boolean fields, methods without parameters and results."""

    def __init__(self, name, fields):
        self.pool, self.index, self.methods = [], {}, []
        self.name, self.fields = name, fields
        self.this, self.base = self.type(name), self.type("java/lang/Object")
        init = self.member(10, "java/lang/Object", "<init>", "()V")
        self.method("<init>", b"\x2a\xb7" + struct.pack(">H", init) + b"\xb1")

    def constant(self, key, data):
        if key not in self.index:
            self.pool.append(data)
            self.index[key] = len(self.pool)
        return self.index[key]

    def text(self, value):
        data = value.encode()
        return self.constant(("text", value), b"\x01" + struct.pack(">H", len(data)) + data)

    def type(self, name):
        return self.constant(("type", name), b"\x07" + struct.pack(">H", self.text(name)))

    def member(self, tag, owner, name, descriptor):
        both = self.constant(("both", name, descriptor),
                             b"\x0c" + struct.pack(">HH", self.text(name), self.text(descriptor)))
        return self.constant((tag, owner, name, descriptor), bytes([tag]) + struct.pack(">HH", self.type(owner), both))

    def get(self, field):
        return b"\x2a\xb4" + struct.pack(">H", self.member(9, self.name, field, "Z"))

    def put(self, field, value):
        return b"\x2a" + bytes([3 + value]) + b"\xb5" + struct.pack(">H", self.member(9, self.name, field, "Z"))

    def throw(self, kind="java/lang/IllegalStateException"):
        init = self.member(10, kind, "<init>", "()V")
        return b"\xbb" + struct.pack(">H", self.type(kind)) + b"\x59\xb7" + struct.pack(">H", init) + b"\xbf"

    def method(self, name, code, handlers=()):
        table = b"".join(struct.pack(">HHHH", *entry[:3], self.type(entry[3]) if entry[3] else 0) for entry in handlers)
        body = struct.pack(">HHI", 4, 6, len(code)) + code + struct.pack(">H", len(handlers)) + table + b"\0\0"
        attribute = struct.pack(">HI", self.text("Code"), len(body)) + body
        self.methods.append(struct.pack(">HHHH", 1, self.text(name), self.text("()V"), 1) + attribute)

    def bytes(self):
        fields = b"".join(struct.pack(">HHHH", 2, self.text(f), self.text("Z"), 0) for f in self.fields)
        head = struct.pack(">IHHH", 0xCAFEBABE, 0, 49, len(self.pool) + 1)
        return (head + b"".join(self.pool) + struct.pack(">HHHHH", 0x21, self.this, self.base, 0, len(self.fields)) +
                fields + struct.pack(">H", len(self.methods)) + b"".join(self.methods) + b"\0\0")


def jsr(code, target):
    """The call of a subroutine at the end of `code`."""
    return code + b"\xa8" + struct.pack(">h", target - len(code))


def goto(code, target):
    return code + b"\xa7" + struct.pack(">h", target - len(code))


def unless_set(asm, field, then):
    """`if (!field) then`, behind which things go on."""
    return asm.get(field) + b"\x9a" + struct.pack(">h", 3 + len(then)) + then


STORE, RETURN = b"\x4c", b"\xa9\x01"  # the address is kept in local 1


def old():
    asm = Assembler("Old", ["open"])
    # finally { open = true }
    asm.method("open", jsr(b"", 4) + b"\xb1" + STORE + asm.put("open", 1) + RETURN)
    # Two calls of one subroutine, which may throw.
    check_open = STORE + unless_set(asm, "open", asm.throw()) + RETURN
    asm.method("use", jsr(jsr(b"", 7), 7) + b"\xb1" + check_open)
    # A subroutine that calls another: open, close, open, close.
    first = jsr(jsr(b"", 7), 7) + b"\xb1"
    outer_end = STORE + asm.put("open", 1)
    inner = len(first) + len(outer_end) + 3 + len(RETURN)
    outer = jsr(first + outer_end, inner) + RETURN
    asm.method("shut", outer + b"\x4d" + asm.put("open", 0) + b"\xa9\x02")
    # What the subroutine throws is caught outside of it.
    call = jsr(b"", 3 + 1 + 1 + len(asm.put("open", 1)) + 1)
    handler = len(call) + 1
    code = call + b"\xb1" + b"\x57" + asm.put("open", 1) + b"\xb1" + check_open
    asm.method("ensure", code, [(0, len(call), handler, "java/lang/RuntimeException"),
                                (len(code) - len(check_open), len(code), handler, "java/lang/RuntimeException")])
    return asm


def odd():
    """A subroutine that catches: it is not looked into, so that nothing may be proved that rests on it."""
    asm = Assembler("Odd", ["open"])
    body = asm.throw()
    start = 4 + len(STORE)
    code = jsr(b"", 4) + b"\xb1" + STORE + body + b"\x57" + asm.put("open", 1) + RETURN
    asm.method("open", code, [(start, start + len(body), start + len(body), "java/lang/RuntimeException")])
    asm.method("use", unless_set(asm, "open", asm.throw()) + b"\xb1")
    # It throws in truth; it must not be taken for harmless.
    code = jsr(b"", 4) + b"\xb1" + STORE + body + b"\xbf" + RETURN
    asm.method("fail", code, [(start, start + len(body), start + len(body), "java/lang/RuntimeException"),
                              (len(code) - 2, len(code), len(code) - 2, "java/lang/RuntimeException")])
    return asm


def main():
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "result.json")
        results = {}
        for asm in (old(), odd()):
            path = Path(folder) / (asm.name + ".class")
            path.write_bytes(asm.bytes())
            results[asm.name] = synthesise(path, out, "--time", "20", status=0 if asm.name == "Old" else 3)
            if asm.name == "Old":
                tacit("verify", out, "--quiet")
        result = results["Old"]
        allowed = [sorted(s["allows"]) for s in result["states"]]
        check(allowed == [["ensure", "open", "shut"], ["ensure", "open", "shut", "use"]], f"Old: {allowed}")
        check(all(result["verdict"][c] == "proved" for c in ("safe", "permissive")), f"Old: {result['verdict']}")
        check(not any("not looked into" in a for a in result["verdict"]["assumptions"]), "Old: subroutines not followed")
        opaque = [a for a in results["Odd"]["verdict"]["assumptions"] if "not looked into" in a]
        check(len(opaque) == 2, f"Odd: {opaque}")
        check(all("fail" not in s["allows"] for s in results["Odd"]["states"]), "Odd: 'fail' may throw")
        if shutil.which("javac"):
            harness.compile_harness(folder)
            words = harness.run_many(folder, [(n, 5, "java.lang.IllegalStateException", r["methods"])
                                              for n, r in results.items()], [folder])
            for name, result in results.items():
                for problem in harness.compare(result, words[name])[:3]:
                    check(False, f"{name}: {problem}")
    for failure in FAILURES:
        print(failure)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
