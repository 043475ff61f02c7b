"""Tests that `tacit tests` writes: they compile, they pass against the component, and they fail when a
check is taken out of it."""
import os
import shutil
import subprocess
import sys
import tempfile

TACIT = os.environ["TACIT"]
ROOT = os.environ["TACIT_ROOT"]

# One state for all clients, errors as assertions: every test needs a process of its own.
MODULE = """
#include <assert.h>
#include "counter.h"
static int running, count;
void counter_start(void) { assert(!running); running = 1; count = 0; }
int counter_add(int amount) { assert(running); assert(amount >= 2 && amount <= 7); count = 1; return 0; }
void counter_stop(void) { assert(running); running = 0; }
"""
MODULE_HEADER = "void counter_start(void);\nint counter_add(int amount);\nvoid counter_stop(void);\n"

# What tests have to make: a class that they can, one that they cannot, texts, enumerators, out-parameters.
GATE = r"""
#include <stdexcept>
#include <string>
enum class Side { Left, Right };
struct Key { int number = 0; };
struct Guest { explicit Guest(int) {} };
class Gate {
public:
  void unlock(const Key& key, const std::string& word) {
    if (word.size() < 3) throw std::invalid_argument("\"word\\");
    (void)key;
    locked_ = false;
  }
  bool open(Side side) {
    if (locked_) throw std::logic_error("locked");
    if (side == Side::Right) throw std::invalid_argument("left");
    return open_ = true;
  }
  void measure(int* out) const { if (locked_) throw std::logic_error("locked"); *out = 1; }
  void admit(Guest guest) { if (!open_) throw std::logic_error("closed"); (void)guest; }
private:
  bool locked_ = true, open_ = false;
};
"""

# A collaborator whose failure is an outcome.
DESK = """
package shop;
public class Desk {
    public interface Bank { boolean charge(long cents) throws java.io.IOException; }
    private final Bank bank;
    private boolean paid;
    public Desk(Bank bank) { if (bank == null) throw new IllegalArgumentException("bank"); this.bank = bank; }
    public boolean pay(long cents) throws java.io.IOException {
        if (paid) throw new IllegalStateException("paid");
        if (cents < 1) throw new IllegalArgumentException("cents");
        paid = bank.charge(cents);
        return paid;
    }
    public void hand() { if (!paid) throw new IllegalStateException("not paid"); paid = false; }
}
"""


def run(*words, ok=(0,), **more):
    done = subprocess.run(words, capture_output=True, text=True, **more)
    if done.returncode not in ok:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def expect(condition, message):
    if not condition:
        sys.exit(message)


def build_and_run(program, *inputs):
    run("g++", "-std=c++20", "-O0", "-o", program, *inputs, "-lgtest", "-lgtest_main", "-lpthread")
    return subprocess.run([program], capture_output=True, text=True)


def has_gtest(folder):
    probe = write(os.path.join(folder, "probe.cpp"), "#include <gtest/gtest.h>\n")
    return subprocess.run(["g++", "-std=c++20", "-fsyntax-only", probe], capture_output=True).returncode == 0


LATCH = """
#include <stdexcept>
#include <string>
class Latch {
public:
  void set(int code) { if (set_ || code < 3) throw std::logic_error("set"); set_ = true; code_ = code; }
  bool open(int code) {
    if (!set_) throw std::logic_error("not set");
    if (code != code_) return false;
    set_ = false;
    return true;
  }
  void name(const std::string& word) { if (word.size() < 3) throw std::invalid_argument("word"); }
private:
  bool set_ = false;
  int code_ = 0;
};
"""


def abstraction(folder):
    """Tests from an abstraction to sets of enabled calls: its certain transitions, each by a run."""
    latch = write(os.path.join(folder, "latch.cpp"), LATCH)
    result = os.path.join(folder, "latch.json")
    run(TACIT, "epa", latch, "--class", "Latch", "-o", result, "--quiet")
    coverage = run(TACIT, "tests", result, "--coverage").stdout
    expect("--reachable" in coverage, coverage)  # no runs were looked for
    run(TACIT, "epa", latch, "--class", "Latch", "--reachable", "-o", result, "--quiet")
    coverage = run(TACIT, "tests", result, "--coverage").stdout
    expect("arguments that a test cannot write" in coverage, coverage)  # what a text holds
    test = os.path.join(folder, "latch_test.cpp")
    run(TACIT, "tests", result, "-o", test, "--quiet")
    done = build_and_run(os.path.join(folder, "latch_test"), test)
    expect(done.returncode == 0 and "FAILED" not in done.stdout and "PASSED" in done.stdout, done.stdout)
    write(latch, LATCH.replace("set_ = false;\n    return true;", 'throw std::logic_error("stuck");'))
    done = build_and_run(os.path.join(folder, "latch_test"), test)
    expect(done.returncode != 0, "a transition that is gone is not found by any test")


