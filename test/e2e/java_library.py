#!/usr/bin/env python3
"""Java classes made of library objects: what fields hold is followed by the facts of contracts, texts by what is asked of
them, and what leaves the object is not. The protocols are proved, and guards speak of arguments. Needs a JDK."""
import json, shutil, subprocess, sys, tempfile
from pathlib import Path

from _protocol import TACIT

# Source, error, what is claimed, calls that have guards.
STATE = "java.lang.IllegalStateException"
SUBJECTS = {
    # Misuse of a known library function is an error of own code, and of the kind that it throws.
    "Queue": ("""
import java.util.*;
public class Queue {
  private final Deque<String> jobs = new ArrayDeque<>();
  private boolean closed;
  public void add(String job) { if (closed) throw new NoSuchElementException(); jobs.addLast(job); }
  public String take() { return jobs.removeFirst(); }
  public void close() { closed = true; }
}
""", "java.util.NoSuchElementException", "proved", {"take"}),
    # An enumeration in a reference, a text that an argument is asked for, an optional.
    "Ticket": ("""
import java.util.*;
import java.util.concurrent.atomic.*;
public class Ticket {
  enum State { NEW, OPEN, DONE }
  private final AtomicReference<State> state = new AtomicReference<>(State.NEW);
  private final List<String> notes = new ArrayList<>();
  public void open() {
    if (!state.compareAndSet(State.NEW, State.OPEN)) throw new IllegalStateException("already " + state.get());
  }
  public void note(String text) {
    if (text == null || text.isBlank()) throw new IllegalArgumentException();
    require(State.OPEN);
    notes.add(text);
  }
  public int longest() {
    int found = 0;
    for (String note : notes) found = Math.max(found, note.length());
    return found;
  }
  public void done() {
    require(State.OPEN);
    if (notes.isEmpty()) throw new IllegalStateException("no notes in " + notes);
    state.set(State.DONE);
  }
  private void require(State wanted) {
    if (state.get() != wanted) throw new IllegalStateException(wanted + " expected");
  }
}
""", STATE, "proved", {"note"}),
    # A constant's field; what a supplier makes is thrown.
    "Door": ("""
import java.util.*;
public class Door {
  public enum Kind { PLAIN(false), SAFE(true); final boolean locks; Kind(boolean locks) { this.locks = locks; } }
  private Kind kind = Kind.PLAIN;
  private Optional<String> owner = Optional.empty();
  public void kind(Kind kind) { this.kind = Objects.requireNonNull(kind); }
  public void lock() { if (!kind.locks) throw new IllegalStateException(kind + " does not lock"); }
  public void sell(String to) { owner = Optional.of(to); }
  public String owner() { return owner.orElseThrow(() -> new IllegalStateException("nobody")); }
}
""", STATE, "proved", set()),
    # The list leaves the object: its size is the client's to change, and nothing is proved of the site that asks for it.
    "Leak": ("""
import java.util.*;
public class Leak {
  private final List<String> items = new ArrayList<>();
  public List<String> items() { return items; }
  public void check() { if (items.isEmpty()) throw new IllegalStateException(); }
}
""", STATE, None, set()),
    # Somebody else may run the function at any time.
    "Later": ("""
import java.util.*;
public class Later {
  private final List<String> items = new ArrayList<>();
  public Runnable adder() { return () -> items.add("x"); }
  public void check() { if (items.isEmpty()) throw new IllegalStateException(); }
}
""", STATE, None, set()),
    # Keys that are texts and numbers, what they lead to, null keys.
    "Seats": ("""
import java.util.*;
public class Seats {
  private final Map<String, Integer> seats = new HashMap<>();
  private final Set<Integer> taken = new HashSet<>();
  public void open(String room, int n) {
    if (seats.containsKey(room)) throw new IllegalStateException();
    seats.put(room, n);
  }
  public int take(String room) {
    Integer n = seats.get(room);
    if (n == null || n == 0) throw new IllegalStateException();
    seats.put(room, n - 1);
    return n;
  }
  public void close(String room) { if (seats.remove(room) == null) throw new IllegalStateException(); }
  public void mark(int id) { if (!taken.add(id)) throw new IllegalStateException(); }
}
""", STATE, "proved", {"open", "take", "close", "mark"}),
    # Which class the object was made of decides, in a test and in a call.
    "Lift": ("""
public class Lift {
  sealed interface State permits Idle, Moving, Broken { boolean serves(); }
  record Idle(int floor) implements State { public boolean serves() { return true; } }
  record Moving(int to) implements State { public boolean serves() { return true; } }
  record Broken(String why) implements State { public boolean serves() { return false; } }
  private State state = new Idle(0);
  public void go(int to) {
    if (!(state instanceof Idle)) throw new IllegalStateException("in " + state);
    state = new Moving(to);
  }
  public void arrive() {
    if (state instanceof Moving m) state = new Idle(m.to());
    else throw new IllegalStateException();
  }
  public void fail(String why) { state = new Broken(why); }
  public void ring() { if (!state.serves()) throw new IllegalStateException(); }
}
""", STATE, "proved", set()),
    # Others may make such objects, and what they made is asked for its class later.
    "Handed": ("""
public class Handed {
  public static class Event { }
  public static class Last extends Event { }
  private Event event = new Event();
  public void set(Event event) { this.event = event; }
  public void check() { if (event instanceof Last) throw new IllegalStateException(); }
}
""", STATE, None, set()),
    # What an Optional holds that was made of it.
    "Login": ("""
import java.util.*;
public class Login {
  private static final class Session { boolean admin; }
  private Session session;
  public void login() { session = new Session(); }
  public void elevate() { current().admin = true; }
  public void erase() { if (!current().admin) throw new IllegalStateException(); }
  public void logout() { current(); session = null; }
  private Session current() { return Optional.ofNullable(session).orElseThrow(IllegalStateException::new); }
}
""", STATE, "proved", set()),
    # A function that always leaves a value, and fails for some arguments; another one that does not matter here.
    "Cart": ("""
import java.util.*;
public class Cart {
  record Line(String name, int n) {
    Line { if (n <= 0) throw new IllegalArgumentException(); }
  }
  private final Map<String, Line> lines = new LinkedHashMap<>();
  private boolean paid;
  public void add(String name, int n) {
    lines.merge(name, new Line(name, n), (a, b) -> new Line(name, a.n() + b.n()));
  }
  public void drop(String name) { if (lines.remove(name) == null) throw new IllegalStateException(); }
  public void pay() { if (paid || lines.isEmpty()) throw new IllegalStateException(); paid = true; }
}
""", STATE, "proved", {"drop", "pay"}),
    "Notes": ("""
import java.util.*;
public class Notes {
  private final Map<Integer, List<String>> notes = new HashMap<>();
  public void note(int page, String text) { notes.computeIfAbsent(page, k -> new ArrayList<>()).add(text); }
  public void strip(int page) { if (!notes.containsKey(page)) throw new IllegalStateException(); }
}
""", STATE, "proved", {"strip"}),
    # Texts that are values are compared by what they say; what is known of parameters survives joins.
    "Locks": ("""
import java.util.*;
public class Locks {
  private final Map<String, String> owners = new HashMap<>();
  public void acquire(String what, String who) {
    Objects.requireNonNull(what);
    Objects.requireNonNull(who);
    String owner = owners.get(what);
    if (owner != null && !owner.equals(who)) throw new IllegalStateException();
    owners.put(what, who);
  }
  public void release(String what, String who) {
    Objects.requireNonNull(what);
    Objects.requireNonNull(who);
    if (!who.equals(owners.get(what))) throw new IllegalStateException();
    owners.remove(what);
  }
}
""", STATE, "proved", {"acquire", "release"}),
    # A stack of constants: the element on top decides.
    "Nesting": ("""
import java.util.*;
public class Nesting {
  private enum Kind { LIST, TABLE }
  private final Deque<Kind> open = new ArrayDeque<>();
  public void list() { open.push(Kind.LIST); }
  public void table() { open.push(Kind.TABLE); }
  public void item() { if (open.peek() != Kind.LIST) throw new IllegalStateException(); }
  public void row() { if (open.peek() != Kind.TABLE) throw new IllegalStateException(); }
  public void end() { if (open.poll() == null) throw new IllegalStateException(); }
}
""", STATE, "proved", {"item", "row"}),
    # The sum of the values of a map, through the object that a function touches.
    "Votes": ("""
import java.util.*;
public class Votes {
  private final Map<String, Integer> votes = new HashMap<>();
  private final List<String> ballot = new ArrayList<>();
  private final int limit;
  public Votes(int limit) { this.limit = limit; }
  public void name(String who) { ballot.add(who); }
  public void vote(String who) {
    int all = votes.values().stream().mapToInt(Integer::intValue).sum();
    if (all >= limit) throw new IllegalStateException();
    votes.merge(who, 1, Integer::sum);
  }
  public int names() { int[] n = {0}; ballot.forEach(b -> n[0] += ballot.size()); return n[0]; }
}
""", STATE, "proved", {"vote"}),
    # Objects of an inner class know their component.
    "Basket": ("""
import java.util.*;
public class Basket {
  private final class Line {
    private final int price;
    Line(int price) { this.price = price; }
    void remove() { lines.clear(); count--; }
  }
  private final List<String> lines = new ArrayList<>();
  private Line last;
  private int count;
  public void add(int price) { last = new Line(price); lines.add("x"); count++; }
  public void undo() { if (last == null) throw new IllegalStateException(); last.remove(); last = null; }
  public void check() { if (lines.isEmpty()) throw new IllegalStateException(); }
}
""", STATE, "proved", set()),
    # An order of its own says which keys are the same.
    "Order": ("""
import java.util.*;
public class Order {
  private final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  public Order() { names.add("A"); }
  public void check(String name) { if (name != null && names.contains(name)) throw new IllegalStateException(); }
}
""", STATE, None, set()),
    # Sets that static methods make, and wrapped ones; a copy of what a map has.
    "Roles": ("""
import java.util.*;
import java.util.concurrent.*;
public class Roles {
  enum Role { READER, EDITOR, ADMIN }
  private final Set<Role> roles = EnumSet.of(Role.READER);
  private final Set<Role> missing = EnumSet.allOf(Role.class);
  private final Set<String> names = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private final Map<String, Integer> seen = Collections.synchronizedMap(new HashMap<>());
  public void grant(Role role) { roles.add(role); missing.remove(role); }
  public void name(String name) { if (!names.add(name)) throw new IllegalStateException(); seen.put(name, 1); }
  public void complete() { if (missing.size() > 1) throw new IllegalStateException(); }
  public List<String> all() { return new ArrayList<>(seen.keySet()); }
  public void act() { if (!roles.contains(Role.ADMIN) || seen.isEmpty()) throw new IllegalStateException(); }
}
""", STATE, "proved", {"name"}),
    # Transitions in a static table that the class initialiser fills; a set that is made on the spot.
    "Moves": ("""
import java.util.*;
public class Moves {
  enum Phase { NEW, OPEN, DONE, LOST }
  private static final Map<Phase, Set<Phase>> NEXT = new EnumMap<>(Phase.class);
  private static final int[] LIMITS = {0, 2, 1};
  private static final List<String> WORDS = List.of("a", "b");
  static {
    NEXT.put(Phase.NEW, EnumSet.of(Phase.OPEN, Phase.LOST));
    NEXT.put(Phase.OPEN, EnumSet.complementOf(EnumSet.of(Phase.NEW)));
    NEXT.put(Phase.DONE, EnumSet.noneOf(Phase.class));
  }
  private Phase phase = Phase.NEW;
  public void move(Phase to) {
    if (!NEXT.getOrDefault(phase, Set.of()).contains(Objects.requireNonNull(to))) throw new IllegalStateException();
    phase = to;
  }
  public void check() { if (Set.of(Phase.DONE, Phase.LOST).contains(phase)) throw new IllegalStateException(); }
  public void limit(int n) {
    if (n >= 0 && n < LIMITS.length && LIMITS[n] == 2 && NEXT.get(phase) == null) throw new IllegalStateException();
  }
  public void say(String word) { if (WORDS.contains(word)) throw new IllegalStateException(); }
}
""", STATE, "proved", {"move", "limit", "say"}),
    # Arrays that do not leave the object: what stands where, and one that grows.
    "Plan": ("""
import java.util.*;
public class Plan {
  enum Seat { FREE, HELD, SOLD }
  private final Seat[] seats;
  private final boolean[] lit = new boolean[4];
  public Plan(int rows) {
    if (rows <= 0) throw new IllegalArgumentException();
    seats = new Seat[rows];
    Arrays.fill(seats, Seat.FREE);
  }
  public void hold(int i) { if (seats[i] != Seat.FREE) throw new IllegalStateException(); seats[i] = Seat.HELD; }
  public void sell(int i) { if (seats[i] != Seat.HELD) throw new IllegalStateException(); seats[i] = Seat.SOLD; }
  public void light(int i) { lit[i] = !lit[i]; }
  public void read(int i) { if (!lit[i]) throw new IllegalStateException(); }
  public Seat[] all() { return seats.clone(); }
}
""", STATE, "proved", {"hold", "sell", "read"}),
    "Grows": ("""
import java.util.*;
public class Grows {
  private int[] data = new int[2];
  private int size;
  public void push(int x) {
    if (size == data.length) data = Arrays.copyOf(data, 2 * size);
    data[size++] = x;
  }
  public int pop() { if (size == 0) throw new IllegalStateException(); return data[--size]; }
}
""", STATE, "proved", {"pop"}),
    # How often an element stands in a list that somebody asks for it.
    "Members": ("""
import java.util.*;
public class Members {
  private final List<String> names = new ArrayList<>();
  public void join(String s) { if (names.contains(s)) throw new IllegalStateException("in"); names.add(s); }
  public void leave(String s) { if (!names.remove(s)) throw new IllegalStateException("not in"); }
}
""", STATE, "proved", {"join", "leave"}),
    # Two sets by one key: in the first state neither has anything.
    "Twice": ("""
import java.util.*;
public class Twice {
  private final Set<String> names = new HashSet<>();
  private final Map<String, Integer> seen = new HashMap<>();
  public void name(String name) { if (!names.add(name)) throw new IllegalStateException(); seen.put(name, 1); }
  public void act() { if (seen.isEmpty()) throw new IllegalStateException(); }
}
""", STATE, "proved", {"name"}),
    # An array that leaves.
    "Given": ("""
import java.util.*;
public class Given {
  private final boolean[] lit = new boolean[4];
  public boolean[] all() { return lit; }
  public void light() { lit[1] = true; }
  public void check() { if (!lit[1]) throw new IllegalStateException(); }
}
""", STATE, None, set()),
    # A table that somebody changes later, and one that a view was made of.
    "Changed": ("""
import java.util.*;
public class Changed {
  private static final Map<Integer, Set<Integer>> NEXT = new HashMap<>();
  private static final Set<Integer> MORE = new HashSet<>();
  private static final Set<Integer> VIEW;
  static { NEXT.put(1, new HashSet<>()); VIEW = Collections.unmodifiableSet(MORE); }
  public void add() { NEXT.get(1).add(2); }
  public void more() { MORE.add(1); }
  public void check() { if (NEXT.get(1).isEmpty() || !VIEW.contains(1)) throw new IllegalStateException(); }
}
""", STATE, None, set()),
    # What is put into an array may be taken out of it.
    "Stashed": ("""
import java.util.*;
public class Stashed {
  private final List<String> items = new ArrayList<>();
  private final Object[] box = new Object[1];
  public void stash() { box[0] = items; }
  public void wipe() { ((List<?>) box[0]).clear(); }
  public void add() { items.add("x"); }
  public void check() { if (items.isEmpty()) throw new IllegalStateException(); }
}
""", STATE, None, set()),
    # Values that are set through entries.
    "Entries": ("""
import java.util.*;
public class Entries {
  private final Map<String, Integer> map = new HashMap<>();
  public void put(String key, int n) { map.put(key, n); }
  public void reset() { for (Map.Entry<String, Integer> e : map.entrySet()) e.setValue(0); }
  public void check(String key) { if (map.getOrDefault(key, 0) == 1) throw new IllegalStateException(); }
}
""", STATE, None, set()),
    # A function that does nothing but fail by itself: its errors count where they are asked for.
    "Implicit": ("""
import java.util.*;
public class Implicit {
  private final List<String> items = new ArrayList<>();
  public void add(String item) { items.add(item); }
  public void check() { items.forEach(i -> i.length()); }
}
""", "java.lang.NullPointerException", None, set()),
}
FAILURES = []


