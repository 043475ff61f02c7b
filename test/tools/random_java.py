#!/usr/bin/env python3
"""Random small Java classes for the front end: `generate(seed)` gives the text of a public class `R<seed>`.

State is a few numbers of a small range, fields of the object, static ones and fields of objects that it holds. Calls change
it by way of what the language and its library do behind the scenes: functions and method references handed to helpers and to
collections, default methods, anonymous classes, enum bodies, constructors and methods of exceptions, class initialisers,
exceptions of the machine and of library callees, handlers of callers, finally, resources, monitors. Some calls err
(IllegalStateException) on a condition of the state. All methods can be run by reflection; arguments are booleans.
"""

import random

RANGE = 4


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name = f"R{seed}"
        self.fields = ["a", "b", self.name + ".s"]
        self.members = ["private int a;", "private int b;", "private static int s;"]
        self.count = 0
        self.depth = 0

    def fresh(self):
        self.count += 1
        return self.count

    def pick(self, *choices):
        return self.random.choice(choices)

    def place(self):
        return self.random.choice(self.fields)

    def condition(self):
        return f"{self.place()} {self.pick('==', '==', '!=', '>')} {self.random.randrange(RANGE)}"

    def plain(self):
        """An assignment that keeps the range."""
        p = self.place()
        return self.pick(f"{p} = ({p} + 1) % {RANGE};", f"{p} = {self.random.randrange(RANGE)};",
                         f"{p} = ({p} + {self.place()}) % {RANGE};", f"if ({self.condition()}) {p} = {self.random.randrange(RANGE)};")

    def effect(self):
        """A statement that may change the state."""
        if self.depth > 2 or self.random.random() < 0.3:
            return self.plain()
        self.depth += 1
        made = self.random.choice(EFFECTS)(self)
        self.depth -= 1
        return made

    def member(self, text):
        self.members.append(text)

    def check(self):
        error = "throw new IllegalStateException();"
        inner = f"if ({self.condition()}) {error}"
        n = self.fresh()
        return self.pick(
            inner, inner, inner,
            f"try {{ {inner} }} finally {{ {self.plain()} }}",
            f"try {{ {inner} }} catch (RuntimeException e{n}) {{ {self.plain()} throw e{n}; }}",
            f"synchronized (this) {{ {inner} }}",
            f"Runnable r{n} = () -> {{ {inner} }}; r{n}.run();",
            f"{self.helper(inner)}",
        )

    def helper(self, body):
        n = self.fresh()
        self.member(f"private void h{n}() {{ {body} }}")
        return f"h{n}();"

    def generate(self):
        methods = []
        for i in range(self.random.randrange(2, 4)):
            body = " ".join(self.effect() for _ in range(self.random.randrange(1, 3)))
            if self.random.random() < 0.2:
                methods.append(f"public void m{i}(boolean p) {{ if (p) {{ {body} }} else {{ {self.plain()} }} }}")
            elif self.random.random() < 0.2:
                methods.append(f"public int m{i}() {{ {body} return {self.place()}; }}")
            else:
                methods.append(f"public void m{i}() {{ {body} }}")
        for i in range(self.random.randrange(1, 3)):
            tail = self.effect() if self.random.random() < 0.3 else ""
            methods.append(f"public void c{i}() {{ {self.check()} {tail} }}")
        members = "\n  ".join(self.members + methods)
        return f"import java.util.*;\nimport java.util.function.*;\n\npublic class {self.name} {{\n  {members}\n}}\n"


def lambda_helper(g):
    n = g.fresh()
    g.member(f"private static void twice{n}(Runnable r) {{ r.run(); {g.pick('r.run();', '')} }}")
    return f"twice{n}(() -> {{ {g.effect()} }});"


def lambda_value(g):
    n, p = g.fresh(), g.place()
    g.member(f"private final IntUnaryOperator f{n} = v -> (v + {g.random.randrange(1, 3)}) % {RANGE};")
    return f"{p} = f{n}.applyAsInt({p});"


