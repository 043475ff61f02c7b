#!/usr/bin/env python3
"""Random small C modules, C handles and C++ classes for the front end, free of undefined behaviour.

`generate(seed)` gives a Program: its text, the options with which Tacit gets it, and sample arguments for the native harness
that cover all that the code tells apart. State is held in *places*, expressions for an object with the numbers that it may
hold; whatever is assigned is brought into that range, so that nothing overflows, and pointers, indices and heap objects are
guarded. Features are mixed: a place may be a bit-field, an element with a variable index, what a pointer points to, a part
of a heap node; a statement may go through memcpy, an out-parameter, a destructor or an exception.
"""

import random
from dataclasses import dataclass, field

import random_cpp_features


@dataclass
class Place:
    """An object that can be read and, unless constant, written; `guard` must hold before it is touched."""

    text: str
    kind: str  # type as written in C
    low: int
    high: int
    guard: str = ""
    addressable: bool = True
    first: int = None  # the number that it holds at the start, where that is known


@dataclass
class Value:
    text: str
    low: int
    high: int


@dataclass
class Program:
    seed: int
    text: str
    suffix: str
    options: list
    kind: str
    subject: str
    samples: list = field(default_factory=list)


INTEGERS = [("int", -4, 3), ("int", 0, 3), ("unsigned", 0, 3), ("signed char", -4, 3), ("unsigned char", 0, 7), ("short", -2, 3),
            ("bool", 0, 1), ("enum Mode", 0, 2), ("long", 0, 3), ("unsigned short", 0, 3), ("int", 0, 1), ("bool", 0, 1),
            ("char", 0, 3), ("long long", -1, 2), ("unsigned char", 0, 255), ("signed char", -100, 100), ("unsigned long", 0, 7)]
ENUMS = [(0, 1, 2), (0, 1, 2), (0, 5, -1), (0, 200, 300), (0, 128, 255), (0, -1, -2), (0, 1, 70000)]
BITS = [("unsigned", 9, 0, 511), ("int", 10, -400, 400), ("unsigned short", 8, 0, 255), ("enum Mode", 12, 0, 2), ("enum Mode", 12, 0, 2), ("unsigned", 2, 0, 3), ("int", 3, -4, 3), ("unsigned", 1, 0, 1), ("unsigned", 3, 0, 7), ("bool", 1, 0, 1), ("int", 2, -2, 1),
        ("unsigned char", 2, 0, 3)]


