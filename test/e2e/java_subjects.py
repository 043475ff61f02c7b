#!/usr/bin/env python3
"""Java components: our own versions of the papers' subjects (examples/java, compiled here) and classes of the installed
JDK have the expected protocols, proved and verified, and agree with the JVM on all words up to a length. Needs a JDK."""
import os, re, shutil, subprocess, sys, tempfile
from pathlib import Path

from _protocol import ROOT, difference, synthesise, tacit

sys.path.insert(0, str(ROOT / "test" / "tools" / "java_harness"))
import harness  # noqa: E402

FULL = os.environ.get("TACIT_FULL") == "1"
LENGTH = 5
# Class, expected protocol, error, options.
OWN = [
    ("Signature", "signature", "throws:SignatureException", "Signature$SignatureException"),
    ("ServerTableEntry", "server_table_entry", "throws:Internal", "ServerTableEntry$Internal"),
    ("ListItr", "list_iterator", "throws:IllegalStateException", "java.lang.IllegalStateException"),
    ("PipedOutputStream", "piped_output_stream", "throws:IOException", "java.io.IOException"),
    ("Socket", "socket", "throws:SocketException", "java.net.SocketException"),
    ("TransactionManager", "transaction_manager", "throws:IllegalStateException", "java.lang.IllegalStateException"),
    ("NasaCevAscent", "nasa_cev_ascent", "throws:IllegalStateException", "java.lang.IllegalStateException"),
]
JDK = [
    ("java.security.Signature", "signature", "java.security.SignatureException",
     "initSign(PrivateKey),initVerify(PublicKey),sign(),update(byte),verify(byte[])"),
    ("java.util.ArrayList$ListItr", "list_iterator", "java.lang.IllegalStateException", "next,previous,remove,set,add"),
    ("java.util.LinkedList$ListItr", "list_iterator", "java.lang.IllegalStateException", "next,previous,remove,set,add"),
    ("java.util.AbstractList$ListItr", "list_iterator", "java.lang.IllegalStateException", "next,previous,remove,set,add"),
]
FAILURES = []


def check(condition, message):
    if not condition:
        FAILURES.append(message)


def proved(result, name, claims=("safe", "permissive")):
    for claim in claims:
        check(result["verdict"][claim] == "proved", f"{name}: {claim} is {result['verdict'][claim]}: "
              f"{result['verdict']['details']}")


def successes_only(result):
    """The result with bare names and without exceptional outcomes."""
    bare = lambda name: re.sub(r"\(.*", "", name)
    return {
        "initial": result["initial"],
        "states": [{"allows": [bare(c) for c in s["allows"]]} for s in result["states"]],
        "transitions": [dict(t, call=bare(t["call"])) for t in result["transitions"]
                        if not t["outcome"].startswith("throws")],
    }


def without_failures(expected, folder):
    """An expected protocol without exceptional outcomes, as a file."""
    path = Path(folder) / "expected.dfa"
    path.write_text(re.sub(r"\S+:throws>\S+", "", expected.read_text()))
    return path


def own(folder, out):
    sources = sorted((ROOT / "examples" / "java").glob("*.java"))
    subprocess.run(["javac", "-g", "-d", folder, *map(str, sources)], check=True)
    jobs = []
    for name, expected, error, thrown in OWN:
        result = synthesise(Path(folder) / f"{name}.class", out, "--error", error)
        proved(result, name)
        tacit("verify", out, "--quiet")
        wrong = difference(result, ROOT / "examples" / expected / "expected.dfa")
        check(not wrong, f"{name}: {wrong}")
        jobs.append((name, result, thrown))
    words = harness.run_many(folder, [(n, 4 if len(r["methods"]) > 6 and not FULL else LENGTH, e, r["methods"]) for n, r, e in jobs],
                             [folder])
    for name, result, _ in jobs:
        for problem in harness.compare(result, words[name])[:3]:
            check(False, f"{name}: {problem}")


