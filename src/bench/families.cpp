#include "bench/families.h"

#include <fmt/format.h>

#include <cstdint>

namespace tacit {
namespace {

/// The largest value of k bits.
std::uint64_t top(unsigned k) { return (std::uint64_t{1} << k) - 1; }

std::string stack(unsigned k) {
  return fmt::format(R"(// A stack of at most 2^{0} - 1 elements: the interface counts them.
component Stack
state size : int [0..{1}] = 0
method push() {{ if (size == {1}) error Overflow; size := size + 1; return; }}
method pop() {{ if (size == 0) error Empty; size := size - 1; return; }}
method peek() {{ if (size == 0) error Empty; return; }}
)",
                     k, top(k));
}

std::string list_iterator(unsigned k) {
  return fmt::format(
      R"(// A list iterator with two positions of {0} bits; last = 0 means that nothing was returned.
component ListIterator
state cursor : int [1..{1}] = 1
state last : int [0..{1}] = 0
method next() {{ last := cursor; if (cursor == {1}) cursor := 1; else cursor := cursor + 1; return; }}
method prev() {{ if (cursor == 1) cursor := {1}; else cursor := cursor - 1; last := cursor; return; }}
method remove() {{ if (last == 0) error IllegalState; cursor := last; last := 0; return; }}
method add() {{ if (cursor == {1}) cursor := 1; else cursor := cursor + 1; last := 0; return; }}
)",
      k, top(k));
}

std::string server_table_entry(unsigned k) {
  return fmt::format(R"(// A server table entry with {0} bits of server id that no check reads.
component ServerTableEntry
enum State {{ ACTIVATING, DE_ACTIVATED, ACTIVATED, RUNNING, HELD_DOWN }}
state phase : State = ACTIVATING
state server_id : int [0..{1}] = 0
method activate() {{
  phase := ACTIVATED;
  if (server_id == {1}) server_id := 0; else server_id := server_id + 1;
  return;
}}
method register() {{ if (phase != ACTIVATED) error INTERNAL; return; }}
method registerPorts() {{ if (phase == ACTIVATED) phase := RUNNING; return; }}
method install() {{ if (phase != RUNNING) error INTERNAL; return; }}
method uninstall() {{ if (phase != RUNNING) error INTERNAL; phase := DE_ACTIVATED; return; }}
method holdDown() {{ phase := HELD_DOWN; return; }}
)",
                     k, top(k));
}

std::string piped_output_stream(unsigned k) {
  return fmt::format(R"(// A piped output stream with a buffer of {0} bits that no check reads.
component PipedOutputStream
state connected : bool = false
state buffer : int [0..{1}] = 0
method connect() : bool {{
  if (connected) return false;
  havoc connected;
  return connected;
}}
method write() {{
  if (!connected) error IOException;
  if (buffer == {1}) buffer := 0; else buffer := buffer + 1;
  return;
}}
method flush() {{ if (!connected) error IOException; return; }}
method close() {{ return; }}
)",
                     k, top(k));
}

std::string direct_wins(unsigned k) {
  return fmt::format(
      R"(// Every state differs from every other by how long f1 stays legal: the interface is as large as the component.
component DirectWins
state n : int [0..{0}] = 0
method f1() {{ if (n == {0}) error Last; n := n + 1; return; }}
method f2() {{ n := 0; return; }}
)",
      top(k));
}

std::string learning_wins(unsigned k) {
  return fmt::format(
      R"(// One value of n out of 2^{1} matters: two states, but no variable can be hidden.
component LearningWins
state n : int [0..{0}] = 0
method f1() {{ if (n == {0}) n := 1; else n := n + 1; return; }}
method f2() {{ if (n == 0) error Zero; n := 0; return; }}
)",
      top(k), k);
}

std::string cegar_wins(unsigned k) {
  return fmt::format(R"(// The interface counts to {1} and does not look at the {1} bits of n.
component CegarWins
state m : int [0..{2}] = 0
state n : int [0..{0}] = 0
method f1() {{
  if (m == {2}) error Last;
  m := m + 1;
  if (n == {0}) n := 0; else n := n + 1;
  return;
}}
method f2() {{
  m := 0;
  if (n == {0}) n := 0; else n := n + 1;
  return;
}}
)",
                     top(k), k, k - 1);
}

} // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"stack", "java.util.Stack, a size of k bits", "direct", stack, 24},
      {"list_iterator", "java.util.ListIterator, two positions of k bits", "learn", list_iterator,
       30},
      {"server_table_entry", "ServerTableEntry, k bits of server id", "cegar", server_table_entry},
      {"piped_output_stream", "java.io.PipedOutputStream, k bits of buffer", "cegar",
       piped_output_stream},
      {"direct_wins", "as Fig. 3(a): the interface is as large as the component", "direct",
       direct_wins, 24},
      {"learning_wins", "as Fig. 3(b): two states, all variables matter", "learn", learning_wins,
       30},
      {"cegar_wins", "as Fig. 3(c): about log k of the variables matter", "cegar", cegar_wins},
  };
  return all;
}

const Family* find_family(std::string_view name) {
  for (const Family& f : families())
    if (f.name == name) return &f;
  return nullptr;
}

} // namespace tacit
