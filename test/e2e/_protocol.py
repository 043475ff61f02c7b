"""Expected protocols, and whether a result has the same one.

An expected protocol is a text: `STATE: call>NEXT call:outcome>NEXT`, the first state initial, calls that a state does not
list refused there. A line `# calls: …` names calls that must be judged although no state lists them.
"""

import collections
import json
import os
import signal
import subprocess
from pathlib import Path

ROOT = Path(os.environ["TACIT_ROOT"])
TACIT = os.environ["TACIT"]


def run_for(command, seconds, **more):
    """A finished process; None when it took more processor time than that, or stood still. A busy machine is no hang."""
    limited = ["sh", "-c", f'ulimit -t {seconds}; exec "$0" "$@"', *command]
    try:
        done = subprocess.run(limited, capture_output=True, text=True, check=False, timeout=20 * seconds, **more)
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else done


SHORT = {"0": ("returns=0", "returns=false", "returns=null"), "1": ("returns=1", "returns=true")}


def read_expected(path):
    states, calls, first = {}, set(), None
    for line in path.read_text().splitlines():
        if line.startswith("# calls:"):
            calls.update(word.split(":")[0] for word in line[len("# calls:"):].split())
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, _, rest = line.partition(":")
        row = collections.defaultdict(dict)
        for edge in rest.split():
            letter, _, target = edge.rpartition(">")
            call, _, outcome = letter.partition(":")
            row[call][outcome] = target
        states[name.strip()] = row
        calls.update(row)
        first = first or name.strip()
    return first, states, calls


def fits(wanted, outcome):
    """Whether an outcome of a result is one that an expected letter stands for."""
    if not wanted or outcome == "any":
        return True
    return outcome == wanted or outcome in SHORT.get(wanted, ()) or outcome.split("=")[0] == wanted


def difference(result, path):
    """None when the result has the expected protocol with no state too many, else a description."""
    first, states, calls = read_expected(path)
    starts = {entry["state"] for entry in result["initial"]}
    if len(starts) != 1:
        return f"{len(starts)} start states"
    allows = [set(state["allows"]) for state in result["states"]]
    moves = collections.defaultdict(list)
    for t in result["transitions"]:
        moves[t["from"], t["call"]].append((t["outcome"], t["to"]))
    start = starts.pop()
    seen, queue = {(start, first)}, collections.deque([(start, first, [])])
    while queue:
        mine, theirs, word = queue.popleft()
        for call in sorted(calls):
            text = " ".join(word + [call])
            if (call in allows[mine]) != (call in states[theirs]):
                return f"{text}: {'allowed' if call in allows[mine] else 'refused'}, expected otherwise"
            for wanted, target in states[theirs].get(call, {}).items():
                hits = [to for outcome, to in moves[mine, call] if fits(wanted, outcome)]
                if not hits:
                    return f"{text}: no outcome {wanted or 'at all'}"
                for to in hits:
                    if (to, target) not in seen:
                        seen.add((to, target))
                        letter = f"{call}:{wanted}" if wanted else call
                        queue.append((to, target, word + [letter]))
            for outcome, _ in moves[mine, call]:
                if not any(fits(wanted, outcome) for wanted in states[theirs].get(call, {})):
                    return f"{text}: outcome {outcome} is not expected"
    if len({mine for mine, _ in seen}) > len(states):
        return f"{len(result['states'])} states where {len(states)} suffice"
    return None


def tacit(*arguments, status=0):
    """Runs the program; anything but the expected exit status is an error with its output."""
    done = subprocess.run([TACIT, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise SystemExit(f"tacit {' '.join(map(str, arguments))}: exit {done.returncode}, expected {status}\n"
                         f"{done.stdout}{done.stderr}")
    return done.stdout


def synthesise(source, out, *options, status=0):
    reading = [] if "--arguments" in options else ["--arguments", "demonic"]
    tacit("synth", source, "-o", out, "--quiet", *reading, *options, status=status)
    return json.loads(Path(out).read_text())
