#!/usr/bin/env python3
"""Checks that the lint scripts find what they are for, on small trees made here."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("TACIT_ROOT", Path(__file__).resolve().parents[2]))
LINT = ROOT / "tools" / "lint"


class LintScripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tacit-lint-")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def findings(self, script):
        done = subprocess.run([sys.executable, str(LINT / script), str(self.root)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 1 if done.stdout else 0)
        return done.stdout.splitlines()

    def test_layers(self):
        self.write("tools/lint/layers.txt", (LINT / "layers.txt").read_text())
        self.write("src/learning/good.cpp", '#include "automata/dfa.h"\n#include <vector>\n')
        self.write("src/logic/z3/good.cpp", "#include <z3++.h>\n")
        self.assertEqual(self.findings("layers.py"), [])
        self.write("src/learning/bad.cpp",
                   '#include "program/ir/module.h"\n#include "dfa.h"\n#include <z3++.h>\n')
        self.write("src/utils/text.h", "")
        self.assertEqual(self.findings("layers.py"), [
            'src/learning/bad.cpp:1: learning may not include "program/ir/module.h" of program/ir',
            'src/learning/bad.cpp:2: "dfa.h" does not start with a layer folder',
            "src/learning/bad.cpp:3: z3++.h may be included by logic/z3, not by learning",
            "src/utils/text.h:1: the folder is no layer of tools/lint/layers.txt",
        ])

    def test_sizes(self):
        body = "void short_one(int a,\n               int b) {\n" + "  a = b;\n" * 97 + "}\n"
        methods = "".join(f"  int m{i}() const;\n" for i in range(50))
        self.write("src/base/good.cpp", body)
        self.write("src/base/good.h", "class Good {\npublic:\n" + methods + "\nprivate:\n  int a_ = f(1);\n};\n")
        self.assertEqual(self.findings("sizes.py"), [])
        self.write("src/base/bad.cpp", "namespace {\n\n" + body.replace("short_one", "long_one").replace("  a", "  b;\n  a", 1)
                   + "class Inner {\n  void run() {\n" + "    step();\n" * 100 + "  }\n};\n")
        self.write("src/base/bad.h", "class Bad : public Good {\n" + methods + "  void one() { more(); }\n};\n")
        self.write("src/frontend/llvm/long.cpp", body.replace("  a", "  b;\n  a", 1))
        self.assertEqual(self.findings("sizes.py"), [
            "src/base/bad.cpp:3: long_one has 101 lines, more than 100",
            "src/base/bad.cpp:105: run has 102 lines, more than 100",
            "src/base/bad.h:1: Bad has 51 methods, more than 50",
        ])

    def test_options(self):
        self.assertEqual(self.findings("options.py"), [])
        self.write("src/cli/options.h", '{"--engine", 1},\n{"--max-queries", 2},\n{"--dead", 3},\n')
        self.write("src/cli/synth.cpp", 'get("--engine"); options.max_queries; // --dead\n')
        self.assertEqual(self.findings("options.py"),
                         ["src/cli/options.h:3: nothing in src/cli reads --dead"])

    def test_doc_commands(self):
        self.write("dev", (ROOT / "dev").read_text())
        self.write("src/cli/main.cpp", 'subcommand("show");\n')
        self.write("README.md", "```console\n$ ./dev test\n$ tacit show a.json\nshown\n```\n")
        self.assertEqual(self.findings("doc_commands.py"), [])
        self.write("docs/a.md", "```console\nstray\n$ ls\n$ tacit fly\n$ ./dev fly\n```\n")
        self.assertEqual(self.findings("doc_commands.py"), [
            "docs/a.md:2: output without a command above it",
            "docs/a.md:3: a shown command starts with ./dev, build/tacit or tacit, not 'ls'",
            "docs/a.md:4: tacit has no subcommand 'fly'",
            "docs/a.md:5: ./dev has no command 'fly'",
        ])

    def test_words(self):
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        self.write("a.md", "fine\n")
        self.assertEqual(self.findings("words.py"), [])
        self.write("a.md", "see /" + "home/me\n")
        self.write("src/base/long.h", "\n" * 901)
        self.assertEqual(self.findings("words.py"), [
            "a.md:1: names a folder of one machine: /" + "home/",
            "src/base/long.h:901: 901 lines, more than 900; split it",
        ])


if __name__ == "__main__":
    unittest.main()