class Generator:
    """Writes one program. The subclasses below say how state is declared and what a call looks like."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.machine = self.random.random() < 0.3
        self.cpp = False
        self.declarations = []  # before the state
        self.state = []  # declarations of the state
        self.helpers = []
        self.places = []
        self.structs = []  # (lvalue, type, lvalue, type) of two structs of one type
        self.pointers = []  # (text, pointee kind, low, high, may be null)
        self.arrays = []  # (text, size, kind, low, high)
        self.nodes = []  # owners of heap nodes
        self.calls_int = []  # helper functions int -> int in 0..3
        self.tables = []
        self.counter = 0
        self.locals = []
        self.loops = 0
        self.used = set()
        self.features = []  # functions that make a statement
        self.error = "assert"
        self.enum = self.pick(ENUMS)
        if self.enum[2] > 2000:
            self.bits = [b for b in BITS if not b[0].startswith("enum")]
        else:
            self.bits = BITS
        self.pre = ""  # how state is reached: "" or "h->" or "this->"

    # -- small things ---------------------------------------------------------------------------------------------------

    def chance(self, p):
        return self.random.random() < p

    def pick(self, options):
        return self.random.choice(options)

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    # -- expressions ----------------------------------------------------------------------------------------------------

    def constant(self, low=-2, high=4):
        n = self.random.randint(low, high)
        if self.chance(0.12):
            n = self.pick([7, 100, 127, 128, 129, 200, 255, 256, 300, 1000, -100, -128, -129, -255])
        return Value(str(n) if n >= 0 else f"({n})", n, n)

    def readable(self):
        options = self.places + self.locals * 2
        place = self.pick(options)
        text = place.text
        if place.kind.startswith("enum"):
            return Value(f"({place.guard} ? (int){text} : 0)" if place.guard else f"(int){text}", min(self.enum), max(self.enum))
        if place.guard:
            text = f"({place.guard} ? (int){text} : {self.pick([0, 1])})"
            return Value(text, min(place.low, 0), max(place.high, 1))
        if self.chance(0.15):
            alias = self.pick(["int", "long", "short", "signed char"])
            text = f"({alias}){text}"
        return Value(f"(int){text}" if place.kind not in ("int",) and self.chance(0.7) or place.kind in ("unsigned", "long", "long long")
                     else text, place.low, place.high)

    def raw(self):
        """A place in its own type, unsigned ones included."""
        place = self.pick([p for p in self.places + self.locals if not p.guard] or self.places)
        if place.guard:
            return self.readable().text, place.low, place.high, False
        if place.kind.startswith("enum"):
            return place.text, min(self.enum), max(self.enum), False
        return place.text, place.low, place.high, place.kind.startswith("unsigned") and place.kind == "unsigned"

    def value(self, depth=2):
        """An expression of type int, or one that is promoted to it."""
        if depth <= 0 or self.chance(0.25):
            return self.readable() if self.chance(0.75) else self.constant()
        form = self.random.randrange(23)
        if form in (20, 21):
            a = self.value(depth - 1)
            cut = self.pick(["% 5", "% 3", ">> 29", "& 6", "% 4", ">> 30", "/ 1000000000"])
            kind = self.pick(["unsigned", "unsigned", "unsigned char", "unsigned short"])
            text = f"({kind})({a.text})"
            if self.machine and self.chance(0.5):
                b = self.value(depth - 1)
                text = f"({text} {self.pick(['+', '-', '*'])} (unsigned)({b.text}))"
            return Value(f"(int)({text} {cut})", 0, 300)
        if form == 22:
            a = self.value(depth - 1)
            kind, low, high = self.pick([("unsigned char", 0, 255), ("signed char", -128, 127)])
            return Value(f"({kind})({a.text} + {self.pick([100, 126, 127, 128, 250, -127])})", low, high)
        if form < 3:
            a, b = self.value(depth - 1), self.value(depth - 1)
            return Value(f"({a.text} + {b.text})", a.low + b.low, a.high + b.high)
        if form < 5:
            a, b = self.value(depth - 1), self.value(depth - 1)
            return Value(f"({a.text} - {b.text})", a.low - b.high, a.high - b.low)
        if form == 5:
            a, b = self.value(depth - 1), self.constant(-2, 3)
            ends = [a.low * b.low, a.high * b.low]
            return Value(f"({a.text} * {b.text})", min(ends), max(ends))
        if form == 6:
            a, n = self.value(depth - 1), self.random.randint(2, 5)
            most = max(abs(a.low), abs(a.high))
            if self.chance(0.5):
                return Value(f"({a.text} % {n})", -min(most, n - 1) if a.low < 0 else 0, min(most, n - 1))
            return Value(f"({a.text} / {n})", -(most // n) if a.low < 0 else 0, most // n)
        if form == 7:
            a, mask = self.value(depth - 1), self.pick([1, 2, 3, 5, 7])
            return Value(f"({a.text} & {mask})", 0, mask)
        if form == 8:
            a, b = self.value(depth - 1), self.value(depth - 1)
            most = 1
            while most <= max(abs(a.low), abs(a.high), abs(b.low), abs(b.high)):
                most *= 2
            return Value(f"({a.text} {self.pick(['|', '^', '&'])} {b.text})", -most, most)
        if form == 9:
            a = self.value(depth - 1)
            if self.chance(0.5):
                return Value(f"(~{a.text})", -a.high - 1, -a.low - 1)
            return Value(f"(-{a.text})", -a.high, -a.low)
        if form == 10:
            a, n = self.value(depth - 1), self.random.randint(0, 2)
            if self.chance(0.5):
                return Value(f"(({a.text} & 7) << {n})", 0, 7 << n)
            return Value(f"({a.text} >> {n})", min(a.low, -1) if a.low < 0 else 0, max(a.high, 0))
        if form == 11:
            a, b = self.readable(), self.value(depth - 1)
            return Value(f"((1 << ({a.text} & 3)) & {self.pick([5, 6, 9, 11])}) " if self.chance(0.5) else f"((({b.text} & 7) >> ({a.text} & 1)))", 0, 15)
        if form in (12, 13):
            return Value(f"({self.condition(depth - 1)})", 0, 1)
        if form in (14, 15):
            a, b = self.value(depth - 1), self.value(depth - 1)
            return Value(f"({self.condition(depth - 1)} ? {a.text} : {b.text})", min(a.low, b.low), max(a.high, b.high))
        if form == 16:
            a = self.value(depth - 1)
            width, low, high = self.pick([("unsigned char", 0, 255), ("signed char", -128, 127), ("short", -32768, 32767), ("unsigned short", 0, 65535),
                                          ("bool", 0, 1), ("long", None, None), ("char", -128, 127)])
            if width == "bool":
                return Value(f"(bool)({a.text})", 0, 1)
            if width == "long":
                return Value(f"(int)(long)({a.text})", a.low, a.high)
            fits = a.low >= low and a.high <= high
            return Value(f"({width})({a.text})", a.low if fits else low, a.high if fits else high)
        if form == 17 and self.calls_int:
            a = self.value(depth - 1)
            return Value(f"{self.pick(self.calls_int)}({a.text})", 0, 3)
        if form == 18 and self.tables:
            a, b = self.value(depth - 1), self.readable()
            name, size = self.pick(self.tables)
            return Value(f"{name}[({b.text}) & {size - 1}]({a.text})", 0, 3)
        if form == 19 and self.arrays:
            name, size, _, low, high = self.pick(self.arrays)
            a = self.value(depth - 1)
            return Value(f"{name}[({a.text}) & {size - 1}]", low, high)
        return self.readable()

    def condition(self, depth=2):
        form = self.random.randrange(16)
        if depth > 0 and form < 3:
            return f"({self.condition(depth - 1)}) {self.pick(['&&', '||'])} ({self.condition(depth - 1)})"
        if depth > 0 and form == 3:
            return f"!({self.condition(depth - 1)})"
        if form == 4:
            nullable = [p for p in self.pointers if p[4]] + [(n, "", 0, 0, True) for n in self.nodes]
            if nullable:
                return f"{self.pick(nullable)[0]} {self.pick(['!=', '=='])} 0" if self.chance(0.6) else "!" + self.pick(nullable)[0]
        if form == 5 and len(self.nodes) > 1:
            return f"{self.nodes[0]} {self.pick(['!=', '=='])} {self.nodes[1]}"
        if form == 6:
            same = [(p, q) for p in self.pointers for q in self.pointers if p != q and p[1] == q[1]]
            if same:
                p, q = self.pick(same)
                return f"{p[0]} == {q[0]}"
        if form == 7:
            text, low, _, unsigned = self.raw()
            if unsigned or low < 0:  # signed against unsigned, on purpose
                return f"(unsigned){text} {self.pick(['<', '>', '<=', '>='])} {self.pick(['1u', '2u', '3u'])}"
        if form == 8:
            plain = self.side_effect()
            if plain:
                return plain
        a, b = self.value(depth - 1), self.constant() if self.chance(0.7) else self.value(depth - 1)
        return f"{a.text} {self.pick(['==', '!=', '<', '>', '<=', '>=', '==', '!='])} {b.text}"

    def side_effect(self):
        """A condition that changes something."""
        place = self.pick(self.places)
        if place.guard or place.kind.startswith("enum"):
            return ""
        if self.chance(0.5):
            return f"({place.text} = {self.fit(self.value(1), place)}) {self.pick(['==', '!=', '<', '>'])} {self.random.randint(0, 2)}"
        if place.addressable and place.kind == "int" and place.low == 0 and place.high == 3:
            self.used.add("bump")
            return f"bump(&{place.text}) {self.pick(['==', '!=', '<', '>'])} {self.random.randint(0, 2)}"
        return ""

    def fit(self, value, place):
        """The text of the value, brought into the range of the place."""
        low, high = place.low, place.high
        if place.kind.startswith("enum"):
            enums = [p.text for p in self.places if p.kind.startswith("enum") and not p.guard]
            if enums and self.chance(0.3):
                return self.pick(enums)
            a, b = self.random.sample(["M0", "M1", "M2"], 2)
            if self.chance(0.3):
                return f"({value.text}) {self.pick(['>', '<', '=='])} 0 ? M0 : ({value.text}) == 1 ? M1 : M2"
            return f"({value.text}) {self.pick(['==', '!=', '<', '>'])} {self.random.randint(-1, 2)} ? {a} : {b}"
        if place.kind == "bool" and self.chance(0.5):
            return value.text
        text = value.text
        if not (low <= value.low and value.high <= high):
            if low == 0 and high & (high + 1) == 0:
                text = f"({text}) & {high}"
            elif low < 0:
                n = min(-low, high) + 1
                text = f"({text}) % {n}"
            else:
                text = f"(({text}) & 1) + {low}"
        return text

    # -- statements -----------------------------------------------------------------------------------------------------

    def guarded(self, place, text):
        return f"if ({place.guard}) {{ {text} }}" if place.guard else text

    def assign(self):
        place = self.pick(self.places + self.locals)
        roll = self.random.random()
        if roll < 0.35:
            n = self.random.randint(place.low, place.high)
            text = self.pick(["M0", "M1", "M2"]) if place.kind.startswith("enum") else str(n)
            return self.guarded(place, f"{place.text} = {text};")
        if roll < 0.5 and not place.kind.startswith("enum") and place.kind != "bool":
            if place.low == 0 and place.high & (place.high + 1) == 0:
                op = self.pick(["^", "|", "&"])
                return self.guarded(place, f"{place.text} {op}= {self.random.randint(0, place.high)};")
            if place.low < 0:
                return self.guarded(place, f"{place.text} %= 2;" if self.chance(0.3) else f"if ({place.text} < {place.high}) {self.pick([place.text + '++', '++' + place.text, place.text + ' += 1'])};")
        if roll < 0.6 and not place.kind.startswith("enum") and place.kind != "bool":
            if self.chance(0.5):
                return self.guarded(place, f"if ({place.text} < {place.high}) {place.text}++;")
            return self.guarded(place, f"if ({place.text} > {place.low}) --{place.text};")
        return self.guarded(place, f"{place.text} = {self.fit(self.value(2), place)};")

    def block(self, depth, count=None):
        kept = list(self.locals)
        lines = [self.statement(depth) for _ in range(count or self.random.randint(1, 2))]
        self.locals = kept
        return " ".join(lines)

    def statement(self, depth=2):
        form = self.random.randrange(34)
        if self.features and self.chance(0.25):
            return self.pick(self.features)(depth)
        if depth > 0:
            if form < 4:
                text = f"if ({self.condition()}) {{ {self.block(depth - 1)} }}"
                return text + (f" else {{ {self.block(depth - 1)} }}" if self.chance(0.5) else "")
            if form in (4, 5):
                return self.switch(depth)
            if form == 6:
                i = self.fresh("i")
                self.loops += 1
                kept = list(self.locals)
                kind = self.pick(["int", "unsigned", "unsigned char"])
                body = self.block(depth - 1, 1)
                stop = f" if ({self.condition(1)}) {self.pick(['break', 'continue'])};" if self.chance(0.4) else ""
                self.locals = kept
                if self.chance(0.6) or not self.arrays:
                    return f"for ({kind} {i} = 0; {i} < {self.random.randint(1, 3)}; {i}++) {{{stop} {body} }}"
                name, size, akind, low, high = self.pick(self.arrays)
                element = Place(f"{name}[{i}]", akind, low, high)
                return f"for ({kind} {i} = 0; {i} < {size}; ++{i}) {{{stop} {name}[{i}] = {self.fit(self.value(1), element)}; }}"
            if form == 7:
                i = self.fresh("n")
                body = self.block(depth - 1, 1)
                if self.chance(0.5):
                    return f"{{ int {i} = {self.random.randint(1, 3)}; do {{ {body} }} while (--{i} > 0 && ({self.condition(1)})); }}"
                return f"{{ int {i} = {self.readable().text} & 3; while ({i}-- > 0) {{ {body} }} }}"
            if form == 8:
                label = self.fresh("out")
                return f"if ({self.condition()}) goto {label}; {self.no_declarations(depth - 1)} {label}:;" if not self.cpp else \
                    f"if ({self.condition()}) goto {label}; {{ {self.block(depth - 1)} }} {label}:;"
            if form == 9:
                return self.local(depth)
            if form == 10:
                return self.extra(depth)
            if form == 11:
                return self.extra(depth)
        if form in (12, 13) and self.pointers:
            return self.pointer_step()
        if form in (14, 15) and self.nodes:
            return self.node_step()
        if form == 16 and self.structs:
            return self.struct_step()
        if form == 17 and self.arrays:
            name, size, kind, low, high = self.pick(self.arrays)
            place = Place(f"{name}[({self.value(1).text}) & {size - 1}]", kind, low, high)
            return f"{place.text} = {self.fit(self.value(1), place)};"
        if form == 18:
            return self.helper_step()
        if form in (19, 20):
            return self.check()
        return self.assign()

    def no_declarations(self, depth):
        return f"{{ {self.block(depth)} }}"

    def extra(self, depth):
        return self.local(depth)

    def likely(self):
        """A condition on the state that holds at the start, as a rule."""
        if self.nodes and self.chance(0.3):
            return f"{self.pick(self.nodes)} {self.pick(['==', '=='])} 0"
        if self.nodes and self.chance(0.15):
            node = self.pick(self.nodes)
            return f"!{node} || {node}->v {self.pick(['==', '!=', '<'])} {self.random.randint(0, 3)}"
        known = [p for p in self.places if p.first is not None]
        place = self.pick(known)
        others = [n for n in range(place.low, place.high + 1) if n != place.first]
        if len(others) > 9:
            others = others[:3] + others[-3:] + [place.first + 1 if place.first < place.high else place.first - 1]
        if place.kind.startswith("enum"):
            others = [n for n in self.enum if n != place.first]
        other = self.pick(others)
        plain = [f"{place.text} != {other}", f"{place.text} != {other}", f"{place.text} == {place.first}"]
        low, high = min(place.first, other), max(place.first, other)
        plain.append(f"{place.text} < {high}" if place.first == low else f"{place.text} > {low}")
        text = self.pick(plain)
        if self.chance(0.25):
            text = f"{text} || {self.condition(0)}"
        elif self.chance(0.25):
            text = f"({text}) && ({self.likely()})"
        return text

    def sensible(self):
        return self.likely() if self.chance(0.75) else self.condition(1)

    def check(self):
        return f"assert({self.sensible()});"

    def switch(self, depth):
        cases = []
        place = self.pick(self.places)
        subject = f"({self.value(1).text}) & 3"
        labels = self.random.sample([0, 1, 2, 3], self.random.randint(1, 3))
        if place.kind.startswith("enum") and not place.guard:
            subject = place.text
            labels = self.random.sample(["M0", "M1", "M2"], self.random.randint(1, 3))
        for n in labels:
            kept = list(self.locals)
            cases.append(f"case {n}: {{ {self.block(depth - 1, 1)} }}" + ("" if self.chance(0.35) else " break;"))
            self.locals = kept
        if self.chance(0.6):
            default = f"default: {{ {self.block(depth - 1, 1)} }}" + ("" if self.chance(0.3) else " break;")
            cases.insert(self.random.randint(0, len(cases)), default)
        return f"switch ({subject}) {{ {' '.join(cases)} }}"

    def local(self, depth):
        kind, low, high = self.pick([k for k in INTEGERS if not k[0].startswith("enum")])
        name = self.fresh("v")
        place = Place(name, kind, low, high)
        if self.chance(0.25) and self.addressable_places():
            target = self.pick(self.addressable_places())
            text = f"{target.kind} *{name} = &{target.text}; "
            others = [p for p in self.addressable_places() if p.kind == target.kind]
            other = self.pick(others)
            if other is not target and self.chance(0.5):
                text = f"{target.kind} *{name} = {self.condition(1)} ? &{target.text} : &{other.text}; "
            low, high = max(target.low, other.low), min(target.high, other.high)
            if low < high:
                inner = Place(f"*{name}", target.kind, low, high)
                wide = Place(f"(*{name})", target.kind, min(target.low, other.low), max(target.high, other.high))
                self.locals.append(wide)
                body = self.block(depth - 1)
                self.locals.remove(wide)
                # Reads go by the wide range, writes by the narrow one: so only an explicit write here.
                if (wide.low, wide.high) != (low, high):
                    body = ""
                return f"{{ {text}{body} *{name} = {self.fit(self.value(1), inner)}; }}"
            return self.assign()
        initial = self.fit(self.value(2), place)
        self.locals.append(place)
        body = self.block(depth - 1, 2)
        self.locals = [p for p in self.locals if p is not place]
        return f"{{ {kind} {name} = {initial}; {body} }}"

    def addressable_places(self):
        return [p for p in self.places if p.addressable and not p.guard]

    def pointer_step(self):
        name, kind, low, high, nullable = self.pick(self.pointers)
        targets = [p for p in self.addressable_places() if p.kind == kind and p.low == low and p.high == high and not p.text.startswith("(*")]
        roll = self.random.random()
        if roll < 0.45 and targets:
            if self.chance(0.3) and len(targets) > 1:
                return f"{name} = {self.condition(1)} ? &{self.pick(targets).text} : &{self.pick(targets).text};"
            return f"{name} = &{self.pick(targets).text};"
        if roll < 0.6 and nullable:
            return f"{name} = 0;"
        if roll < 0.7:
            same = [p for p in self.pointers if p[1:4] == (kind, low, high) and (nullable or not p[4])]
            return f"{name} = {self.pick(same)[0]};"
        place = Place(f"*{name}", kind, low, high, name if nullable else "")
        return self.guarded(place, f"*{name} = {self.fit(self.value(1), place)};")

    def node_step(self):
        name = self.pick(self.nodes)
        roll = self.random.random()
        if roll < 0.35:
            return f"if (!{name}) {{ {self.allocate(name)} }}"
        if roll < 0.55:
            return self.release(name)
        if roll < 0.65 and len(self.nodes) > 1:
            a, b = self.random.sample(self.nodes, 2)
            return f"{a} = {b};"
        n = self.random.randint(0, 3)
        field_ = self.pick(["v", "k"])
        return f"if ({name}) {{ {name}->{field_} = {n}; }}" if self.chance(0.5) else f"if ({name}) {name}->v = {self.fit(self.value(1), Place('', 'int', 0, 3))};"

    def allocate(self, name):
        v, k = self.random.randint(0, 3), self.random.randint(0, 3)
        if self.cpp:
            return f"{name} = new Node{{{v}, {k}}};"
        self.used.add("make")
        if self.chance(0.5):
            return f"{name} = make({v}, {k});"
        return f"{name} = (struct node *)malloc(sizeof *{name}); if (!{name}) abort(); {name}->v = {v}; {name}->k = {k};"

    def release(self, name):
        others = " ".join(f"if ({o} == d) {o} = 0;" for o in self.nodes if o != name)
        node, free = ("Node", "delete d;") if self.cpp else ("struct node", "free(d);")
        return f"if ({name}) {{ {node} *d = {name}; {others} {name} = 0; {free} }}"

    def struct_step(self):
        a, b, kind = self.pick(self.structs)
        roll = self.random.random()
        if roll < 0.3:
            return f"{a} = {b};"
        if roll < 0.5:
            return f"memcpy(&{a}, &{b}, sizeof {a});"
        if roll < 0.65:
            return f"memset(&{a}, 0, sizeof {a});"
        if roll < 0.85:
            t = self.fresh("t")
            return f"{{ {kind} {t} = {a}; {a} = {b}; {b} = {t}; }}"
        p = self.fresh("p")
        return f"{{ {kind} *{p} = {self.condition(1)} ? &{a} : &{b}; memset({p}, 0, sizeof *{p}); }}"

    def helper_step(self):
        options = [p for p in self.addressable_places() if p.kind == "int" and p.low == 0 and p.high == 3]
        if not options:
            return self.assign()
        if self.chance(0.4) and len(options) > 1:
            self.used.add("swap")
            a, b = self.random.sample(options, 2)
            return f"swap(&{a.text}, &{b.text});"
        self.used.add("store")
        place = self.pick(options)
        ok = self.fresh("ok")
        then = self.assign()
        return f"{{ int {ok} = store(&{place.text}, {self.value(1).text}); if ({ok} < 0) {{ {then} }} }}"

    HELPERS = {
        "bump": "static int bump(int *p) { *p = (*p + 1) & 3; return *p; }",
        "swap": "static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }",
        "store": "static int store(int *out, int x) { if (x < 0 || x > 3) return -1; *out = x; return 0; }",
        "make": "static struct node *make(int v, int k) { struct node *n = (struct node *)malloc(sizeof(struct node)); if (!n) abort(); n->v = v; n->k = (unsigned char)k; return n; }",
    }

    # -- state ----------------------------------------------------------------------------------------------------------

    def scalar_type(self):
        return self.pick(INTEGERS)

    def add_place(self, text, kind, low, high, addressable=True, first=0):
        self.places.append(Place(self.pre + text, kind, low, high, "", addressable, first))

    def initial(self, kind, low, high):
        n = self.random.randint(max(low, 0), high) if self.chance(0.5) else 0
        if kind.startswith("enum"):
            return self.enum[n], f"M{n}"
        return n, str(n)

    def fields(self, prefix, depth=1):
        """Declarations of the fields of a struct; the places are those below the prefixes."""
        lines, found = [], []
        for _ in range(self.random.randint(2, 3)):
            name = self.fresh("f")
            roll = self.random.random()
            if roll < 0.35:
                kind, width, low, high = self.pick(self.bits)
                lines.append(f"{kind} {name} : {width};")
                found.append((name, kind, low, high, False))
            elif roll < 0.45 and depth > 0:
                inner, below = self.fields(prefix, depth - 1)
                lines.append(f"struct {{ {' '.join(inner)} }} {name};")
                found += [(f"{name}.{n}", *rest) for n, *rest in below]
            elif roll < 0.55:
                lines.append(f"int {name}[2];")
                found += [(f"{name}[0]", "int", 0, 3, True), (f"{name}[1]", "int", 0, 3, True)]
            else:
                kind, low, high = self.scalar_type()
                lines.append(f"{kind} {name};")
                found.append((name, kind, low, high, True))
        return lines, found

    def struct_type(self):
        tag = self.fresh("S")
        lines, found = self.fields("")
        self.declarations.append(f"struct {tag} {{ {' '.join(lines)} }};")
        return f"struct {tag}", found

    def declare(self, text, initial=None):
        raise NotImplementedError

    def make_state(self):
        for _ in range(self.random.randint(2, 3)):
            name = self.fresh("g")
            kind, low, high = self.scalar_type() if self.chance(0.6) else ("int", 0, 3)
            first, text = self.initial(kind, low, high)
            self.declare(f"{kind} {name}", text)
            self.add_place(name, kind, low, high, True, first)
        if self.chance(0.45):
            kind, found = self.struct_type()
            names = [self.fresh("s") for _ in range(2 if self.chance(0.6) else 1)]
            for name in names:
                self.declare(f"{kind} {name}", None)
                for n, *rest in found:
                    self.add_place(f"{name}.{n}", *rest)
            if len(names) == 2:
                self.structs.append((self.pre + names[0], self.pre + names[1], kind))
        if self.chance(0.35):
            name, size = self.fresh("a"), self.pick([2, 4])
            kind, low, high = self.pick([("int", 0, 3), ("unsigned char", 0, 3), ("signed char", -4, 3), ("bool", 0, 1), ("short", 0, 3)])
            self.declare(f"{kind} {name}[{size}]", None)
            self.arrays.append((self.pre + name, size, kind, low, high))
            self.add_place(f"{name}[{self.random.randrange(size)}]", kind, low, high)
        if self.chance(0.4):
            targets = [p for p in self.addressable_places() if "." not in p.text or self.chance(0.7)]
            target = self.pick(targets)
            for _ in range(self.random.randint(1, 2)):
                name, nullable = self.fresh("p"), self.chance(0.5)
                self.declare(f"{target.kind} *{name}", "0" if nullable else f"&{target.text}")
                text = self.pre + name
                self.pointers.append((text, target.kind, target.low, target.high, nullable))
                self.places.append(Place(f"(*{text})", target.kind, target.low, target.high, text if nullable else "", True))
        if self.chance(0.35):
            self.node_type()
            for _ in range(self.random.randint(1, 2)):
                name = self.fresh("n")
                self.declare(f"{'Node' if self.cpp else 'struct node'} *{name}", "0")
                text = self.pre + name
                self.nodes.append(text)
                self.places.append(Place(f"{text}->v", "int", 0, 3, text))
                if self.chance(0.5):
                    self.places.append(Place(f"{text}->k", "unsigned char", 0, 3, text))
        if self.chance(0.12):
            name = self.fresh("u")
            self.declare(f"union {{ int i; unsigned u; struct {{ short a, b; }} h; }} {name}", None)
            self.add_place(f"{name}.i", "int", 0, 3)
            if self.chance(0.5):
                self.places.append(Place(f"{self.pre}{name}.u", "unsigned", 0, 3))
        if self.chance(0.25):
            # A table of functions.
            size = 2
            names = []
            for _ in range(size):
                name = self.fresh("op")
                names.append(name)
                self.helpers.append(f"static int {name}(int x) {{ return {self.pick(['x & 3', '(x + 1) & 3', 'x > 1', 'x < 0 ? 2 : 1', '(x ^ 1) & 3'])}; }}")
            table = self.fresh("table")
            self.helpers.append(f"static int (*const {table}[{size}])(int) = {{{', '.join(names)}}};")
            self.tables.append((table, size))
        if self.chance(0.5):
            name = self.fresh("pick")
            self.helpers.append(f"static int {name}(int x) {{ {self.pick(['if (x < 0) return 0; return x > 3 ? 3 : x;', 'switch (x) { case 0: return 1; case 1: case 2: return 3; default: return 0; }', 'int n = 0; while (x > 0 && n < 3) { x -= 2; n++; } return n;', 'return x & 1 ? x & 3 : 2;', 'static const unsigned char t[4] = {1, 0, 3, 2}; return t[x & 3];'])} }}")
            self.calls_int.append(name)

    def enum_text(self):
        return "enum Mode { " + ", ".join(f"M{i} = {n}" for i, n in enumerate(self.enum)) + " };"

    # -- features: state of its own, and statements that work on it ----------------------------------------------------------

    def small(self, low=0, high=3):
        """The text of an expression with a value in the range."""
        return self.fit(self.value(1), Place("", "int", low, high))

    def receive(self, text):
        """A statement that puts an expression with a value in 0..3 into the state."""
        options = [p for p in self.places if not p.guard and p.low <= 0 and p.high >= 3 and not p.kind.startswith("enum")]
        if options and self.chance(0.6):
            return f"{self.pick(options).text} = {text};"
        return f"if (({text}) {self.pick(['==', '!=', '<', '>'])} {self.random.randint(0, 2)}) {{ {self.assign()} }}"

    def feature_rows(self):
        """An array of structs with a variable index, and a pointer into it."""
        name, tag = self.pre + self.fresh("rows"), self.fresh("R")
        self.declarations.append(f"struct {tag} {{ int a; unsigned char b : 3; short c[2]; }};")
        self.declare(f"struct {tag} {name.removeprefix(self.pre)}[2]")
        self.places.append(Place(f"{name}[{self.random.randrange(2)}].a", "int", 0, 3, "", True, 0))

        def make(_):
            i = f"({self.value(1).text}) & 1"
            p = self.fresh("r")
            return self.pick([
                f"{name}[{i}].a = {self.small()};", f"{name}[{i}].b = {self.small()};", f"{name}[{i}].c[({self.readable().text}) & 1] = {self.small()};",
                self.receive(f"{name}[{i}].b & 3"), self.receive(f"{name}[{i}].c[{self.random.randrange(2)}]"),
                f"{{ struct {tag} *{p} = &{name}[{i}]; {p}->a = {self.small()}; {p}->c[1] = {p}->b & 3; }}",
                f"{name}[0] = {name}[1];", f"memset({name}, 0, sizeof {name});", f"memcpy(&{name}[1], &{name}[0], sizeof {name}[0]);",
                f"{{ struct {tag} *{p} = {name}; if ({self.condition(0)}) {p}++; {p}->a = {self.random.randint(0, 3)}; }}"])
        self.features.append(make)

    def feature_bytes(self):
        """Bytes of an object."""
        options = [p for p in self.addressable_places() if p.low == 0 and p.kind in ("int", "unsigned", "short", "unsigned short", "long")]
        if not options:
            return

        def make(_):
            place = self.pick(options)
            q = self.fresh("q")
            return self.pick([
                f"((unsigned char *)&{place.text})[0] = {self.random.randint(0, place.high)};", self.receive(f"((unsigned char *)&{place.text})[0] & 3"),
                self.receive(f"((unsigned char *)&{place.text})[1] & 1"),
                f"{{ unsigned char *{q} = (unsigned char *)&{place.text}; *{q} = (unsigned char)({self.small(0, 1)}); }}",
                f"memset(&{place.text}, 0, sizeof {place.text});", f"memset(&{place.text}, 0, 1);",
                f"{{ {place.kind} {q} = {self.random.randint(0, place.high)}; memcpy(&{place.text}, &{q}, sizeof {q}); }}"])
        self.features.append(make)

    def feature_union(self):
        name = self.pre + self.fresh("un")
        self.declare(f"union {{ unsigned w; unsigned char b[4]; struct {{ unsigned short lo, hi; }} h; }} {name.removeprefix(self.pre)}")

        def make(_):
            if self.cpp:
                return self.pick([f"{name}.w = {self.small()};", f"{{ unsigned k = {self.random.randint(0, 3)}; memcpy(&{name}, &k, sizeof k); }}", f"memset(&{name}, 0, sizeof {name});"])
            return self.pick([f"{name}.w = {self.small()};", f"{name}.b[0] = {self.random.randint(0, 3)};", f"{name}.b[{self.readable().text} & 3] = {self.random.randint(0, 3)};",
                              self.receive(f"{name}.b[0] & 3"), self.receive(f"{name}.w & 3"), self.receive(f"{name}.h.lo & 3"), f"{name}.h.lo = {self.random.randint(0, 3)};",
                              f"{name}.w = 0;"])
        self.features.append(make)

    def feature_pointers_table(self):
        """An array of pointers to places, and pointers to pointers."""
        options = [p for p in self.addressable_places() if p.kind == "int" and p.low == 0 and p.high == 3 and not p.text.startswith("(*")]
        if len(options) < 2:
            return
        a, b = self.random.sample(options, 2)
        name = self.pre + self.fresh("ptrs")
        bare = name.removeprefix(self.pre)
        if self.pre:
            self.declare(f"int *{bare}[2]")
            self.inits += [f"{name}[0] = &{a.text};", f"{name}[1] = &{b.text};"]
        else:
            self.declare(f"int *{bare}[2]", f"{{&{a.text}, &{b.text}}}")

        def make(_):
            i, pp = f"({self.value(1).text}) & 1", self.fresh("pp")
            return self.pick([
                f"*{name}[{i}] = {self.small()};", self.receive(f"*{name}[{i}]"), f"{name}[{i}] = &{self.pick(options).text};",
                f"{{ int **{pp} = &{name}[{i}]; **{pp} = {self.small()}; }}", f"{{ int **{pp} = &{name}[{i}]; *{pp} = &{self.pick(options).text}; }}",
                f"if ({name}[0] == {name}[1]) {{ {self.assign()} }}", f"{{ int *{pp} = {name}[0]; {name}[0] = {name}[1]; {name}[1] = {pp}; }}"])
        self.features.append(make)

    def feature_by_value(self):
        """Structs as arguments and results, and functions that choose a pointer."""
        tag, f, g = self.fresh("P"), self.fresh("mk"), self.fresh("sum")
        self.declarations.append(f"struct {tag} {{ int a; short b; unsigned char c; }};")
        self.helpers.append(f"static struct {tag} {f}(int a, int b) {{ struct {tag} p = {{a & 3, (short)(b & 3), {self.random.randint(0, 3)}}}; if (p.a > p.b) p.c = {self.random.randint(0, 3)}; return p; }}")
        self.helpers.append(f"static int {g}(struct {tag} p) {{ p.a {self.pick(['+=', '-=', '^='])} p.b; return (p.a + p.c) & 3; }}")
        name = self.pre + self.fresh("pv")
        self.declare(f"struct {tag} {name.removeprefix(self.pre)}")
        self.places.append(Place(f"{name}.a", "int", 0, 3, "", True, 0))

        def make(_):
            return self.pick([f"{name} = {f}({self.value(1).text}, {self.readable().text});", self.receive(f"{g}({name})"), self.receive(f"{g}({f}({self.value(1).text}, 2))"),
                              f"{name}.a = {f}({self.readable().text}, 1).a;"])
        self.features.append(make)

    def feature_context(self):
        """A callback with a context pointer."""
        options = [p for p in self.addressable_places() if p.kind == "int" and p.low == 0 and p.high == 3]
        if not options:
            return
        run, f, g = self.fresh("run"), self.fresh("cb"), self.fresh("cb")
        self.helpers.append(f"static int {f}(void *c, int x) {{ int *p = (int *)c; *p = x & 3; return *p > 1; }}")
        self.helpers.append(f"static int {g}(void *c, int x) {{ if (x > 0) *(int *)c = {self.random.randint(0, 3)}; return x; }}")
        self.helpers.append(f"static int {run}(int (*f)(void *, int), void *c, int n) {{ int r = 0; for (int i = 0; i < n; i++) if (f(c, i)) r = i; return r & 3; }}")

        def make(_):
            return self.receive(f"{run}({self.pick([f, g, f'{self.condition(0)} ? {f} : {g}'])}, &{self.pick(options).text}, {self.random.randint(1, 3)})")
        self.features.append(make)

    def feature_list(self):
        """A linked list with a bound."""
        tag = self.fresh("L")
        head, count = self.pre + self.fresh("head"), self.pre + self.fresh("len")
        self.declarations.append(f"struct {tag} {{ int v; struct {tag} *next; }};")
        self.declare(f"struct {tag} *{head.removeprefix(self.pre)}", "0")
        self.declare(f"int {count.removeprefix(self.pre)}", "0")
        self.places.append(Place(f"{head}->v", "int", 0, 3, head))
        get = f"new {tag}" if self.cpp else f"(struct {tag} *)malloc(sizeof(struct {tag}))"

        def make(_):
            e, r = self.fresh("e"), self.fresh("s")
            drop = f"delete {e};" if self.cpp else f"free({e});"
            return self.pick([
                f"if ({count} < 2) {{ struct {tag} *{e} = {get}; if (!{e}) abort(); {e}->v = {self.small()}; {e}->next = {head}; {head} = {e}; {count}++; }}",
                f"if ({head}) {{ struct {tag} *{e} = {head}; {head} = {e}->next; {count}--; {drop} }}",
                f"for (struct {tag} *{e} = {head}; {e}; {e} = {e}->next) if ({e}->v > {self.random.randint(0, 2)}) {{ {self.assign()} }}",
                f"{{ int {r} = 0; for (struct {tag} *{e} = {head}; {e}; {e} = {e}->next) {r}++; {self.receive(r)} }}",
                f"if ({head} && {head}->next) {head}->next->v = {self.small()};", self.receive(count),
                f"while ({head}) {{ struct {tag} *{e} = {head}; {head} = {e}->next; {drop} }} {count} = 0;"])
        self.features.append(make)

    def feature_recursion(self):
        f = self.fresh("rec")
        self.helpers.append(f"static int {f}(int n, int *out) {{ if (n <= 0) return 0; *out = n & 3; return ({f}(n - 1, out) + 1) & 3; }}")

        def make(_):
            o = self.fresh("o")
            return f"{{ int {o} = {self.random.randint(0, 3)}; {self.receive(f'{f}({self.readable().text} & 3, &{o})')} {self.receive(o)} }}"
        self.features.append(make)

    def feature_static_pointer(self):
        """A function that returns a pointer to one of two statics."""
        f, a, b = self.fresh("cell"), self.fresh("sa"), self.fresh("sb")
        self.helpers.append(f"static int {a}, {b} = 1; static int *{f}(int x) {{ return x > 1 ? &{a} : &{b}; }}")

        def make(_):
            p = self.fresh("sp")
            return self.pick([f"*{f}({self.value(1).text}) = {self.small()};", self.receive(f"*{f}({self.readable().text})"), self.receive(a),
                              f"{{ int *{p} = {f}({self.readable().text}); *{p} = (*{p} + 1) & 3; }}", f"if ({f}(0) == {f}({self.readable().text})) {{ {self.assign()} }}"])
        self.features.append(make)

    def feature_partial_copy(self):
        """Parts of structs are copied."""
        tag = self.fresh("Q")
        self.declarations.append(f"struct {tag} {{ int a; short b; short c; struct {{ unsigned char x, y; }} in; int d[2]; }};")
        p, q = self.pre + self.fresh("qa"), self.pre + self.fresh("qb")
        for n in (p, q):
            self.declare(f"struct {tag} {n.removeprefix(self.pre)}")
        self.places.append(Place(f"{p}.a", "int", 0, 3, "", True, 0))
        self.places.append(Place(f"{q}.in.x", "unsigned char", 0, 3, "", True, 0))

        def make(_):
            t = self.fresh("tq")
            return self.pick([
                f"memcpy(&{p}, &{q}, sizeof(int));", f"memcpy(&{p}.b, &{q}.b, 2 * sizeof(short));", f"{p}.in = {q}.in;", f"memcpy({p}.d, {q}.d, sizeof {p}.d);",
                f"memset(&{p}.b, 0, 2 * sizeof(short));", f"memmove(&{p}.d[0], &{p}.d[1], sizeof(int));", f"{p}.d[{self.readable().text} & 1] = {self.small()};",
                f"{q}.c = {self.small()};", f"{q}.in.y = (unsigned char)({self.small()});", self.receive(f"{p}.d[{self.readable().text} & 1]"), self.receive(f"{p}.c"), self.receive(f"{p}.in.y"),
                f"{{ struct {tag} {t}; memset(&{t}, 0, sizeof {t}); {t}.d[1] = {self.small()}; {t}.in.x = 2; memcpy(&{q}, &{t}, sizeof {t}); }}",
                f"{{ struct {tag} {t} = {p}; {t}.c = 1; {t}.in.y = {t}.in.x; {q} = {t}; }}",
                f"{{ struct {tag} *{t} = &{q}; {t}->in = {p}.in; {t}->b = {p}.c; }}",
                f"{q} = (struct {tag}){{.a = {self.random.randint(0, 3)}, .d = {{1, 2}}}};"])
        self.features.append(make)

    def feature_walk(self):
        """Pointers that walk through an array."""
        if not self.arrays:
            return
        name, size, kind, low, high = self.pick(self.arrays)
        bound = Place("", kind, low, high)

        def make(_):
            p, e = self.fresh("w"), self.fresh("x")
            walk = f"for ({kind} *{p} = {name}; {p} != {name} + {size}; {self.pick([f'{p}++', f'++{p}'])})"
            options = [f"{walk} *{p} = {self.fit(self.value(1), bound)};", f"{walk} if (*{p} == {self.random.randint(max(low, 0), high)}) {{ {self.assign()} }}",
                       f"{{ {kind} *{p} = &{name}[({self.readable().text}) & {size - 1}]; *{p} = {self.fit(self.value(1), bound)}; }}",
                       f"{{ {kind} *{p} = {name}; while ({p} < {name} + {size}) {{ if ({self.condition(0)}) break; *{p}++ = {self.random.randint(low, high)}; }} }}",
                       f"{{ {kind} *{p} = {name} + {size}; while ({p} > {name}) {{ --{p}; *{p} = {self.random.randint(low, high)}; }} }}"]
            if self.cpp:
                options += [f"for (auto &{e} : {name}) {e} = {self.fit(self.value(1), bound)};", f"for (auto {e} : {name}) if ({e} > 1) {{ {self.assign()} }}",
                            f"for (auto &{e} : {name}) if ({e} == 0) {{ {e} = 1; break; }}"]
            return self.pick(options)
        self.features.append(make)

    FEATURES = ["walk", "walk", "rows", "bytes", "union", "pointers_table", "by_value", "context", "list", "recursion", "static_pointer", "partial_copy"]

    def make_features(self):
        for name in sorted(set(self.random.sample(self.FEATURES, self.pick([0, 1, 1, 1, 2])))):
            if self.pre and name == "static_pointer":
                continue  # state outside of the handle
            getattr(self, "feature_" + name)()

    def node_type(self):
        self.declarations.append("struct Node { int v; unsigned char k; };" if self.cpp else "struct node { int v; unsigned char k; };")

    # -- calls ----------------------------------------------------------------------------------------------------------

    def parameter(self):
        """Declaration, prologue, sample arguments."""
        roll = self.random.random()
        if roll < 0.5:
            return "", "", None
        if roll < 0.65:
            self.locals.append(Place("x", "bool", 0, 1))
            return "bool x", "", ["false", "true"]
        if roll < 0.8:
            self.locals.append(Place("x", "unsigned", 0, 3))
            return "unsigned x", "x &= 3;", ["0", "1", "2", "3"]
        if roll < 0.9:
            self.locals.append(Place("x", "int", -1, 2))
            return "int x", "if (x < -1 || x > 2) x = 0;", ["-1", "0", "1", "2"]
        self.locals.append(Place("x", "enum Mode", 0, 2))
        return "enum Mode x", "", ["M0", "M1", "M2"]

    def result(self):
        """Type of the result, and the text of a return statement."""
        roll = self.random.random()
        if roll < 0.45:
            return "void", ""
        if roll < 0.6:
            return "bool", f"return {self.condition(1)};"
        if roll < 0.8:
            return "int", f"return {self.condition(1)} ? {self.random.randint(0, 2)} : {self.random.randint(0, 2)};"
        if roll < 0.9:
            value = self.value(1)
            return "int", f"return {self.fit(value, Place('', 'int', 0, 3))};"
        return "enum Mode", f"return {self.condition(1)} ? M1 : {self.pick(['M0', 'M2'])};"

    def early(self, kind):
        if not self.chance(0.3):
            return ""
        value = {"void": "", "bool": " false", "int": f" {self.random.randint(0, 3)}", "enum Mode": " M0"}[kind]
        return f"if ({self.condition(1)}) return{value};"

    def body(self, kind, last):
        lines = []
        if self.chance(0.5):
            lines.append(self.check())
        lines += [self.statement() for _ in range(self.random.randint(1, 3))]
        lines.insert(self.random.randint(0, len(lines)), self.early(kind))
        if self.chance(0.2):
            lines.insert(self.random.randint(0, len(lines)), self.check())
        return "\n  ".join(line for line in lines + [last] if line)


class Module(Generator):
    """A C module with static state, or with a handle."""

    def __init__(self, seed, handle=False):
        super().__init__(seed)
        self.handle = handle
        self.inits = []
        if handle:
            self.pre = "h->"

    def declare(self, text, initial=None):
        if self.handle:
            self.state.append(f"  {text};")
            if initial is not None:
                name = text.split()[-1].lstrip("*")
                self.inits.append(f"h->{name} = {initial};")
        elif initial is None or initial == "0":
            self.state.append(f"static {text};")
        else:
            self.state.append(f"static {text} = {initial};")

    def generate(self):
        self.make_state()
        self.make_features()
        if self.chance(0.25) and not self.handle:
            name = self.fresh("once")
            self.helpers.append(f"static int {name}(int x) {{ static int n = {self.random.randint(0, 2)}; if (x > 1) n = (n + 1) & 3; return n; }}")
            self.calls_int.append(name)
        if self.chance(0.2) and not self.handle:
            # A function pointer that the state holds.
            text = self.places[0].text
            kind = self.places[0]
            self.state.append("static void (*act)(void);")
            self.late = [f"static void act0(void) {{ {text} = {self.random.randint(kind.low, kind.high)}; }}",
                         f"static void act1(void) {{ {self.assign()} }}"]
            self.acts = True
        else:
            self.late, self.acts = [], False
        codes = self.chance(0.3)
        calls, samples = [], []
        for i in range(self.random.randint(3, 5)):
            name = f"c{i}"
            parameter, prologue, arguments = self.parameter()
            kind, last = self.result()
            body = self.body(kind, last)
            if self.acts and self.chance(0.6):
                body = self.pick(["act = act0;", "act = act1;", "if (act) act();", "act = 0;", "act = act == act0 ? act1 : act0;"]) + "\n  " + body
            if codes and kind == "int" and self.chance(0.7):
                body = f"if (!({self.sensible()})) return -1;\n  " + body
            arguments_text = ", ".join(t for t in ("struct box *h" if self.handle else "", parameter) if t) or "void"
            calls.append(f"{kind} {name}({arguments_text}) {{\n  {prologue + chr(10) + '  ' if prologue else ''}{body}\n}}")
            if arguments:
                samples.append(f"{name}: {' | '.join(arguments)}")
            self.locals = []
        text = ["#include <assert.h>", "#include <stdbool.h>", "#include <stdlib.h>", "#include <string.h>", self.enum_text()]
        text += self.declarations
        text += self.helpers_used()
        if self.handle:
            text += ["struct box {", *self.state, "};"] + [h for h in self.helpers] + \
                ["void box_init(struct box *h) { memset(h, 0, sizeof *h); " + " ".join(self.inits) + " }"]
        else:
            text += self.state + self.helpers + self.late
        text += calls
        options = ["--error", "returns:-1", "--error", "assert"] if any("return -1" in c for c in calls) else []
        if self.machine:
            options += ["--integers", "machine"]
        if self.handle:
            options += ["--handle", "box", "--constructor", "box_init"]
        return Program(self.seed, "\n".join(text) + "\n", ".c", options, "handle" if self.handle else "module", "struct box" if self.handle else None,
                       samples)

    def helpers_used(self):
        return [self.HELPERS[name] for name in sorted(self.used)]


class Class(random_cpp_features.KeptFeatures, Generator):
    """A C++ class."""

    def __init__(self, seed):
        super().__init__(seed)
        self.cpp = True
        self.lists = []
        self.in_class = []
        self.late_members = []
        self.headers = []

    def declare(self, text, initial=None):
        self.state.append(f"  {text}{'{}' if initial is None else ' = ' + initial};")

    def check(self):
        if self.error == "throw" or self.chance(0.3):
            return f"if (!({self.sensible()})) throw {self.pick(self.escaping)};"
        return f"assert({self.sensible()});"

    def extra(self, depth):
        form = self.random.randrange(9)
        place = self.pick([p for p in self.places if not p.guard and not p.kind.startswith("enum")] or [self.places[0]])
        if form in (0, 1):
            # Thrown and caught here.
            thrown, caught = self.pick([("Low{1}", "const Low &"), ("Low{2}", "const Base &"), ("High{}", "const Base &"), ("7", "int"), ("Low{0}", "..."),
                                        ("std::runtime_error(\"x\")", "const std::exception &"), ("High{}", "const High &")])
            body = self.block(depth - 1, 1)
            handler = self.block(depth - 1, 1)
            rest = self.block(depth - 1, 1)
            other = f" catch (const Low &e) {{ {self.guarded_store('e.n')} }}" if caught not in ("...", "const Low &", "const Base &") and self.chance(0.4) else ""
            return f"try {{ {body} if ({self.condition(1)}) throw {thrown}; {rest} }}{other} catch ({caught}) {{ {handler} }}"
        if form == 2 and not place.kind.startswith("bool") and place.addressable:
            # An object whose destructor changes the state.
            name = self.fresh("guard")
            guard = self.fresh("Guard")
            n = self.random.randint(place.low, place.high)
            self.in_class.append(f"  struct {guard} {{ {place.kind} &r; ~{guard}() {{ if (r != {n}) r = {n}; }} }};")
            return f"{{ {guard} {name}{{{place.text}}}; {self.block(depth - 1)} }}"
        if form == 3:
            name = self.fresh("fn")
            body = self.assign()
            return f"{{ auto {name} = [{self.pick(['&', '&, this'])}](int y) {{ {body} return y + 1; }}; if ({name}({self.value(1).text}) > 1) {{ {self.assign()} }} }}"
        if form == 4 and place.addressable:
            name = self.fresh("ref")
            return f"{{ auto &{name} = {place.text}; {name} = {self.fit(self.value(1), place)}; {self.block(depth - 1, 1)} }}"
        if form == 5 and self.lists:
            opt = self.pick(self.lists)
            return self.pick([f"{opt}.reset();", f"{opt} = {self.random.randint(0, 3)};", f"if ({opt}) *{opt} = {self.random.randint(0, 3)};",
                              f"if ({opt}.has_value()) {{ {self.assign()} }}", f"{opt} = std::nullopt;", f"{opt}.emplace({self.random.randint(0, 3)});"])
        if form == 6:
            self.used.add("clamp")
            target = self.pick([p for p in self.places if not p.guard and p.low == 0 and p.high == 3 and p.kind == "int"] or [None])
            if target:
                return f"{target.text} = clamp<{self.random.randint(0, 3)}>({self.value(1).text});"
        if form == 7 and self.shapes:
            return self.shape_step()
        return self.local(depth)

    # -- features of C++ ----------------------------------------------------------------------------------------------------

    def feature_deep_throw(self):
        """Exceptions that pass through functions with objects on the stack."""
        place = self.pick([p for p in self.places if not p.guard and p.kind == "int" and p.low == 0 and p.high == 3] or [None])
        if not place:
            return
        inner, outer, tick = self.fresh("inner"), self.fresh("outer"), self.fresh("Tick")
        self.in_class.append(f"  struct {tick} {{ int &r; explicit {tick}(int &x) : r(x) {{ r = (r + 1) & 3; }} ~{tick}() {{ r = {self.pick(['0', '2', '(r + 2) & 3', 'r ^ 1'])}; }} }};")
        self.late_members.append(f"  void {inner}(int x) {{ {tick} t({place.text}); if (x > 1) throw Low{{x & 3}}; if (x < 0) throw High{{}}; }}")
        self.late_members.append(f"  int {outer}(int x) {{ try {{ {tick} t({place.text}); {inner}(x); return 0; }} catch (const Low &e) {{ if (e.n == 3) throw; return e.n; }} }}")

        def make(_):
            return self.pick([f"try {{ {self.receive(f'{outer}({self.value(1).text})')} }} catch (const Base &) {{ {self.assign()} }}",
                              f"try {{ {inner}({self.value(1).text}); }} catch (const High &) {{ {self.assign()} }} catch (...) {{ {self.assign()} }}",
                              f"try {{ try {{ {inner}({self.readable().text}); {self.assign()} }} catch (const High &) {{ {self.assign()} throw 5; }} }} catch (int) {{ {self.assign()} }} catch (const Base &) {{ }}"])
        self.features.append(make)

    def feature_unique(self):
        name = self.fresh("own")
        self.headers.append("#include <memory>")
        self.state.append(f"  std::unique_ptr<int> {name};")

        def make(_):
            return self.pick([f"{name}.reset();", f"{name} = std::make_unique<int>({self.small()});", f"if ({name}) *{name} = {self.small()};", f"if (!{name}) {{ {self.assign()} }}",
                              f"if ({name}) {{ {self.receive(f'*{name}')} }}", f"{{ auto moved = std::move({name}); if (moved) {{ {self.assign()} }} }}"])
        self.features.append(make)

    def feature_vector(self):
        name = self.fresh("items")
        self.headers.append("#include <vector>")
        self.state.append(f"  std::vector<int> {name};")

        def make(_):
            return self.pick([f"{name}.push_back({self.small()});", f"if (!{name}.empty()) {name}.pop_back();", f"{name}.clear();", f"if ({name}.size() > {self.random.randint(0, 2)}) {{ {self.assign()} }}",
                              f"if ({name}.size() < 2) {name}.push_back(1);", f"for (int v : {name}) if (v > 1) {{ {self.assign()} }}", f"if (!{name}.empty()) {{ {self.receive(f'{name}.back()')} }}"])
        self.features.append(make)

    def feature_bases(self):
        """A member of a class with two bases, called through each."""
        a, b, c = self.fresh("BaseA"), self.fresh("BaseB"), self.fresh("Both")
        virtual = self.pick(["", "virtual "])
        self.in_class.append(f"  struct {a} {{ int m = 0; {virtual}int get() {{ return m; }} void put(int x) {{ m = x & 3; }} }};\n"
                             f"  struct {b} {{ int k = 1; virtual int get2() {{ return k; }} }};\n"
                             f"  struct {c} : {a}, {b} {{ int get() {'override ' if virtual else ''}{{ return m ^ 1; }} int get2() override {{ k = (k + 1) & 3; return k; }} }};")
        name = self.fresh("both")
        self.state.append(f"  {c} {name};")
        self.places.append(Place(f"{name}.m", "int", 0, 3, "", True, 0))
        self.places.append(Place(f"{name}.k", "int", 0, 3, "", True, 1))

        def make(_):
            r = self.fresh("b")
            return self.pick([f"{name}.put({self.value(1).text});", f"{{ {a} &{r} = {name}; {self.receive(f'{r}.get() & 3')} }}", f"{{ {b} *{r} = &{name}; {self.receive(f'{r}->get2()')} }}",
                              f"{{ {a} *{r} = &{name}; {r}->m = {self.small()}; }}", f"{{ {a} {r} = {name}; {r}.m = 2; {self.receive(f'{r}.get() & 3')} }}",
                              f"{{ {b} *{r} = &{name}; if ({r}->k > 1) static_cast<{c} *>({r})->m = 1; }}"])
        self.features.append(make)

    def feature_member_pointer(self):
        options = [p.text for p in self.places if not p.guard and p.kind == "int" and p.low == 0 and p.high == 3 and p.text.isidentifier()]
        if len(options) < 2:
            return
        name = self.fresh("mp")
        a, b = self.random.sample(options, 2)
        self.state.append(f"  int T::*{name} = &T::{a};")

        def make(_):
            return self.pick([f"this->*{name} = {self.small()};", f"{name} = {name} == &T::{a} ? &T::{b} : &T::{a};", self.receive(f"this->*{name}"), f"{name} = &T::{b};"])
        self.features.append(make)

    def feature_objects(self):
        """A small class with copies, moves, operators and a static count."""
        tag = self.fresh("Num")
        self.in_class.append(f"  struct {tag} {{ int n; static inline int live = 0; {tag}(int x = 0) : n(x & 3) {{ if (live < 3) live++; }} {tag}(const {tag} &o) : n(o.n) {{ if (n > 1) live = 1; }}\n"
                             f"    {tag} &operator=(const {tag} &o) {{ if (this != &o) n = o.n ^ 1; return *this; }} ~{tag}() {{ if (live > 0) live--; }}\n"
                             f"    {tag} operator+(const {tag} &o) const {{ return {tag}(n + o.n); }} bool operator==(const {tag} &) const = default; explicit operator bool() const {{ return n > 0; }} {tag} &operator++() {{ n = (n + 1) & 3; return *this; }} }};")
        a, b = self.fresh("na"), self.fresh("nb")
        self.state.append(f"  {tag} {a}{{1}}, {b};")
        self.places.append(Place(f"{a}.n", "int", 0, 3, "", True))

        def make(_):
            return self.pick([f"{a} = {b};", f"{b} = {a} + {tag}({self.value(1).text});", f"++{a};", f"if ({a} == {b}) {{ {self.assign()} }}", f"if ({a}) {{ {self.assign()} }}", f"std::swap({a}, {b});",
                              f"{{ {tag} t = {a}; {self.receive('t.n')} }}", self.receive(f"{tag}::live"), f"{{ auto f = [t = {a}]() {{ return t.n; }}; {self.receive('f()')} }}"])
        self.features.append(make)

    def feature_variant(self):
        name = self.fresh("var")
        self.headers.append("#include <variant>")
        self.state.append(f"  std::variant<int, bool> {name};")

        def make(_):
            return self.pick([f"{name} = {self.random.randint(0, 3)};", f"{name} = true;", f"if (std::holds_alternative<bool>({name})) {{ {self.assign()} }}", f"if (auto *v = std::get_if<int>(&{name})) {{ {self.receive('*v')} }}",
                              self.receive(f"(int){name}.index()")])
        self.features.append(make)

    CLASS_FEATURES = ["deep_throw", "deep_throw", "unique", "vector", "bases", "member_pointer", "objects", "objects", "variant"]

    def place_of(self, text, first=0):
        """An int of the object from 0 to 3."""
        return Place(text, "int", 0, 3, "", True, first)

    def make_class_features(self):
        chosen = set(self.random.sample(self.CLASS_FEATURES, self.pick([0, 0, 1, 1]))) | set(self.random.sample(self.KEPT_FEATURES, self.pick([0, 1, 1, 2])))
        for name in sorted(chosen):
            getattr(self, "feature_" + name)()

    def guarded_store(self, text):
        options = [p for p in self.places if p.kind == "int" and p.low == 0 and p.high == 3 and not p.guard]
        return f"{self.pick(options).text} = {text};" if options else self.assign()

    def shape_step(self):
        shape = self.pick(self.shapes)
        roll = self.random.random()
        if roll < 0.3:
            return f"{shape} = &{self.pick(['one', 'two'])};"
        target = self.pick([p for p in self.places if not p.guard and p.low <= 0 and p.high >= 3 and not p.kind.startswith("enum")] or [None])
        if target:
            return f"{target.text} = {shape}->area({self.value(1).text});"
        return f"if ({shape}->area({self.value(1).text}) > 1) {{ {self.assign()} }}"

    def condition(self, depth=2):
        if self.lists and self.chance(0.08):
            opt = self.pick(self.lists)
            return self.pick([f"{opt}.has_value()", f"!{opt}", f"{opt} && *{opt} > 1", f"{opt}.value_or(2) == 2", f"{opt} == 1"])
        return super().condition(depth)

    def generate(self):
        self.shapes = []
        self.error = self.pick(["assert", "assert", "throw"])
        self.escaping = self.pick([["Err{}"], ["std::logic_error(\"e\")"], ["Err{}", "Low{3}"]])
        self.make_state()
        self.make_features()
        self.make_class_features()
        if self.chance(0.3):
            name = self.fresh("opt")
            self.state.append(f"  std::optional<int> {name};")
            self.lists.append(name)
        base = self.chance(0.35)
        if self.chance(0.2):
            self.in_class.append("  struct Shape { virtual int area(int x) const = 0; };\n"
                                 "  struct One : Shape { int area(int x) const override { return x & 1; } };\n"
                                 "  struct Two : Shape { int area(int x) const override { return x < 2 ? 2 : 3; } };")
            self.state.append("  One one; Two two;\n  const Shape *shape = &one;")
            self.shapes.append("shape")
        base_text = []
        if base:
            self.places.append(Place("level", "int", 0, 3))
            step = self.assign()
            base_text = ["struct Parent {", "protected:", "  int level = 0;", f"  virtual int weight(int x) {{ return {self.pick(['x & 3', '1', 'level'])}; }}",
                         f"  void raise(int x) {{ int w = weight(x); if (w > {self.random.randint(0, 2)}) level = w & 3; else level = {self.random.randint(0, 3)}; }}", "public:", "  virtual ~Parent() = default;", "};"]
            if self.chance(0.6):
                self.in_class.append(f"  int weight(int x) override {{ {step} return {self.pick(['x > 1 ? 3 : 0', '(x + 1) & 3', '2'])}; }}")
        calls, samples = [], []
        for i in range(self.random.randint(3, 5)):
            name = f"c{i}"
            parameter, prologue, arguments = self.parameter()
            kind, last = self.result()
            body = self.body(kind, last)
            if base and self.chance(0.4):
                body = f"raise({self.value(1).text});\n  " + body
            calls.append(f"  {kind} {name}({parameter}) {{\n  {prologue + chr(10) + '  ' if prologue else ''}{body}\n}}")
            if arguments:
                samples.append(f"{name}: {' | '.join(arguments)}")
            self.locals = []
        text = ["#include <cassert>", "#include <cstdlib>", "#include <cstring>", "#include <optional>", "#include <stdexcept>", "#include <utility>", *self.headers,
                self.enum_text(), "struct Base { };", "struct Low : Base { int n; explicit Low(int k) : n(k) {} };", "struct High : Base { };", "struct Err { };",
                "template <int N> int clamp(int x) { return x < 0 ? 0 : x > N ? N : x; }"]
        text += self.declarations
        text += [self.HELPERS[name] for name in sorted(self.used) if name in self.HELPERS]
        text += self.helpers + base_text
        text += [f"class T{' : public Parent' if base else ''} {{", *self.in_class, *self.state, "public:"]
        if self.chance(0.3):
            text.append(f"  T() {{ {self.assign()} }}")
        text += calls + ["private:"] + self.late_members + ["};"]
        options = ["--class", "T"]
        if self.escaping == ["Err{}", "Low{3}"] and "throw Err" in "".join(calls):
            options += ["--error", "assert", "--error", "throws:Err"]
        if self.machine:
            options += ["--integers", "machine"]
        return Program(self.seed, "\n".join(text) + "\n", ".cpp", options, "class", "T", samples)


def generate(seed):
    kind = seed % 4
    if kind == 3:
        return Class(seed).generate()
    return Module(seed, handle=kind == 2).generate()


if __name__ == "__main__":
    import sys

    program = generate(int(sys.argv[1]))
    sys.stdout.write(f"/* tacit: {' '.join(program.options)}\n" + "".join(f"   harness: {s}\n" for s in program.samples) + "*/\n" + program.text)
