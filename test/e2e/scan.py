#!/usr/bin/env python3
"""tacit scan: a project by its compile database, resuming, shards, comparing, and being killed."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(os.environ["TACIT_ROOT"])
TACIT = os.environ["TACIT"]

DOOR = """
#include <stdexcept>
class Door {
public:
  void open() { if (open_) throw std::logic_error("open"); open_ = true; }
  void close() { if (!open_) throw std::logic_error("closed"); open_ = false; }
private:
  bool open_ = false;
};
class Plain { public: int twice(int n) { return n + n; } };
Door a; Plain b;
int use() { a.open(); return b.twice(1); }
"""

PUMP = """
#include <assert.h>
struct pump { int on; int speed; };
void pump_init(struct pump *p) { p->on = 0; p->speed = 0; }
void pump_start(struct pump *p) { assert(!p->on); p->on = 1; }
void pump_stop(struct pump *p) { assert(p->on); p->on = 0; }
"""


def scan(*words, status=0, cwd=None):
    run = subprocess.run([TACIT, "scan", *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=300)
    assert run.returncode == status, (run.returncode, run.stdout, run.stderr)
    return run.stdout + run.stderr


def records(folder):
    return {r["name"]: r for r in (json.loads(p.read_text()) for p in (folder / "tasks").glob("*.json"))}


def results(folder):
    return {p.name: p.read_bytes() for p in (folder / "results").glob("*.json")}


def project(folder):
    (folder / "door.cpp").write_text(DOOR)
    (folder / "pump.c").write_text(PUMP)
    (folder / "broken.cpp").write_text("class {")
    (folder / "build").mkdir()
    (folder / "build" / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(folder / "build"), "file": f"../{name}", "command": f"cc -c ../{name}"}
         for name in ("door.cpp", "pump.c", "broken.cpp")]))


def a_project(folder):
    project(folder)
    site = folder / "site"
    printed = scan(folder, "-o", site, "--time", "5")
    found = records(site)
    assert found["Door"]["status"] == "proved" and found["Door"]["states"] == 2, found["Door"]
    assert found["pump"]["status"] == "proved" and found["pump"]["states"] == 2, found["pump"]
    assert found["Plain"]["status"] == "no errors", found["Plain"]
    index = (site / "index.html").read_text()
    assert "Door" in index and "broken.cpp" in index and "no errors" in printed
    assert json.loads((site / "findings.sarif").read_text())["version"] == "2.1.0"
    assert "| Door | 2 | proved |" in (site / "summary.md").read_text()

    again = scan(folder, "-o", site, "--time", "5")
    assert "3 of 3 are as they were" in again, again

    # A result that is gone is made again; the rest stays.
    before = results(site)
    next((site / "results").glob("Door*")).unlink()
    assert "2 of 3 are as they were" in scan(folder, "-o", site, "--time", "5")
    assert results(site) == before

    # A comment changes the file, not the program.
    (folder / "pump.c").write_text(PUMP + "/* later */\n")
    assert "3 of 3 are as they were" in scan(folder, "-o", site, "--time", "5")

    halves = folder / "halves"
    for k in (2, 1):
        scan(folder, "-o", halves, "--time", "5", "--shard", f"{k}/2")
    scan("-o", halves, "--collect")
    assert results(halves) == results(site)
    assert (halves / "index.html").read_text().count("<tr>") == index.count("<tr>")

    (folder / "door.cpp").write_text(DOOR.replace('if (!open_) throw std::logic_error("closed"); ', ""))
    later = folder / "later"
    scan(folder, "-o", later, "--time", "5")
    run = subprocess.run([TACIT, "diff", site, later], capture_output=True, text=True)
    assert run.returncode == 1 and "Door:" in run.stdout and "close" in run.stdout, run.stdout
    run = subprocess.run([TACIT, "diff", site, site], capture_output=True, text=True)
    assert run.returncode == 0 and not run.stdout, run.stdout


def changes_elsewhere(folder):
    """What a result rests on besides its own file: headers in other folders, flags, options."""
    (folder / "src").mkdir()
    (folder / "include").mkdir()
    header = folder / "include" / "door.h"
    guard = 'if (!open_) throw std::logic_error("closed"); '
    header.write_text("#pragma once\n" + DOOR.partition("class Plain")[0].replace(guard, f"\n#ifndef LOOSE\n{guard}\n#endif\n"))
    (folder / "src" / "use.cpp").write_text('#include "door.h"\nvoid use() { Door d; d.open(); }\n')

    def allowed(flags, *options):
        (folder / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(folder), "file": "src/use.cpp", "command": f"c++ -Iinclude {flags} -c src/use.cpp"}]))
        printed = scan(folder, "-o", folder / "site", "--time", "5", *options)
        result = json.loads(next((folder / "site" / "results").glob("Door*")).read_text())
        return [sorted(state["allows"]) for state in result["states"]], "as they were" in printed

    strict, loose = [["open"], ["close"]], [["close", "open"], ["close"]]
    assert allowed("") == (strict, False)
    assert allowed("") == (strict, True)
    assert allowed("-DLOOSE") == (loose, False)
    assert allowed("") == (strict, False)
    header.write_text(header.read_text().replace(guard, ""))
    assert allowed("") == (loose, False)
    assert allowed("", "--arguments", "demonic") == (loose, False)


def killed(folder, times):
    """Whatever is there after a kill is whole, and the next run completes it."""
    subjects = sorted((ROOT / "test" / "guarded").glob("*/component.tir"))[:12]
    listed = folder / "all.txt"
    listed.write_text("".join(f"{s}\n" for s in subjects))
    whole = folder / "whole"
    scan(f"@{listed}", "-o", whole, "--time", "5")
    chance = random.Random(7)
    site = folder / "killed"
    for _ in range(times):
        process = subprocess.Popen([TACIT, "scan", f"@{listed}", "-o", site, "--time", "5", "--quiet"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.02, 0.6))
        process.send_signal(signal.SIGKILL)
        process.wait()
        for path in list(site.glob("tasks/*.json")) + list(site.glob("results/*.json")):
            json.loads(path.read_text())
    scan(f"@{listed}", "-o", site, "--time", "5")
    assert results(site) == results(whole)


def through_slurm(folder):
    """The job that is submitted does with the same options what a local run does."""
    tools = folder / "bin"
    tools.mkdir()
    (tools / "sbatch").write_text('#!/bin/sh\nfor script; do :; done\necho 7\n'
                                  'SLURM_ARRAY_TASK_ID=1 sh "$script" >/dev/null 2>&1\n')
    (tools / "squeue").write_text("#!/bin/sh\n")
    for tool in tools.iterdir():
        tool.chmod(0o755)
    (folder / "pump.tir").write_text("component Pump\nstate on : bool = false\n"
                                     "method start(n : int) { if (n < 1) error few; on := true; return; }\n"
                                     "method stop() { if (!on) error off; on := false; return; }\n")
    options = [folder / "pump.tir", "--time", "5", "--arguments", "demonic", "--integers", "machine"]
    scan(*options, "-o", folder / "here")
    path = os.environ["PATH"]
    os.environ["PATH"] = f"{tools}:{path}"
    try:
        scan(*options, "-o", folder / "there", "--slurm", "--partition=short -n1")
    finally:
        os.environ["PATH"] = path
    script = (folder / "there" / "slurm" / "job.sh").read_text()
    assert "--arguments 'demonic'" in script and "--integers 'machine'" in script, script
    assert results(folder / "here") == results(folder / "there")
    assert "1 of 1 are as they were" in scan(*options, "-o", folder / "there")


def mistakes(folder):
    assert "name the folder" in scan("x.cpp", status=2)
    assert "there is no such file" in scan("missing.cpp", "-o", folder / "no", status=2)
    assert "K/N" in scan("missing.cpp", "-o", folder / "no", "--shard", "3/2", status=2)
    empty = folder / "empty"
    empty.mkdir()
    assert "compile database" in scan(empty, "-o", folder / "no", status=2)


with tempfile.TemporaryDirectory() as name:
    a_project(Path(name))
with tempfile.TemporaryDirectory() as name:
    changes_elsewhere(Path(name))
with tempfile.TemporaryDirectory() as name:
    killed(Path(name), 20 if os.environ.get("TACIT_FULL") else 5)
with tempfile.TemporaryDirectory() as name:
    through_slurm(Path(name))
with tempfile.TemporaryDirectory() as name:
    mistakes(Path(name))
print("ok", file=sys.stderr)
