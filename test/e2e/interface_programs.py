"""Programs that results are written as: the component that is the interface, in .tir and in C, has that
interface again; with the typestate header legal clients compile and run, illegal ones do not compile."""
import os
import shutil
import subprocess
import sys
import tempfile

TACIT = os.environ["TACIT"]

# Guards on arguments, a tracked value, outcomes that lead to different states.
SOURCE = """
#include <stdexcept>
class Cart {
public:
  void add(int pieces) {
    if (closed_) throw std::logic_error("closed");
    if (pieces < 1 || pieces > 9) throw std::invalid_argument("pieces");
    count_ += 1;
  }
  void take() {
    if (closed_ || count_ == 0) throw std::logic_error("empty");
    count_ -= 1;
  }
  bool close(bool really) {
    if (closed_) throw std::logic_error("closed");
    closed_ = really;
    return really;
  }
  int paid() const {
    if (!closed_) throw std::logic_error("open");
    return 1;
  }
private:
  bool closed_ = false;
  int count_ = 0;
};
"""

LEGAL = """
  auto empty = Cart_protocol::start<Cart>();
  auto full = std::move(empty).add(arguments > 1 ? 10 : 3);
  auto again = std::move(full).take();
  if (arguments > 2) (void)std::move(again).take();
  else {
    auto closed = std::move(again).close(true);
    if (!closed.value) return 2;
    return std::visit([](auto&& one) {
      if constexpr (requires { std::move(one).paid().value; }) return 0; else return 3;
    }, std::move(closed.next));
  }
"""
ILLEGAL = {
    "paid": "auto a = Cart_protocol::start<Cart>(); (void)std::move(a).paid();",
    "copied": "auto a = Cart_protocol::start<Cart>(); auto b = a;",
}


def run(*words, ok=(0,)):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in ok:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def expect(condition, message):
    if not condition:
        sys.exit(message)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def programs(folder, result):
    text = os.path.join(folder, "cart.tir")
    again = os.path.join(folder, "again.json")
    run(TACIT, "show", result, "--as", "tir", "-o", text)
    run(TACIT, "synth", text, "--quiet", "-o", again)
    run(TACIT, "diff", result, again)
    text = os.path.join(folder, "cart_program.c")
    run(TACIT, "show", result, "--as", "c", "-o", text)
    run("gcc", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-fsyntax-only", text)
    run(TACIT, "synth", text, "--handle", "Cart", "--constructor", "Cart", "--quiet", "-o", again)
    run(TACIT, "diff", result, again)


def client(folder, body):
    return write(os.path.join(folder, "client.cpp"),
                 f'#include "cart.cpp"\n#include "cart.hpp"\nint main(int arguments, char**) {{\n{body}\n'
                 "  (void)arguments;\n  return 0;\n}\n")


def typestate(folder, result):
    run(TACIT, "show", result, "--as", "typestate", "-o", os.path.join(folder, "cart.hpp"))
    program = os.path.join(folder, "client")
    run("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", client(folder, LEGAL), "-o", program)
    run(program)
    done = run(program, "too many", ok=(-6,))
    expect("add needs" in done.stderr and "before: Cart" in done.stderr, done.stderr)
    done = run(program, "too", "few", ok=(-6,))
    expect("add needs" in done.stderr, done.stderr)
    done = run("g++", "-std=c++20", "-fsyntax-only", client(folder, ILLEGAL["paid"]), ok=(1,))
    expect("Cart: paid is refused in state 0" in done.stderr, done.stderr)
    done = run("g++", "-std=c++20", "-fsyntax-only", client(folder, ILLEGAL["copied"]), ok=(1,))
    expect("deleted" in done.stderr, done.stderr)
    # A guard over what is tracked.
    body = "auto a = Cart_protocol::start<Cart>(); (void)std::move(a).take();"
    run("g++", "-std=c++20", client(folder, body), "-o", program)
    done = run(program, ok=(-6,))
    expect("take needs" in done.stderr, done.stderr)


def main():
    if not shutil.which("g++"):
        return 77
    with tempfile.TemporaryDirectory(prefix="tacit-programs-") as folder:
        source, result = write(os.path.join(folder, "cart.cpp"), SOURCE), os.path.join(folder, "cart.json")
        run(TACIT, "synth", source, "--class", "Cart", "-o", result, "--quiet")
        programs(folder, result)
        typestate(folder, result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
