#!/usr/bin/env python3
"""Makes explorer pages of results of different size and kind and drives them in headless Chromium.

EXPLORER_SHOTS=FOLDER keeps pictures of some of them.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from _browser import need, run_node, tacit
import _hostile

OLD = """component File
state open : bool = false
state dirty : bool = false
method open_it() { if (open) error busy; open := true; return; }
method write() { if (!open) error closed; dirty := true; return; }
method close() { if (!open) error closed; open := false; return; }
"""
NEW = """component File
state open : bool = false
state dirty : bool = false
method open_it() { open := true; return; }
method write() { if (!open) error closed; dirty := true; return; }
method flush() { dirty := false; return; }
method close() { if (!open) error closed; if (dirty) error unsaved; open := false; return; }
"""


def main():
    need()
    with tempfile.TemporaryDirectory(prefix="tacit-explorer-") as name:
        folder = Path(name)
        for example in ("socket", "signature", "list_iterator", "nasa_cev"):
            tacit("synth", f"examples/{example}/{example}.tir", "-o", folder / f"{example}.json")
            tacit("show", folder / f"{example}.json", "--as", "html", "-o", folder / f"{example}.html")
        for which, text in (("old", OLD), ("new", NEW)):
            (folder / f"{which}.tir").write_text(text)
            tacit("synth", folder / f"{which}.tir", "-o", folder / f"{which}.json")
        tacit("diff", folder / "old.json", folder / "new.json", "--as", "html", "-o", folder / "diff.html", statuses=(1,))
        _hostile.write(folder / "hostile.json", states=3)
        _hostile.write(folder / "hostile500.json", states=500)
        for which in ("hostile", "hostile500"):
            tacit("show", folder / f"{which}.json", "--as", "html", "-o", folder / f"{which}.html")
        (folder / "names.json").write_text(json.dumps(_hostile.NAMES))
        shots = os.environ.get("EXPLORER_SHOTS")
        return run_node("explorer.mjs", folder, *([shots] if shots else []))


if __name__ == "__main__":
    sys.exit(main())
