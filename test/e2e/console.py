#!/usr/bin/env python3
"""The console: help that fits a screen, colours and progress on terminals only, completion in real
shells, a manual page without warnings. A shell that is not installed is named."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from _browser import ROOT, TACIT, tacit

FAILED = []
COMMANDS = re.findall(r"^  (\w+) +\S", tacit("--help").partition("Commands:\n")[2], re.MULTILINE)


def check(what, condition, detail=""):
    if not condition:
        FAILED.append(f"{what}: {detail}" if detail else what)


def on_terminal(arguments, **variables):
    """(status, what a terminal gets) of a run on one."""
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    environment.update(TERM="xterm", **variables)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        os.execve(TACIT, [TACIT, *map(str, arguments)], environment)
    seen = b""
    while True:
        select.select([terminal], [], [], 60)
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), seen.decode(errors="replace")


def help_fits():
    general = tacit("--help")
    check("help fits a screen", len(general.splitlines()) <= 24, str(len(general.splitlines())))
    check("help shows three commands first", all(c in general.partition("Commands:")[0] for c in ("synth", "show", "verify")))
    for command in COMMANDS:
        text = tacit(command, "--help")
        check(f"help of {command} fits 80 columns", all(len(line) <= 80 for line in text.splitlines() if not line.startswith("tacit ")),
              text)
    check("a version", re.fullmatch(r"tacit \d+\.\d+\.\d+\n", tacit("--version")))


def colours(folder):
    path = folder / "socket.json"
    synth = ["synth", "examples/socket/socket.tir", "-o", path]
    status, seen = on_terminal(synth)
    check("colours on a terminal", status == 0 and "\x1b[32mproved\x1b[0m safe" in seen, seen)
    _, seen = on_terminal(synth, NO_COLOR="1")
    check("none with NO_COLOR", "\x1b" not in seen and "proved safe" in seen, seen)
    _, seen = on_terminal(synth, NO_COLOR="")
    check("an empty NO_COLOR does not count", "\x1b[32m" in seen, seen)
    check("none in a pipe", "\x1b" not in tacit(*synth))
    _, seen = on_terminal(["show", path])
    check("shown in colours", "\x1b[32mproved\x1b[0m safe" in seen, seen[:200])
    check("a form in a pipe has none", "\x1b" not in tacit("show", path))
    status, seen = on_terminal(["synth", "nowhere.tir"])
    check("errors are red", status == 2 and "\x1b[31merror:\x1b[0m" in seen, seen)
    status, seen = on_terminal(["replay", path, "close", "connect"])
    check("a refusal is red", status == 1 and "\x1b[31mrefused\x1b[0m" in seen, seen)
    check("quiet synth", tacit(*synth, "--quiet") == "")
    check("quiet verify", tacit("verify", path, "--quiet") == "")
    check("quiet replay", tacit("replay", path, "close", "connect", "--quiet", statuses=(1,)) == "")
    check("quiet diff", tacit("diff", path, path, "--quiet") == "")
    seen = tacit("synth", "examples/list_iterator/list_iterator.tir", "-o", folder / "list.json")
    check("assumptions are said", "under 1 assumption.\n" in seen and "assumed: values stay within" in seen, seen)


def progress(folder):
    source = folder / "stack.tir"
    source.write_text(tacit("bench", "algorithms", "--print", "stack", "17"))
    slow = ["synth", "--engine", "learn", "--time", "2", source, "-o", folder / "stack.json"]
    status, seen = on_terminal(slow)
    lines = seen.split("\r\x1b[K")
    check("progress is drawn", status == 3 and len(lines) > 5, f"{status}: {seen[:300]!r}")
    check("it tells time and phase", any(re.search(r"\d\.\d s · .*s left$", line) for line in lines), lines[:3])
    check("it fits the line", all(len(line) <= 100 for line in lines[:-1]))
    check("it is wiped", lines[-1].startswith("Stack: "), lines[-1][:80])
    _, seen = on_terminal([*slow, "--quiet"])
    check("quiet has none", seen == "", seen[:100])
    done = subprocess.run([TACIT, *map(str, slow)], capture_output=True, text=True, check=False)
    check("none in a pipe", "\r" not in done.stderr, done.stderr[:100])


def complete_in_bash(script, *words):
    code = f"""source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tacit; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", code, "bash", *words], capture_output=True, text=True, check=False, cwd=ROOT)
    check("bash complains", done.stderr == "", done.stderr)
    return set(done.stdout.split())