def super_interface(g):
    n = g.fresh()
    g.member(f"interface A{n} {{ void f(); }} interface B{n} extends A{n} {{ default void g() {{ f(); f(); }} }}")
    return f"{{ B{n} x{n} = () -> {{ {g.effect()} }}; {g.pick(f'A{n} y{n} = x{n}; y{n}.f();', f'x{n}.g();')} }}"


def default_method(g):
    n = g.fresh()
    g.member(f"interface O{n} {{ void one(); default void two() {{ one(); one(); }} }}")
    g.member(f"class I{n} implements O{n} {{ public void one() {{ {g.effect()} }} }}")
    if g.random.random() < 0.5:
        g.member(f"class J{n} extends I{n} {{ public void two() {{ {g.plain()} }} }}")
        g.member(f"private O{n} o{n} = new I{n}();")
        return f"o{n}.two(); if ({g.condition()}) o{n} = new J{n}();"
    g.member(f"private final O{n} o{n} = new I{n}();")
    return f"o{n}.two();"


def anonymous(g):
    n = g.fresh()
    kind = g.pick("Runnable", "Comparable<String>", "Object")
    if kind == "Runnable":
        return f"new Runnable() {{ public void run() {{ {g.effect()} }} }}.run();"
    if kind == "Object":
        return f"{{ Object o{n} = new Object() {{ public String toString() {{ {g.effect()} return \"\"; }} }}; {g.pick(f'o{n}.toString();', f'String.valueOf(o{n});')} }}"
    return f"{{ Comparable<String> o{n} = new Comparable<String>() {{ public int compareTo(String t) {{ {g.effect()} return 0; }} }}; o{n}.compareTo(\"\"); }}"


def concatenation(g):
    n = g.fresh()
    g.member(f"class T{n} {{ public String toString() {{ {g.effect()} return \"t\"; }} }}")
    return f"{{ String t{n} = \"x\" + new T{n}(); }}"


def enum_bodies(g):
    n = g.fresh()
    g.member(f"enum E{n} {{ X {{ void f({g.name} o) {{ o.{g.pick('a', 'b')} = {g.random.randrange(RANGE)}; }} }}, "
             f"Y {{ void f({g.name} o) {{ o.{g.pick('a', 'b')} = {g.random.randrange(RANGE)}; }} }}; abstract void f({g.name} o); }}")
    g.member(f"private E{n} e{n} = E{n}.X;")
    return f"e{n}.f({g.name}.this); e{n} = {g.pick(f'E{n}.Y', f'E{n}.X', f'e{n} == E{n}.X ? E{n}.Y : E{n}.X')};"


def enum_initialised(g):
    n = g.fresh()
    g.member(f"enum Q{n} {{ U, V; Q{n}() {{ bump(); }} static void bump() {{ {g.name}.s = ({g.name}.s + 1) % {RANGE}; }} }}")
    g.member(f"private Q{n} q{n};")
    return f"q{n} = Q{n}.U;"


def lazy_holder(g):
    n = g.fresh()
    g.member(f"static class H{n} {{ static int v = ({g.name}.s = ({g.name}.s + 1) % {RANGE}); static void touch() {{ }} }}")
    if g.random.random() < 0.5:
        g.member(f"static class K{n} extends H{n} {{ static int w = ({g.name}.s = ({g.name}.s + {g.random.randrange(RANGE)}) % {RANGE}); }}")
        return g.pick(f"b = K{n}.w;", f"new K{n}();", f"b = H{n}.v;")
    return g.pick(f"H{n}.touch();", f"a = H{n}.v;", f"new H{n}();")


def exception_code(g):
    n = g.fresh()
    g.member(f"static class X{n} extends {g.pick('RuntimeException', 'Exception')} {{ final {g.name} o; X{n}({g.name} o) {{ this.o = o; o.{g.pick('a', 'b')} = {g.random.randrange(RANGE)}; }} "
             f"public String getMessage() {{ o.{g.pick('a', 'b')} = {g.random.randrange(RANGE)}; return \"\"; }} }}")
    use = g.pick("", f"x{n}.getMessage();", f"String t{n} = x{n}.getMessage();")
    return f"try {{ if ({g.condition()}) throw new X{n}({g.name}.this); }} catch ({g.pick(f'X{n}', 'Exception', 'Throwable')} x{n}) {{ {use} }}"


