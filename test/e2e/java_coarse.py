#!/usr/bin/env python3
"""Large classes of the JDK: what their errors do not depend on is hidden, and what is proved then holds on the JVM; a run
ends when its time is over, with bounds."""
import json, os, pathlib, shutil, subprocess, sys, tempfile, time

TACIT = os.environ["TACIT"]
ROOT = pathlib.Path(os.environ["TACIT_ROOT"])
sys.path.insert(0, str(ROOT / "test" / "tools" / "java_harness"))
import harness

failures = []


def check(condition, message):
    if not condition:
        failures.append(message)
        print("failed:", message)


def synth(out, name, error, *options):
    done = subprocess.run([TACIT, "synth", "--arguments", "demonic", "jdk:", "--class", name, "--error", error, "-o", str(out), "--quiet", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, json.loads(out.read_text()) if out.exists() else None, done.stderr


def main():
    if not shutil.which("javac"):
        print("skipped: no javac")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "result.json"
        found = []
        for name in ("java.io.BufferedWriter", "java.io.CharArrayReader"):
            status, result, messages = synth(out, name, "throws:java.io.IOException", "--time", "50")
            check(status == 0, f"{name}: status {status}: {messages}")
            if status != 0:
                continue
            check(len(result["states"]) == 2, f"{name}: {len(result['states'])} states, open and closed expected")
            check(result["component"]["options"].get("detail") in ("flags", "guards", "slice", None), f"{name}: detail")
            verified = subprocess.run([TACIT, "verify", str(out), "--quiet"], stdout=subprocess.DEVNULL)
            check(verified.returncode == 0, f"{name}: verify says {verified.returncode}")
            found.append((name, result))
        harness.compile_harness(folder)
        words = harness.run_many(folder, [(n, 3, "java.io.IOException", r["methods"]) for n, r in found], [])
        for name, result in found:
            for problem in harness.compare(result, words[name])[:3]:
                check(False, f"{name}: {problem}")
        # What natives write is nobody's to see: a thread that was started may not be started again.
        status, result, messages = synth(out, "java.lang.Thread", "throws:java.lang.IllegalThreadStateException",
                                         "--methods", "start,join()", "--time", "30")
        after = {(t["from"], t["call"], t["outcome"]): t["to"] for t in result["transitions"]}
        first = result["initial"][0]["state"]
        started = after.get((first, "start", "returns"), after.get((first, "start", "any")))
        check(started is not None and "start" not in result["states"][started]["allows"], "Thread: started twice")
        out.unlink(missing_ok=True)
        start = time.time()
        status, result, messages = synth(out, "java.util.Scanner", "throws:java.lang.IllegalStateException", "--time", "2")
        check(status == 3 and result is not None, f"Scanner: status {status}: {messages}")
        check(time.time() - start < 60, f"Scanner: --time 2 took {time.time() - start:.0f} s")
        # Nor is a view begun, or an alphabet finished, when there is no time left: this took 19 s.
        out.unlink(missing_ok=True)
        start = time.time()
        subprocess.run([TACIT, "synth", "jdk:", "--class", "java.util.zip.ZipOutputStream", "-o", str(out), "--quiet", "--time", "5"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        check(time.time() - start < 12, f"ZipOutputStream: --time 5 took {time.time() - start:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