def cpp_class(folder):
    gate = write(os.path.join(folder, "gate.cpp"), GATE)
    result = os.path.join(folder, "gate.json")
    run(TACIT, "synth", gate, "--class", "Gate", "-o", result, "--quiet")
    test = os.path.join(folder, "gate_test.cpp")
    run(TACIT, "tests", result, "-o", test, "--quiet")
    done = build_and_run(os.path.join(folder, "gate_test"), test)
    expect(done.returncode == 0 and "FAILED" not in done.stdout, done.stdout)
    expect("SKIPPED" not in done.stdout, "all of the gate's outcomes are decided:\n" + done.stdout)
    coverage = run(TACIT, "tests", result, "--coverage").stdout
    expect("admit" in coverage and "it does not compile" in coverage, coverage)
    expect("measure" not in coverage, coverage)  # covered
    # Each check that is taken out turns a test red.
    for check in ('if (word.size() < 3) throw std::invalid_argument("\\"word\\\\");',
                  'if (side == Side::Right) throw std::invalid_argument("left");',
                  'if (locked_) throw std::logic_error("locked");\n    if'):
        expect(check in GATE, check)
        rest = "if" if check.endswith("if") else ""
        write(gate, GATE.replace(check, rest, 1))
        done = build_and_run(os.path.join(folder, "mutant"), test)
        expect(done.returncode == 1 and "FAILED" in done.stdout, f"without {check}:\n{done.stdout}")


def c_module(folder):
    source = write(os.path.join(folder, "counter.c"), MODULE)
    write(os.path.join(folder, "counter.h"), MODULE_HEADER)
    result, made = os.path.join(folder, "counter.json"), os.path.join(folder, "counter.o")
    run(TACIT, "synth", source, "-o", result, "--quiet")
    test = os.path.join(folder, "counter_test.cpp")
    run(TACIT, "tests", result, "-o", test, "--quiet")
    run("gcc", "-c", source, "-o", made)
    compiled = os.path.join(folder, "test.o")
    run("g++", "-std=c++20", "-c", test, "-o", compiled)
    done = build_and_run(os.path.join(folder, "counter_test"), compiled, made)
    expect(done.returncode == 0 and "SKIPPED" not in done.stdout, done.stdout + done.stderr)
    # Boundaries: an amount on either side of each end.
    for good, worse in (("amount >= 2", "amount >= 1"), ("amount <= 7", "amount < 7"), ("assert(!running);", "")):
        write(source, MODULE.replace(good, worse))
        run("gcc", "-c", source, "-o", made)
        done = build_and_run(os.path.join(folder, "mutant"), compiled, made)
        expect(done.returncode == 1, f"{worse} in the place of {good}:\n{done.stdout}")


def java_class(folder):
    source, classes = write(os.path.join(folder, "Desk.java"), DESK), os.path.join(folder, "classes")
    run("javac", "-g", "-d", classes, source)
    result = os.path.join(folder, "desk.json")
    run(TACIT, "synth", classes, "--class", "shop.Desk", "-o", result, "--quiet")
    test = os.path.join(folder, "DeskProtocolTest.java")
    run(TACIT, "tests", result, "-o", test, "--quiet")
    # javac wants a public class in a file of its name.
    run(TACIT, "tests", result, "-o", os.path.join(folder, "Other.java"), ok=(2,))
    run("javac", "-d", classes, "-cp", classes, test)
    words = ["java", "-cp", classes, "shop.DeskProtocolTest"]
    done = run(*words)
    expect(", 0 skipped, 0 failed" in done.stdout, "fakes bring every outcome about:\n" + done.stdout)
    for good, worse in (("cents < 1", "cents < 0"), ('if (!paid) throw new IllegalStateException("not paid");', "")):
        write(source, DESK.replace(good, worse))
        run("javac", "-g", "-d", classes, source)
        done = run(*words, ok=(1,))
        expect("FAILED" in done.stdout, done.stdout)


def main():
    if not shutil.which("g++") or not shutil.which("javac"):
        return 77
    with tempfile.TemporaryDirectory(prefix="tacit-tests-") as folder:
        if not has_gtest(folder):
            return 77
        for part in (java_class, cpp_class, c_module, abstraction):
            own = os.path.join(folder, part.__name__)
            os.mkdir(own)
            part(own)
    return 0


if __name__ == "__main__":
    sys.exit(main())