def completion(folder):
    scripts = {}
    for shell in ("bash", "zsh", "fish"):
        scripts[shell] = folder / f"tacit.{shell}"
        scripts[shell].write_text(tacit("completion", shell))
    bash = lambda *words: complete_in_bash(scripts["bash"], *words)
    check("bash: commands", bash("tacit", "s") == {"synth", "show", "scan"}, bash("tacit", "s"))
    check("bash: options of the command", "--as" in bash("tacit", "show", "--") and "--engine" not in bash("tacit", "show", "--"))
    check("bash: values", bash("tacit", "show", "x.json", "--as", "pl") == {"plantuml"})
    check("bash: engines", "permissive" in bash("tacit", "synth", "--engine", ""))
    check("bash: files", "README.md" in bash("tacit", "synth", "READ"))
    check("bash: shells", bash("tacit", "completion", "f") == {"fish"})
    missing = [shell for shell in ("zsh", "fish") if not shutil.which(shell)]
    if "zsh" not in missing:
        done = subprocess.run(["zsh", "-f", "-c", "autoload -U compinit; compinit -u -D; source $1; print $_comps[tacit]", "zsh",
                               scripts["zsh"]], capture_output=True, text=True, check=False)
        check("zsh loads it", done.stdout.strip() == "_tacit" and done.stderr == "", done.stdout + done.stderr)
    if "fish" not in missing:
        ask = lambda text: subprocess.run(
            ["fish", "-N", "-c", f"source {scripts['fish']}; complete -C '{text}'"], capture_output=True, text=True,
            check=False, cwd=ROOT, env=dict(os.environ, HOME=str(folder))).stdout
        check("fish: commands", "synth\t" in ask("tacit sy"), ask("tacit sy"))
        check("fish: values", "plantuml" in ask("tacit show --as pl"), ask("tacit show --as pl"))
        check("fish: options", "--methods\t" in ask("tacit synth --me"), ask("tacit synth --me"))
    if missing:
        print("not installed, so not tried: " + ", ".join(missing))


def manual(folder):
    page = folder / "tacit.1"
    page.write_text(tacit("man"))
    if not shutil.which("groff"):
        print("not installed, so not tried: groff")
        return
    done = subprocess.run(["groff", "-man", "-ww", "-K", "utf8", "-Tutf8", "-P-cbou", page], capture_output=True, text=True, check=False)
    check("the manual has no warnings", done.returncode == 0 and done.stderr == "", done.stderr)
    flat = done.stdout.replace("\u2010", "-").replace("\u2212", "-")
    for word in [*COMMANDS, "--engine", "--as", "mermaid", "NO_COLOR", "EXIT STATUS"]:
        check(f"the manual names {word}", word in flat)


def demo():
    """What `./dev demo` runs after the build."""
    if Path(TACIT).resolve() != ROOT.resolve() / "build" / "tacit":
        print("not tried, the build is elsewhere: the demo")
        return
    done = subprocess.run([ROOT / "tools" / "demo.sh"], capture_output=True, text=True, timeout=60, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    check("the demo runs", done.returncode == 0, done.stdout + done.stderr)
    check("it fits two screens", len(lines) <= 48, str(len(lines)))
    report = re.search(r"in a browser: (\S+\.html)$", done.stdout, re.MULTILINE)
    check("it says where the report is", report and Path(report.group(1)).is_file(), done.stdout)


def main():
    with tempfile.TemporaryDirectory(prefix="tacit-console-") as name:
        folder = Path(name)
        help_fits()
        colours(folder)
        progress(folder)
        completion(folder)
        manual(folder)
        demo()
    for failure in FAILED:
        print("FAILED", failure)
    print(f"{len(FAILED)} failures")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
