"""Where node, Chromium and the npm packages of test/browser are; tests that need them skip without."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ["TACIT_ROOT"])
TACIT = os.environ["TACIT"]
FOLDER = ROOT / "test" / "browser"


def need():
    """Ends the test as skipped, loudly, when something is missing."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    missing = []
    if not shutil.which("node"):
        missing.append("node (package nodejs)")
    if not chromium:
        missing.append("chromium (package chromium)")
    for package in ("playwright-core", "mermaid", "axe-core"):
        if not (FOLDER / "node_modules" / package).is_dir():
            missing.append(f"{package} (npm ci --prefix test/browser)")
    if missing:
        print("SKIPPED, nothing was tested: the browser tests need " + ", ".join(missing))
        sys.exit(77)
    return chromium


def run_node(script, *arguments):
    chromium = need()
    done = subprocess.run(["node", str(FOLDER / script), *map(str, arguments)], check=False, timeout=240,
                          env=dict(os.environ, CHROMIUM=chromium))
    return done.returncode


def tacit(*arguments, statuses=(0,)):
    done = subprocess.run([TACIT, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, timeout=240,
                          check=False)
    if done.returncode not in statuses:
        print(f"tacit {' '.join(map(str, arguments))} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
        sys.exit(1)
    return done.stdout