def exception_constructor_fails(g):
    n = g.fresh()
    g.member(f"static class X{n} extends RuntimeException {{ X{n}(int k) {{ if (k > {g.random.randrange(RANGE)}) throw new ArithmeticException(); }} }}")
    return f"try {{ throw new X{n}({g.pick('a', 'b')}); }} catch (X{n} x{n}) {{ {g.plain()} }} catch (ArithmeticException x{n}) {{ {g.plain()} }}"


FAILURES = [("Integer.parseInt(\"x\");", "NumberFormatException"), ("new ArrayList<Integer>().iterator().next();", "NoSuchElementException"),
            ("new ArrayList<Integer>().get(3);", "IndexOutOfBoundsException"), ("new ArrayDeque<Integer>().pop();", "NoSuchElementException"),
            ("Object[] q = new String[1]; q[0] = 1;", "ArrayStoreException"), ("Object q = \"\"; Integer i = (Integer) q;", "ClassCastException"),
            ("int[] q = new int[b - 5];", "NegativeArraySizeException"), ("int[] q = new int[2]; q[a + 2] = 1;", "ArrayIndexOutOfBoundsException"),
            ("int q = 1 / (a - a);", "ArithmeticException"), ("String q = null; q.length();", "NullPointerException"),
            ("notify();", "IllegalMonitorStateException"), ("Optional.empty().get();", "NoSuchElementException"),
            ("new HashMap<String, Integer>().get(\"\").intValue();", "NullPointerException"), ("Objects.requireNonNull(null);", "NullPointerException"),
            ("List.of(1).add(2);", "UnsupportedOperationException")]


def failure(g):
    n = g.fresh()
    code, kind = g.random.choice(FAILURES)
    caught = g.pick(kind, kind, "RuntimeException", "Exception")
    if g.random.random() < 0.5:
        g.member(f"private void f{n}() {{ {g.plain()} {code} {g.plain()} }}")
        code = f"f{n}();"
        if g.random.random() < 0.4:
            g.member(f"private void g{n}() {{ try {{ {code} }} finally {{ {g.plain()} }} }}")
            code = f"g{n}();"
    return f"try {{ {code} }} catch ({caught} e{n}) {{ {g.effect()} }}"


def narrow_failure(g):
    n = g.fresh()
    code, kind = g.random.choice(FAILURES)
    g.member(f"private void f{n}() {{ {code} }}")
    return f"try {{ f{n}(); }} catch (RuntimeException e{n}) {{ if (e{n} instanceof {kind}) {{ {g.plain()} }} else {{ {g.plain()} }} }}"


def library_callback(g):
    n = g.fresh()
    return g.pick(
        f"List.of(1, 2).forEach(v{n} -> {{ {g.effect()} }});",
        f"{{ List<Integer> l{n} = new ArrayList<>(List.of(1)); l{n}.removeIf(v{n} -> {{ {g.effect()} return true; }}); }}",
        f"new HashMap<String, Integer>().computeIfAbsent(\"k\", v{n} -> {{ {g.effect()} return 1; }});",
        f"Optional.of(1).map(v{n} -> {{ {g.effect()} return v{n}; }});",
        f"Optional.empty().orElseGet(() -> {{ {g.effect()} return 1; }});",
        f"{{ List<Integer> l{n} = new ArrayList<>(List.of(2, 1)); l{n}.sort((v{n}, w{n}) -> {{ {g.effect()} return v{n} - w{n}; }}); }}",
        f"List.of(1).stream().map(v{n} -> {{ {g.effect()} return v{n}; }}).count();",
        f"for (Runnable r{n} : List.<Runnable>of(() -> {{ {g.effect()} }})) r{n}.run();",
    )


