"""Features of random C++ classes (random_c.py) that have brought down claims before: bases with fields of equal names, exceptions
with several bases, pointers and references that are kept, library objects with two names, elements with effects, edges of
contracts, mutable fields, pointers to constants, structs with pointers handed over by value, choices of owners, statics.

Each has state of its own and makes statements that work on it; none behaves in an undefined way, and what the library throws
is caught.
"""


class KeptFeatures:
    """Mixed into the generator of classes."""

    def feature_equal_names(self):
        """Two bases with fields and functions of one name."""
        a, b, c, name = self.fresh("Left"), self.fresh("Right"), self.fresh("Twin"), self.fresh("twin")
        self.in_class.append(f"  struct {a} {{ int n = 0; bool on = false; void set(int x) {{ n = x & 3; on = !on; }} }};\n"
                             f"  struct {b} {{ int n = 2; bool on = true; void set(int x) {{ n = (x + 1) & 3; }} }};\n"
                             f"  struct {c} : {a}, {b} {{ int n = 1; int sum() const {{ return ({a}::n + {b}::n + n) & 3; }} }};")
        self.state.append(f"  {c} {name};")

        def make(_):
            one = self.pick([a, b])
            return self.pick([f"{name}.{one}::n = {self.small()};", f"{name}.{one}::set({self.value(1).text});", f"{name}.n = {self.small()};", self.receive(f"{name}.{one}::n"),
                              self.receive(f"{name}.sum()"), f"if ({name}.{one}::on) {{ {self.assign()} }}", f"{{ {one} &r = {name}; r.n = 3 - r.n; }}", f"static_cast<{one} &>({name}) = {one}{{}};"])
        self.features.append(make)

    def feature_exception_bases(self):
        """Handlers by the second, a private and an ambiguous base."""
        first, second, both, hidden, ambiguous = (self.fresh(stem) for stem in ("Fa", "Fb", "Fc", "Fd", "Fe"))
        self.in_class.append(f"  struct {first} {{ int n = 1; }}; struct {second} {{ int k = 2; }};\n"
                             f"  struct {both} : {first}, {second} {{}}; struct {hidden} : private {first}, {second} {{}};\n"
                             f"  struct {both}2 : {first} {{}}; struct {ambiguous} : {both}, {both}2 {{}};")
        raiser = self.fresh("raise")
        self.late_members.append(f"  void {raiser}(int x) {{ if (x == 0) throw {both}{{}}; if (x == 1) throw {hidden}{{}}; if (x == 2) throw {ambiguous}{{}}; }}")

        def make(_):
            handlers = [f"catch (const {first} &e) {{ {self.receive('e.n')} }}", f"catch ({second} e) {{ {self.receive('e.k')} }}", f"catch ({both} &) {{ {self.assign()} }}"]
            self.random.shuffle(handlers)
            return f"try {{ {raiser}({self.small()}); {self.assign()} }} {' '.join(handlers[:self.random.randint(1, 3)])} catch (...) {{ {self.assign()} }}"
        self.features.append(make)

    def feature_kept_container(self):
        """A vector or string of the object that a pointer leads to as well."""
        self.headers += ["#include <vector>", "#include <string>"]
        one, two, at = self.fresh("one"), self.fresh("two"), self.fresh("at")
        self.state.append(f"  std::vector<int> {one}, {two}{{1, 2}};\n  std::vector<int> *{at} = &{self.pick([one, two])};")
        poke = self.fresh("poke")
        self.late_members.append(f"  static void {poke}(std::vector<int> &v) {{ if (v.size() > 1) v.pop_back(); else v.push_back(3); }}")

        def make(_):
            v = self.pick([one, two])
            return self.pick([f"{at} = &{v};", f"{at}->push_back({self.small()});", f"if (!{at}->empty()) {at}->pop_back();", f"{at}->clear();", f"if ({v}.size() > {self.random.randint(0, 2)}) {{ {self.assign()} }}",
                              f"if ({v}.size() > 3) {v}.resize(1);", f"if ({at}->empty() != {v}.empty()) {{ {self.assign()} }}", f"{poke}({v});", f"{poke}(*{at});", f"{one}.swap({two});",
                              f"{{ auto &r = {self.condition(0)} ? {one} : {two}; if (r.size() < 3) r.push_back(0); }}", f"if ({at} == &{v}) {{ {self.assign()} }}"])
        self.features.append(make)

    def feature_element_effects(self):
        """Elements whose copies, ends and comparisons change what is outside of them."""
        self.headers += ["#include <vector>", "#include <algorithm>"]
        tag, count, items = self.fresh("El"), self.fresh("ends"), self.fresh("els")
        self.in_class.append(f"  static inline int {count} = 0;\n"
                             f"  struct {tag} {{ int n; {tag}(int x) : n(x & 3) {{}} {tag}(const {tag} &o) : n(o.n) {{ {count} = ({count} + 1) & 3; }} {tag} &operator=(const {tag} &o) {{ n = o.n; return *this; }}\n"
                             f"    ~{tag}() {{ if (n == 2) {count} = 0; }} bool operator<(const {tag} &o) const {{ if (n == 3) {count} = 2; return n < o.n; }} bool operator==(const {tag} &o) const {{ return n == o.n; }} }};")
        self.state.append(f"  std::vector<{tag}> {items};")
        self.places.append(self.place_of(f"T::{count}"))

        def make(_):
            return self.pick([f"if ({items}.size() < 3) {items}.push_back({tag}({self.value(1).text}));", f"if (!{items}.empty()) {items}.pop_back();", f"{items}.clear();",
                              f"if ({items}.size() > 1) {items}.erase({items}.begin());", f"std::sort({items}.begin(), {items}.end());", self.receive(count),
                              f"if (std::find({items}.begin(), {items}.end(), {tag}({self.small()})) != {items}.end()) {{ {self.assign()} }}", f"{{ auto copy = {items}; if (copy.size() > 1) {{ {self.assign()} }} }}"])
        self.features.append(make)

    def feature_text_edges(self):
        """Strings where their contracts end: at their size and behind it."""
        self.headers += ["#include <string>"]
        name, other = self.fresh("text"), self.fresh("other")
        self.state.append(f'  std::string {name} = "ab", {other};')

        def make(_):
            n = self.random.randint(0, 3)
            caught = f"catch (const std::out_of_range &) {{ {self.assign()} }}"
            return self.pick([f"try {{ {name}.erase({n}); }} {caught}", f"try {{ {other} = {name}.substr({n}, 1); }} {caught}", f"try {{ {name}.at({n}) = 'c'; {self.assign()} }} {caught}",
                              f"try {{ {name}.insert({n}, \"x\"); if ({name}.size() > 4) {name}.clear(); }} {caught}", f"{name}.resize({n}, 'z');", f"{name} = {self.pick([other, chr(34) + 'ab' + chr(34), 'std::string(2, (char)97)'])};",
                              f"if ({name} == {other}) {{ {self.assign()} }}", f"if ({name}.find('b') == std::string::npos) {{ {self.assign()} }}", f"{other} = std::move({name}); {name} = \"q\";",
                              f"if ({name}.empty()) {{ {self.assign()} }}", f"if ({name} < {other}) {{ {self.assign()} }}", f"if ({name}.size() == {n}) {{ {self.assign()} }}"])
        self.features.append(make)

    def feature_keys(self):
        """Maps and sets: keys that are there, made by asking, found and erased by place."""
        self.headers += ["#include <map>", "#include <set>"]
        table, keys = self.fresh("table"), self.fresh("keys")
        self.state.append(f"  std::map<int, int> {table};\n  std::set<int> {keys};")

        def make(_):
            k = self.small()
            return self.pick([f"{table}[{k}] = {self.small()};", self.receive(f"{table}[{k}] & 3"), f"{table}.erase({k});", f"try {{ {self.receive(f'{table}.at({k}) & 3')} }} catch (const std::out_of_range &) {{ {self.assign()} }}",
                              f"if (auto it = {table}.find({k}); it != {table}.end()) {{ it->second = {self.small()}; }}", f"if (auto it = {keys}.find({k}); it != {keys}.end()) {keys}.erase(it);",
                              f"if ({keys}.insert({k}).second) {{ {self.assign()} }}", f"if ({keys}.size() > 1) {{ {self.assign()} }}", f"if ({table}.count({k})) {{ {self.assign()} }}",
                              f"{table}.emplace({k}, 1);", f"if (!{keys}.empty()) {keys}.erase({keys}.begin());", f"{table}.insert_or_assign({k}, 2);", f"{table}.clear();"])
        self.features.append(make)

    def feature_mutable(self):
        """What constant functions change all the same, and what is changed through pointers to constants."""
        name, look, at = self.fresh("seen"), self.fresh("look"), self.fresh("view")
        self.state.append(f"  mutable int {name} = 0;\n  const int *{at} = &{name};")
        self.late_members.append(f"  int {look}(int x) const {{ if (x > 0) {name} = ({name} + 1) & 3; return {name}; }}")
        self.places.append(self.place_of(name))

        def make(_):
            return self.pick([self.receive(f"{look}({self.value(1).text})"), f"const_cast<const T *>(this)->{look}(1);", self.receive(f"*{at}"), f"{name} = {self.small()};",
                              f"*const_cast<int *>({at}) = {self.small()};", f"{{ const T &c = *this; {self.receive(f'c.{look}(0)')} }}"])
        self.features.append(make)

    def feature_carried_pointer(self):
        """A struct with pointers that is handed over, returned and kept by value."""
        a, b = self.fresh("ca"), self.fresh("cb")
        tag, move, swap, kept = self.fresh("Ref"), self.fresh("put"), self.fresh("turn"), self.fresh("kept")
        self.state.append(f"  int {a} = 0, {b} = 1;")
        self.in_class.append(f"  struct {tag} {{ int *to; int *from; int by; }};")
        self.state.append(f"  {tag} {kept}{{&{a}, &{b}, 1}};")
        self.late_members.append(f"  static void {move}({tag} r) {{ *r.to = (*r.from + r.by) & 3; r.to = r.from; }}\n  {tag} {swap}({tag} r) {{ return {tag}{{r.from, r.to, r.by}}; }}")
        self.places += [self.place_of(a), self.place_of(b, 1)]

        def make(_):
            x, y = self.pick([(a, b), (b, a), (a, a)])
            return self.pick([f"{move}({tag}{{&{x}, &{y}, {self.random.randint(0, 3)}}});", f"{move}({kept});", f"{kept} = {swap}({kept});", f"*{swap}({kept}).to = {self.small()};",
                              f"{kept}.to = &{x};", f"{{ {tag} r = {kept}; r.to = &{x}; *r.to = {self.small()}; }}", self.receive(f"*{kept}.to"), f"{move}({swap}({tag}{{&{x}, {kept}.to, 1}}));"])
        self.features.append(make)

    def feature_owners(self):
        """A choice between owners, and what becomes of the one that gives."""
        self.headers += ["#include <memory>"]
        a, b = self.fresh("oa"), self.fresh("ob")
        kind, maker = self.pick([("std::unique_ptr<int>", "std::make_unique<int>"), ("std::shared_ptr<int>", "std::make_shared<int>")])
        self.state.append(f"  {kind} {a}, {b};")

        def make(_):
            x, y = self.pick([(a, b), (b, a)])
            return self.pick([f"({self.condition(0)} ? {a} : {b}) = {maker}({self.small()});", f"{x} = std::move({y});", f"({self.condition(0)} ? {a} : {b}).reset();", f"{a}.swap({b});",
                              f"if ({x}) {{ {self.receive(f'*{x}')} }}", f"if ({x} == {y}) {{ {self.assign()} }}", f"{{ auto &o = {self.condition(0)} ? {a} : {b}; if (!o) {{ {self.assign()} }} else *o = {self.small()}; }}",
                              f"if (auto *p = {x}.get()) *p = (*p + 1) & 3;"])
        self.features.append(make)

    def feature_statics(self):
        """Statics of the class, of a function and of a template, seen by a second object."""
        count, local, part, name = self.fresh("shared"), self.fresh("turns"), self.fresh("Part"), self.fresh("part")
        self.in_class.append(f"  static inline int {count} = 1;\n  struct {part} {{ int m = 0; void go(int x) {{ {count} = (x + m) & 3; m = (m + 1) & 3; }} }};")
        self.late_members.append(f"  static int {local}() {{ static int n = 0; n = (n + 1) & 3; return n; }}")
        self.state.append(f"  {part} {name}a, {name}b;")
        self.places.append(self.place_of(f"T::{count}", 1))

        def make(_):
            p = self.pick([f"{name}a", f"{name}b"])
            return self.pick([f"{p}.go({self.value(1).text});", self.receive(f"{local}()"), f"{{ {part} other = {p}; other.go(1); {self.receive('other.m')} }}", f"{{ {part} &r = {self.condition(0)} ? {name}a : {name}b; r.go({self.small()}); }}",
                              f"std::swap({name}a, {name}b);", self.receive(f"{p}.m"), self.receive(count)])
        self.features.append(make)

    def feature_functions(self):
        """Functions that are kept, with what they have captured."""
        self.headers += ["#include <functional>"]
        name, place = self.fresh("run"), self.fresh("done")
        self.state.append(f"  int {place} = 0;\n  std::function<void()> {name};")
        self.places.append(self.place_of(place))

        def make(_):
            return self.pick([f"{name} = [this] {{ {place} = {self.random.randint(0, 3)}; }};", f"{name} = [this, k = {self.small()}] {{ {place} = k & 3; }};", f"{name} = nullptr;", f"if ({name}) {name}();",
                              f"try {{ {name}(); {self.assign()} }} catch (const std::bad_function_call &) {{ {self.assign()} }}", f"{{ auto other = {name}; if (other) other(); }}", f"if (!{name}) {{ {self.assign()} }}"])
        self.features.append(make)

    KEPT_FEATURES = ["equal_names", "exception_bases", "kept_container", "element_effects", "text_edges", "keys", "mutable", "carried_pointer", "owners", "statics", "functions"]
