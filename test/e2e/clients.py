"""Clients checked against protocols: sixty programs with expected verdicts.

A client says what is expected of it in comments: `// expect FUNCTION: follows`, `conditional` (follows
when it is entered in the right way), `violates CALL`, or `unknown (why)`. An unknown verdict is labelled
with its cause, `or unknown (time)` stands where a slow machine may not get to the end; a verdict "follows" that is not expected is the worst that can happen.

With arguments, only the clients whose path contains one of them are run, and every verdict is shown.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TACIT = os.environ["TACIT"]
ROOT = os.environ["TACIT_ROOT"]
CLIENTS = os.path.join(ROOT, "test", "clients")

EXPECT = re.compile(r"//\s*expect ([\w:.$<>]+): (\w+)(?: (?!or )(\w+))?( or unknown)?")


def run(*words, ok=(0,)):
    done = subprocess.run([TACIT, *words], capture_output=True, text=True)
    if done.returncode not in ok:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def verdicts(text):
    """Function (without parameters) -> verdict word and call."""
    found = {}
    for line in text.splitlines():
        if m := re.match(r"\S+: (\S+?)(?:\(.*?\))? follows the protocol of \w+( when)?", line):
            found[m[1]] = ("conditional" if m[2] else "follows", None)
        elif m := re.match(r"\S+: (\S+?)(?:\(.*?\))? violates the protocol of \w+: (\w+)", line):
            found[m[1]] = ("violates", m[2])
        elif m := re.match(r"\S+: (\S+?)(?:\(.*?\))?: unknown:", line):
            found[m[1]] = ("unknown", None)
    return found


def expected(path):
    with open(path, encoding="utf-8") as file:
        return {m[1]: (m[2], m[3] if m[2] == "violates" else None, bool(m[4]))
                for m in map(EXPECT.match, file) if m}


def status_of(words):
    if "violates" in words:
        return 1
    return 3 if "unknown" in words else 0


def check_one(result, sources, annotated, table):
    want = expected(annotated)
    done = run("check", result, *sources, "--quiet", ok=(0, 1, 3))
    got = verdicts(done.stdout)
    name = os.path.relpath(annotated, CLIENTS)
    wrong = []
    for function, (verdict, call, time) in want.items():
        given = got.get(function, ("nothing", None))
        table.append((name, function, verdict, given[0]))
        if given != (verdict, call) and not (time and given[0] == "unknown"):
            wrong.append(f"{name}: {function}: expected {verdict} {call or ''}, got {given}")
    if done.returncode != status_of([v for v, _ in got.values()]):
        wrong.append(f"{name}: exit status {done.returncode}")
    if wrong:
        wrong.append(done.stdout)
    return wrong


def check_sarif_schema(log):
    """What is written is what test/schema/sarif.json says of the standard; damaged logs are not."""
    try:
        import jsonschema
    except ImportError:
        print("the package jsonschema is not installed: SARIF is not validated")
        return
    with open(os.path.join(ROOT, "test", "schema", "sarif.json"), encoding="utf-8") as file:
        validator = jsonschema.Draft202012Validator(json.load(file))
    wrong = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(log)]
    assert not wrong, wrong
    for key, value in (("version", "2.0"), ("results", [])):
        assert list(validator.iter_errors({**log, key: value})), key


def check_sarif(result, source, folder):
    odd = os.path.join(folder, 'odd "name" é.c')
    shutil.copy(source, odd)
    for file, status in ((odd, 1), (os.path.join(CLIENTS, "c", "escape.c"), 3)):
        words = ["check", result, file, "--as", "sarif", "--", f"-I{os.path.join(CLIENTS, 'c')}"]
        check_sarif_schema(json.loads(run(*words, ok=(status,)).stdout))
    done = run("check", result, source, "--as", "sarif", ok=(1,))
    log = json.loads(done.stdout)
    assert log["version"] == "2.1.0", log["version"]
    found = log["runs"][0]["results"]
    rules = {rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert found and all(one["ruleId"] in rules for one in found), found
    flow = found[0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert flow and all(
        step["location"]["physicalLocation"]["region"]["startLine"] > 0 for step in flow), flow


def check_suppression(result, source, folder):
    """A remark in the source, and a baseline, take a violation away."""
    baseline = os.path.join(folder, "baseline")
    run("check", result, source, "--write-baseline", baseline, ok=(1,))
    run("check", result, source, "--baseline", baseline, ok=(0,))
    with open(source, encoding="utf-8") as file:
        text = file.read()
    for header in ("stream.h",):
        shutil.copy(os.path.join(os.path.dirname(source), header), folder)
    remarked = os.path.join(folder, "remarked.c")
    with open(remarked, "w", encoding="utf-8") as file:
        file.write(text.replace("  int r = stream_read",
                                "  // tacit-ignore-next-line: opens never fail here\n"
                                "  int r = stream_read"))
    done = run("check", result, remarked, ok=(0,))
    assert "opens never fail here" in done.stdout, done.stdout


def check_ends(stream, folder):
    """Objects that end in states in which more is wanted: locals in C, destructors in C++."""
    ends, latch = os.path.join(CLIENTS, "ends"), os.path.join(folder, "latch.json")
    run("synth", os.path.join(ends, "latch.cpp"), "--class", "Latch", "-o", latch, "--quiet")
    for result, client, call, wrong in ((stream, "leak.c", "stream_close", "leaks"), (latch, "held.cpp", "unlock", "held")):
        source = os.path.join(ends, client)
        run("check", result, source, "--quiet")
        done = run("check", result, source, "--must-end", call, "--quiet", ok=(1,))
        assert f"where {call} is still wanted" in done.stdout, done.stdout
        assert [line.split()[1].split("(")[0] for line in done.stdout.splitlines() if " violates " in line] == [wrong], done.stdout
        assert "0 unknown" in done.stdout, done.stdout
    run("check", stream, os.path.join(ends, "leak.c"), "--must-end", "0", "--quiet", ok=(1,))


def check_evidence(result, folder):
    """Proofs are written down and confirmed; changed ones are not."""
    proofs = os.path.join(folder, "proofs")
    sources = [os.path.join(CLIENTS, "c", name) for name in ("straight.c", "parameter.c", "unchecked.c")]
    run("check", result, *sources, "--quiet", "--evidence", proofs, ok=(1,))
    assert sorted(os.listdir(proofs)) == ["reads.json", "straight.json"], os.listdir(proofs)
    for name, said in (("straight", "straight follows the protocol of stream\n"), ("reads", "reads follows the protocol of stream when it is handed s in state 1\n")):
        path = os.path.join(proofs, name + ".json")
        assert "confirmed: " + said in run("verify", path).stdout
        with open(path, encoding="utf-8") as file:
            proof = json.load(file)
        # Another client, said to follow by the same proof.
        other = run("check", result, os.path.join(CLIENTS, "c", "unchecked.c"), "--as", "tir").stdout
        for change in (lambda p: p["client"]["follow"][0].update(call="other"), lambda p: p["verdict"].update(safe="unknown"),
                       lambda p: p["states"][0].update(allows=[]),
                       lambda p: p["component"].update(tir=other)):
            changed = json.loads(json.dumps(proof))
            change(changed)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(changed, file)
            done = run("verify", path, ok=(1, 2, 3))
            assert "confirmed" not in done.stdout, done.stdout


def main():
    wanted = sys.argv[1:]
    chosen = lambda path: not wanted or any(word in path for word in wanted)
    wrong, table = [], []
    with tempfile.TemporaryDirectory() as folder:
        c, cpp, java = (os.path.join(CLIENTS, one) for one in ("c", "cpp", "java"))
        stream, channel = (os.path.join(folder, f"{n}.json") for n in ("stream", "channel"))
        run("synth", os.path.join(c, "stream.c"), "--handle", "stream", "--own", "stream",
            "--constructor", "stream_init", "-o", stream, "--quiet")
        run("synth", os.path.join(cpp, "channel.cpp"), "--class", "Channel", "--error",
            "throws:std::logic_error", "-o", channel, "--quiet")
        for result, where, suffix, component in ((stream, c, ".c", "stream"),
                                                 (channel, cpp, ".cpp", "channel")):
            for name in sorted(os.listdir(where)):
                path = os.path.join(where, name)
                if name.endswith(suffix) and name != component + suffix and chosen(path):
                    wrong += check_one(result, [path], path, table)
        if not wanted:
            check_sarif(stream, os.path.join(c, "unchecked.c"), folder)
            check_suppression(stream, os.path.join(c, "unchecked.c"), folder)
            check_ends(stream, folder)
            check_evidence(stream, folder)
        if shutil.which("javac"):
            classes = os.path.join(folder, "classes")
            subprocess.run(["javac", "-g", "-d", classes,
                            *(os.path.join(java, n) for n in os.listdir(java))], check=True)
            cursor = os.path.join(folder, "cursor.json")
            run("synth", os.path.join(classes, "Cursor.class"), "-o", cursor, "--quiet")
            for name in sorted(os.listdir(java)):
                path = os.path.join(java, name)
                if name != "Cursor.java" and chosen(path):
                    compiled = os.path.join(classes, name.replace(".java", ".class"))
                    wrong += check_one(cursor, [compiled], path, table)
    if wanted or os.environ.get("TACIT_FULL"):
        for row in table:
            print("%-28s %-28s %-12s %s" % row)
    print(f"{len(table)} verdicts, {sum(a != b for *_, a, b in table)} not as expected")
    if wrong:
        sys.exit("\n".join(wrong))


main()
