#!/usr/bin/env python3
"""Finds types that two headers define under one name.

Everything lives in one namespace, so two definitions would be one name for two things, and the linker
would pick the code of either. Forward declarations do not count; types inside other types are indented
and do not count either.

usage: names.py [ROOT]
"""

import re
import sys
from pathlib import Path

DEFINITION = re.compile(r"^(?:struct|class|enum class|union)\s+([A-Za-z_]\w*)[^;(]*$")


def main(arguments):
    root = Path(arguments[0] if arguments else Path(__file__).resolve().parents[2])
    first, findings = {}, []
    for path in sorted((root / "src").rglob("*.h")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = DEFINITION.match(line)
            if not match:
                continue
            name, place = match.group(1), f"{path.relative_to(root)}:{number}"
            if name in first:
                findings.append(f"{place}: '{name}' is defined at {first[name]} too")
            else:
                first[name] = place
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