def library_objects(g):
    n = g.fresh()
    g.member(f"class K{n} implements Comparable<K{n}> {{ public int hashCode() {{ {g.plain()} return 1; }} public boolean equals(Object o) {{ {g.plain()} return true; }} "
             f"public int compareTo(K{n} o) {{ {g.plain()} return 0; }} }}")
    return g.pick(f"new HashSet<K{n}>().add(new K{n}());", f"new TreeSet<K{n}>().add(new K{n}());", f"Objects.equals(new K{n}(), new K{n}());",
                  f"Collections.sort(new ArrayList<K{n}>(List.of(new K{n}(), new K{n}())));")


def kept_function(g):
    n = g.fresh()
    g.member(f"private Runnable k{n};")
    return g.pick(f"if (k{n} == null) k{n} = () -> {{ {g.plain()} }}; else k{n}.run();",
                  f"if (k{n} != null) k{n}.run(); k{n} = () -> {{ {g.plain()} }};")


def method_reference(g):
    n = g.fresh()
    g.member(f"private void t{n}() {{ {g.effect()} }}")
    g.member(f"private static void call{n}(Runnable r) {{ r.run(); }}")
    return f"call{n}({g.name}.this::t{n});"


def constructor_reference(g):
    n = g.fresh()
    g.member(f"static class N{n} {{ N{n}() {{ {g.name}.s = ({g.name}.s + 1) % {RANGE}; }} }}")
    g.member(f"private final Supplier<N{n}> n{n} = N{n}::new;")
    return f"n{n}.get();"


def resources(g):
    n = g.fresh()
    g.member(f"class C{n} implements AutoCloseable {{ public void close() {{ {g.plain()} }} }}")
    return f"try (C{n} c{n} = new C{n}()) {{ {g.effect()} }}"


def supplied_exception(g):
    n = g.fresh()
    g.member(f"static class Y{n} extends RuntimeException {{ }}")
    return f"try {{ Optional.ofNullable({g.condition()} ? \"\" : null).orElseThrow(() -> new Y{n}()); }} catch (Y{n} y{n}) {{ {g.plain()} }}"


def monitor(g):
    return f"synchronized (this) {{ notifyAll(); {g.effect()} }}"


def other_object(g):
    n = g.fresh()
    g.member(f"private static void poke{n}({g.name} o) {{ o.{g.pick('a', 'b')} = {g.random.randrange(RANGE)}; }}")
    return g.pick(f"poke{n}({g.name}.this);", f"poke{n}(new {g.name}());")


def text_switch(g):
    return f"switch (\"k\" + {g.pick('a', 'b')}) {{ case \"k1\": {g.plain()} break; default: {g.plain()} }}"


def library_answer(g):
    n = g.fresh()
    question = g.pick("\"\".length() > 0", "new ArrayList<Integer>().contains(1)", "\"abc\".startsWith(\"x\")", "Integer.valueOf(3).equals(4)",
                      "new java.util.zip.Deflater().finished()", "\"x\".isEmpty()", "new StringBuilder().length() > 0", "List.of(1).isEmpty()",
                      "new BitSet().get(1)", "Boolean.parseBoolean(\"no\")")
    return f"if ({question}) {{ {g.plain()} }}"


def tail_failure(g):
    """Code behind a loop, a switch or a return in finally."""
    n = g.fresh()
    return g.pick(f"for (int i{n} = 0; i{n} < {g.random.randrange(1, 3)}; i{n}++) {{ {g.effect()} }}",
                  f"do {{ {g.plain()} }} while ({g.pick('a', 'b')} > 9);",
                  f"switch ({g.pick('a', 'b')}) {{ case 1: {g.plain()} case 2: {g.plain()} break; default: {g.plain()} }}")