def check(condition, message):
    if not condition:
        FAILURES.append(message)


def main():
    if not shutil.which("javac"):
        print("skipped: no javac")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        for name, (source, error, claim, guarded) in SUBJECTS.items():
            (Path(folder) / f"{name}.java").write_text(source)
            subprocess.run(["javac", "--release", "17", "-g", "-d", folder, f"{folder}/{name}.java"], check=True)
            command = [TACIT, "synth", folder, "--class", name, "--error", f"throws:{error}", "-o", out, "--quiet"]
            status = subprocess.run(command).returncode
            result = json.loads(out.read_text())
            verdict = result["verdict"]
            for which in ("safe", "permissive"):
                if claim:
                    check(verdict[which] == claim, f"{name}: {which} is {verdict[which]}: {verdict['details']}")
            if not claim:
                undecided = {a["call"] for a in result.get("aside", []) if not a["decided"]}
                check(undecided == {"check"} and status == 3, f"{name}: exit {status}, undecided {undecided}")
                subprocess.run([*command, "--all-errors"])
                verdict = json.loads(out.read_text())["verdict"]
                check(verdict["permissive"] != "proved", f"{name}: proved although the list leaves the object")
            found = {g["call"] for g in result.get("guards", [])}
            check(guarded <= found, f"{name}: guards {found}, expected {guarded}")
    for failure in FAILURES:
        print("failed:", failure)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