def jdk(folder, out):
    results = []
    for name, expected, error, methods in JDK:
        result = synthesise("jdk:", out, "--class", name, "--methods", methods, "--error", "throws:" + error)
        proved(result, name)
        tacit("verify", out, "--quiet")
        path = without_failures(ROOT / "examples" / expected / "expected.dfa", folder)
        wrong = difference(successes_only(result), path)
        check(not wrong, f"{name}: {wrong}")
        check(any(a.startswith("library classes are those of JDK") for a in result["verdict"]["assumptions"]),
              f"{name}: the version of the JDK is not recorded")
        results.append((name, result, error))
    # Where nothing can err like that, there is no protocol to prove.
    tacit("synth", "jdk:", "--class", "java.security.MessageDigest", "--error", "throws:java.lang.IllegalStateException",
          status=2)
    piped = synthesise("jdk:", out, "--class", "java.io.PipedOutputStream", "--arguments", "angelic", "--error",
                       "throws:java.io.IOException", status=0)
    proved(piped, "PipedOutputStream")
    tacit("verify", out, "--quiet")
    writes = {"write(int)", "write(byte[])", "write(byte[],int,int)"}
    allowed = [set(s["allows"]) for s in piped["states"]]
    check(allowed == [{"connect", "flush", "close"}, writes | {"flush", "close"}], f"PipedOutputStream: {allowed}")
    starts = {i["constructor"]: i["state"] for i in piped["initial"]}
    check(starts == {"PipedOutputStream()": 0, "PipedOutputStream(PipedInputStream)": 1}, f"PipedOutputStream: {starts}")
    # The harness makes objects by one constructor.
    piped = dict(piped, initial=[i for i in piped["initial"] if i["state"] == 0])
    results.append(("java.io.PipedOutputStream", piped, "java.io.IOException"))
    methods = "connect(SocketAddress,int),close,bind,getInputStream,getOutputStream,shutdownInput,shutdownOutput"
    socket = synthesise("jdk:", out, "--class", "java.net.Socket", "--constructor", "Socket()", "--arguments", "angelic",
                        "--error", "throws:java.net.SocketException", "--methods", methods)
    proved(socket, "Socket")
    tacit("verify", out, "--quiet")
    path = without_failures(ROOT / "examples" / "socket" / "expected.dfa", folder)
    wrong = difference(successes_only(socket), path)
    # Failures of the implementation lead to states of their own.
    check(not wrong or wrong.endswith("suffice"), f"Socket: {wrong}")
    results.append(("java.net.Socket", socket, "java.net.SocketException"))
    # A word of Socket takes real connections.
    words = harness.run_many(folder, [(n, 3 if n.endswith("Socket") and not FULL else LENGTH, e, r["methods"])
                                      for n, r, e in results], [])
    if FULL:
        print(", ".join(f"{name} {len(found)} words" for name, found in words.items()))
    for name, result, _ in results:
        problems = harness.compare(result, words[name])
        for problem in problems[:3]:
            check(False, f"{name}: {problem}")
    # The harness can tell: with a refusal turned into a permission it must complain.
    name, result, _ = results[0]
    broken = dict(result, states=[dict(s, allows=result["methods"]) for s in result["states"]])
    check(harness.compare(broken, words[name]), "the harness does not notice a wrong interface")


def contracts(out):
    """Without its contract `get` may return for any index, and previous may leave -1 behind."""
    # How far next may go back to where remove works is not regular then, so that only a bound is found.
    arguments = ("--class", "java.util.AbstractList$ListItr", "--methods", "next,previous,remove", "--queries", "8000",
                 "--error", "throws:java.lang.IllegalStateException")
    result = synthesise("jdk:", out, *arguments, "--contracts", "none", status=3)
    after = {(t["from"], t["call"], t["outcome"]): t["to"] for t in result["transitions"]}
    start = result["initial"][0]["state"]
    state = after.get((start, "previous", "returns"), after.get((start, "previous", "any")))
    check("remove" not in result["states"][state]["allows"], "AbstractList$ListItr: remove without the contract of get")
    # The result says which callee would have to do what; with the contract there is nothing to say.
    why = result["verdict"]["details"]["permissive"]
    check("next:returns · remove errs only if AbstractList.get(int), called by next, returns for a1 < 0" in why,
          f"AbstractList$ListItr: the difference is not explained: {why}")
    result = synthesise("jdk:", out, "--class", "java.util.AbstractList$ListItr", "--methods", "previous,remove",
                        "--error", "throws:java.lang.IllegalStateException")
    state = {(t["from"], t["call"], t["outcome"]): t["to"] for t in result["transitions"]}[
        result["initial"][0]["state"], "previous", "returns"]
    check("remove" in result["states"][state]["allows"], "AbstractList$ListItr: no remove with the contract of get")
    check("errs only if" not in str(result["verdict"]["details"]) and not any("needs" in f for f in result["forbidden"]),
          "AbstractList$ListItr: something to explain with the contract of get")


def main():
    if not shutil.which("javac"):
        print("no JDK here: skipped")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "result.json")
        harness.compile_harness(folder)
        own(folder, out)
        jdk(folder, out)
        contracts(out)
    for failure in FAILURES:
        print(failure)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
