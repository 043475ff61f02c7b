#!/usr/bin/env python3
"""Every mistake of test/mutations still has its place in the sources: exactly one."""

import os
import sys
from pathlib import Path

ROOT = Path(os.environ["TACIT_ROOT"])
sys.path.insert(0, str(ROOT / "test/mutations"))

from mistakes import MUTATIONS  # noqa: E402

lost = []
for name, _, file, old, _ in MUTATIONS:
    times = (ROOT / file).read_text().count(old) if (ROOT / file).exists() else 0
    if times != 1:
        lost.append(f"{name}: stands {times} times in {file}")
print("\n".join(lost))
sys.exit(1 if lost or len(MUTATIONS) < 40 else 0)