def elements(g):
    """Objects in a map, a list or a stack, and what is done with them in and out of it."""
    n = g.fresh()
    if not any(m.startswith("static final class Cell ") for m in g.members):
        g.member("static final class Cell { int v; Cell(int v) { this.v = v; } }")
        g.member("private final Map<Integer, Cell> cells = new HashMap<>();")
        g.member("private final List<Cell> list = new ArrayList<>();")
        g.member("private final Deque<Cell> stack = new ArrayDeque<>();")
    key, other, value = g.random.randrange(2), g.random.randrange(2), g.random.randrange(RANGE)
    found = f"Cell x{n} = cells.get({key}); if (x{n} != null)"
    at = f"list.size() > {key}"
    return g.pick(
        f"cells.put({key}, new Cell({value}));",
        f"cells.put({key}, new Cell({value}));",
        f"{{ {found} x{n}.v = {value}; }}",
        f"{{ {found} x{n}.v = (x{n}.v + 1) % {RANGE}; }}",
        f"{{ {found} {g.place()} = x{n}.v; }}",
        f"{{ {found} {{ if (x{n}.v == {value}) {g.plain()} }} }}",
        f"{{ Cell x{n} = new Cell({value}); cells.put({key}, x{n}); x{n}.v = {g.random.randrange(RANGE)}; }}",
        f"{{ Cell x{n} = new Cell({value}); cells.put(0, x{n}); cells.put(1, x{n}); }}",
        f"{{ Cell x{n} = cells.remove({key}); if (x{n} != null) cells.put({other}, x{n}); }}",
        f"{{ Cell x{n} = cells.get({key}); cells.put({other}, new Cell({value})); if (x{n} != null) {{ x{n}.v = {g.random.randrange(RANGE)}; {g.place()} = x{n}.v; }} }}",
        f"{{ Cell x{n} = cells.get({key}), y{n} = cells.get({other}); if (x{n} != null && y{n} != null) {{ x{n}.v = {value}; {g.place()} = y{n}.v; }} }}",
        f"{{ Cell x{n} = cells.get({key}); if (x{n} == null) {{ x{n} = new Cell({value}); cells.put({key}, x{n}); }} x{n}.v = (x{n}.v + 1) % {RANGE}; }}",
        f"cells.remove({key});",
        f"for (Cell x{n} : cells.values()) {{ x{n}.v = {value}; }}",
        f"for (Cell x{n} : cells.values()) {{ if (x{n}.v == {value}) {g.plain()} }}",
        "cells.clear();",
        f"if (list.size() < 2) list.add(new Cell({value}));",
        f"if (list.size() < 1) {{ Cell x{n} = new Cell({value}); list.add(x{n}); list.add(x{n}); }}",
        f"if ({at}) list.get({key}).v = {value};",
        f"if ({at}) {g.place()} = list.get({key}).v;",
        f"if ({at}) {{ Cell x{n} = list.set({key}, new Cell({value})); {g.place()} = x{n}.v; }}",
        f"for (Cell x{n} : list) {{ {g.place()} = x{n}.v; }}",
        f"list.forEach(x{n} -> {{ x{n}.v = {value}; }});",
        f"list.forEach(x{n} -> {{ if (x{n}.v == {value}) {g.plain()} }});",
        f"if ({at}) {g.place()} = list.remove({key}).v;",
        f"if (stack.size() < 2) stack.push(new Cell({value}));",
        f"if (!stack.isEmpty()) stack.peek().v = {value};",
        f"if (!stack.isEmpty()) {g.place()} = stack.pop().v;",
        f"for (Cell x{n} : stack) {{ {g.place()} = x{n}.v; break; }}",
        f"if (!stack.isEmpty()) {{ Cell x{n} = stack.pop(); x{n}.v = {value}; stack.push(x{n}); }}",
    )


EFFECTS = [lambda_helper, lambda_value, super_interface, default_method, anonymous, concatenation, enum_bodies, enum_initialised, lazy_holder,
           exception_code, exception_constructor_fails, failure, failure, narrow_failure, library_callback, library_callback, library_objects,
           kept_function, method_reference, constructor_reference, resources, supplied_exception, monitor, other_object, text_switch,
           library_answer, tail_failure, elements, elements]


def generate(seed):
    return Generator(seed).generate()


if __name__ == "__main__":
    import sys

    print(generate(int(sys.argv[1])), end="")
