// Every reader of files, given files with a few things changed: each is read or refused with a
// message, in time; nothing crashes or finds an internal error, and what is read is written so that
// it reads back. `./dev fuzz readers` goes on for hours with the sanitizers; what breaks a reader
// stays in build/fuzz/.
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>

#include <unistd.h>

#include <gtest/gtest.h>

#include "base/should.h"
#include "export/diagram.h"
#include "export/dot.h"
#include "frontend/java/archive.h"
#include "frontend/java/class_pool.h"
#include "frontend/llvm/clang/compile_database.h"
#include "interface/intended.h"
#include "interface/json.h"
#include "interface/trace.h"
#include "program/contracts/read.h"
#include "program/text/print.h"
#include "program/text/read.h"
#include "support/volume.h"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_each = 10; // of processor time
const fs::path root = TACIT_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> files(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension && fs::file_size(entry) < 60'000)
      found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

/// The texts, and words that could stand anywhere in them.
struct Corpus {
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> tokens;

  void add(std::string text) {
    static const std::regex token(R"(\w+|\s+|[^\w\s])");
    std::vector<std::string> list;
    for (std::sregex_iterator at(text.begin(), text.end(), token), end; at != end; ++at)
      list.push_back(at->str());
    if (list.empty()) return;
    tokens.push_back(std::move(list));
    texts.push_back(std::move(text));
  }
};

class Damage {
public:
  explicit Damage(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15u + 1) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  std::string bytes(std::string text) {
    for (std::size_t i = 1 + below(6); i > 0 && !text.empty(); --i) {
      const std::size_t at = below(text.size());
      switch (below(5)) {
      case 0: text[at] = static_cast<char>(random_()); break;
      case 1: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
      case 2: text[at] = below(2) ? '\0' : '\xff'; break;
      case 3: std::swap(text[at], text[below(text.size())]); break;
      default:
        if (below(10) == 0) text.resize(at);
      }
    }
    return text;
  }

  std::string text(const Corpus& corpus) {
    const std::size_t which = below(corpus.texts.size());
    if (below(6) == 0) return bytes(corpus.texts[which]);
    static const std::vector<std::string> odd = {"0",
                                                 "-1",
                                                 "999999999999999999999",
                                                 "(",
                                                 ")",
                                                 "{",
                                                 "}",
                                                 "[",
                                                 "]",
                                                 "null",
                                                 "true",
                                                 "`",
                                                 "\"",
                                                 "all(",
                                                 "@x:1",
                                                 "->",
                                                 "--",
                                                 "..",
                                                 ":=",
                                                 ";",
                                                 ",",
                                                 "\\",
                                                 "*",
                                                 "\n",
                                                 "1e999",
                                                 "result",
                                                 "[*]",
                                                 "((((((((((((((((((((",
                                                 "[[[[[[[[[[[[[[[[[[[["};
    std::vector<std::string> list = corpus.tokens[which];
    for (std::size_t i = 1 + below(4); i > 0 && !list.empty(); --i) {
      const std::size_t at = below(list.size());
      const auto place = list.begin() + static_cast<std::ptrdiff_t>(at);
      switch (below(7)) {
      case 0: list.erase(place); break;
      case 1: list.insert(place, list[below(list.size())]); break;
      case 2: list[at] = list[below(list.size())]; break;
      case 3: list[at] = odd[below(odd.size())]; break;
      case 4: list[at] = one_of(corpus.tokens[below(corpus.tokens.size())]); break;
      case 5: repeat(list, at); break;
      default:
        if (below(4) == 0) list.resize(at);
      }
    }
    std::string text;
    for (const std::string& token : list) text += token;
    return text;
  }

private:
  const std::string& one_of(const std::vector<std::string>& list) {
    return list[below(list.size())];
  }

  /// A stretch once more, or many times: nesting and length.
  void repeat(std::vector<std::string>& list, std::size_t at) {
    const std::size_t length = std::min(list.size() - at, 1 + below(12));
    const std::vector<std::string> stretch(list.begin() + static_cast<std::ptrdiff_t>(at),
                                           list.begin() + static_cast<std::ptrdiff_t>(at + length));
    for (std::size_t i = below(8) == 0 ? 3000 : 1; i > 0; --i)
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), stretch.begin(), stretch.end());
  }

  std::mt19937_64 random_;
};

/// Reads every damaged text; `read` returns what is wrong with what the reader did, "" for nothing,
/// and counts in `accepted` what could be read.
using Reader = std::function<std::string(const std::string&, std::size_t& accepted)>;

void try_all(const std::string& name, const Corpus& corpus, const Reader& read,
             std::uint64_t full = 20'000) {
  ASSERT_FALSE(corpus.texts.empty());
  std::size_t accepted = 0;
  const fs::path kept = root / "build" / "fuzz";
  fs::create_directories(kept);
  const fs::path current = kept / ("readers-" + name);
  const auto attempt = [&](const std::string& text, const std::string& label) {
    std::ofstream(current, std::ios::binary) << text;
    const std::clock_t begun = std::clock();
    std::string wrong;
    try {
      wrong = read(text, accepted);
    } catch (const std::exception& e) {
      wrong = e.what();
    }
    const double spent = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    if (wrong.empty() && spent > seconds_each) wrong = fmt::format("takes {:.0f} s", spent);
    if (wrong.empty()) return true;
    const fs::path here = kept / fmt::format("broken-{}-{}", name, label);
    fs::copy_file(current, here, fs::copy_options::overwrite_existing);
    ADD_FAILURE() << name << " " << label << ": " << wrong << "\nkept in " << here;
    return false;
  };
  for (std::size_t i = 0; i < corpus.texts.size(); ++i)
    if (!attempt(corpus.texts[i], fmt::format("original-{}", i))) return;
  const std::size_t whole = accepted;
  const Seeds seeds = random_seeds(full, 120);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed)
    if (!attempt(Damage(seed).text(corpus), std::to_string(seed))) return;
  fs::remove(current);
  fmt::print("{}: {} inputs, {} read\n", name, seeds.count(), accepted - whole);
}

template <class T> std::string refusal(const Result<T>& result) {
  return result.error().message.empty() ? "refused without a message" : "";
}

/// Results that are there, of all kinds.
Corpus results() {
  Corpus corpus;
  for (const fs::path& path : files(root / "test" / "cases", ".json"))
    if (read_interface(text_of(path), "x.json")) corpus.add(text_of(path));
  for (const fs::path& path : files(root / "test" / "guarded", ".json"))
    if (corpus.texts.size() < 40 && read_interface(text_of(path), "x.json"))
      corpus.add(text_of(path));
  return corpus;
}

TEST(Readers, Programs) {
  Corpus corpus;
  for (const fs::path& path : files(root / "examples", ".tir")) corpus.add(text_of(path));
  for (const fs::path& path : files(root / "test" / "guarded", ".tir")) corpus.add(text_of(path));
  try_all("tir", corpus, [](const std::string& text, std::size_t& accepted) -> std::string {
    const auto module = read_module(text, "x.tir");
    if (!module) return refusal(module);
    ++accepted;
    const std::string printed = print_module(*module);
    const auto again = read_module(printed, "x.tir");
    if (!again) return "what is printed does not read back: " + to_string(again.error());
    return print_module(*again) == printed ? "" : "is printed differently when read back";
  });
}

TEST(Readers, Contracts) {
  Corpus corpus;
  for (const fs::path& path : files(root, ".tir"))
    if (text_of(path).contains("extern ")) corpus.add(text_of(path));
  for (const char* name : {"c.tir", "cpp.tir", "java.tir"}) {
    const std::string text = text_of(root / "contracts" / name);
    corpus.add(text.substr(0, text.find('\n', std::min<std::size_t>(text.size() - 1, 20'000))));
  }
  try_all("contracts", corpus, [](const std::string& text, std::size_t& accepted) -> std::string {
    const auto contracts = read_contracts(text, "x.tir");
    if (!contracts) return refusal(contracts);
    ++accepted;
    return "";
  });
}

TEST(Readers, Results) {
  try_all("json", results(), [](const std::string& text, std::size_t& accepted) -> std::string {
    const auto result = read_interface(text, "x.json");
    if (!result) return refusal(result);
    ++accepted;
    const std::string written = to_json(*result);
    const auto again = read_interface(written, "x.json");
    if (!again) return "what is written does not read back: " + to_string(again.error());
    return to_json(*again) == written ? "" : "is written differently when read back";
  });
}

/// Graphs and diagrams of results, and regular expressions.
TEST(Readers, Intentions) {
  std::vector<std::pair<std::string, Corpus>> forms(3);
  forms[0].first = "x.dot";
  forms[1].first = "x.mmd";
  forms[2].first = "x.puml";
  for (const std::string& text : results().texts) {
    const auto result = read_interface(text, "x.json");
    forms[0].second.add(show_dot(*result));
    forms[1].second.add(show_mermaid(*result));
    forms[2].second.add(show_plantuml(*result));
  }
  Corpus expressions;
  for (const char* text : {"(open (read | write:returns=0)* close)*", "a+ b? (c | d)* 'e(int)'",
                           "init . (step | !abort) * done ?", "((((a))))", "a{2,3}"})
    expressions.add(text);
  forms.emplace_back("x.regex", std::move(expressions));
  for (const auto& [file, corpus] : forms)
    try_all(
        file.substr(2), corpus, [&](const std::string& text, std::size_t& accepted) -> std::string {
          if (file == "x.dot")
            if (const auto graph = read_dot_result(text, file); !graph && !refusal(graph).empty())
              return refusal(graph);
          const auto intended = read_intended(text, file);
          if (!intended) return refusal(intended);
          ++accepted;
          return "";
        });
}

TEST(Readers, Traces) {
  Corpus corpus;
  for (const fs::path& path : files(root / "test", ".jsonl")) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) corpus.add(line);
  }
  try_all("trace", corpus, [](const std::string& text, std::size_t& accepted) -> std::string {
    const auto trace = read_trace(text, "x.jsonl", 1);
    if (!trace) return refusal(trace);
    ++accepted;
    return "";
  });
}

TEST(Readers, CompileDatabases) {
  Corpus corpus;
  corpus.add(
      R"([{"directory": "/p/build", "command": "cc -Iinc -DX=\"a b\" -c ../s.c", "file": "../s.c"},
 {"directory": "/p/build", "arguments": ["c++", "-std=c++20", "-I", "inc", "t.cpp"], "file": "t.cpp", "output": "t.o"}])");
  corpus.add(R"([{"directory": ".", "command": "gcc 'x y.c' -o x @flags", "file": "x y.c"}])");
  const fs::path folder = fs::temp_directory_path() / fmt::format("tacit-readers-{}", ::getpid());
  fs::create_directories(folder);
  try_all("database", corpus, [&](const std::string& text, std::size_t& accepted) -> std::string {
    std::ofstream(folder / "compile_commands.json", std::ios::binary) << text;
    for (const char* source : {"/p/s.c", "/p/build/t.cpp", "x y.c"}) {
      const auto command = database_command(source, folder.string());
      if (!command && !refusal(command).empty()) return refusal(command);
      accepted += command.has_value();
    }
    return "";
  });
  fs::remove_all(folder);
}

/// Reads some classes of a container that opens.
std::string look_into(Result<std::unique_ptr<java::Container>> opened, std::size_t& accepted,
                      std::uint64_t seed) {
  if (!opened) return refusal(opened);
  const auto names = (*opened)->names();
  for (std::size_t i = 0; i < 8 && !names.empty(); ++i) {
    std::vector<std::uint8_t> storage;
    const auto bytes = (*opened)->read(names[(seed * 31 + i * 7919) % names.size()], storage);
    if (!bytes && !refusal(bytes).empty()) return refusal(bytes);
    accepted += bytes.has_value();
  }
  return "";
}

/// The end of an archive, where its directory is, is damaged more often.
TEST(Readers, Archives) {
  const std::string home = java::find_jdk();
  if (home.empty()) GTEST_SKIP() << "no JDK here";
  const fs::path folder = fs::temp_directory_path() / fmt::format("tacit-archives-{}", ::getpid());
  fs::create_directories(folder);
  for (const char* name : {"lib/jrt-fs.jar", "jmods/java.instrument.jmod"}) {
    const fs::path original = fs::path(home) / name;
    if (!fs::exists(original)) continue;
    const std::string whole = text_of(original);
    const fs::path copy = folder / original.filename();
    std::size_t accepted = 0;
    const Seeds seeds = random_seeds(20'000, 60);
    for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
      Damage damage(seed);
      const std::size_t cut = damage.below(3) == 0 ? 0 : whole.size() - whole.size() / 20;
      std::ofstream(copy, std::ios::binary)
          << whole.substr(0, cut) + damage.bytes(whole.substr(cut));
      const std::string wrong = look_into(java::open_archive(copy.string()), accepted, seed);
      ASSERT_EQ(wrong, "") << name << ", seed " << seed;
    }
    fmt::print("{}: {} inputs, {} classes read\n", name, seeds.count(), accepted);
  }
  fs::remove_all(folder);
}

/// One copy of the installed image, of which a few bytes of the tables are changed and put back. It
/// is large, so that a usual run leaves it out.
TEST(Readers, Images) {
  const std::string home = java::find_jdk();
  if (home.empty()) GTEST_SKIP() << "no JDK here";
  if (!full_volume() && std::getenv("TACIT_SEEDS") == nullptr) GTEST_SKIP() << "a large file";
  const fs::path copy = fs::temp_directory_path() / fmt::format("tacit-image-{}", ::getpid());
  fs::copy_file(fs::path(home) / "lib" / "modules", copy);
  std::fstream file(copy, std::ios::binary | std::ios::in | std::ios::out);
  std::size_t accepted = 0;
  const Seeds seeds = random_seeds(20'000, 60);
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Damage damage(seed);
    const std::size_t from = damage.below(3) == 0 ? 0 : damage.below(2'000'000), length = 28;
    std::string old(length, '\0');
    file.seekg(static_cast<std::streamoff>(from));
    file.read(old.data(), static_cast<std::streamsize>(length));
    std::string changed = damage.bytes(old);
    changed.resize(length);
    const auto put = [&](const std::string& bytes) {
      file.seekp(static_cast<std::streamoff>(from));
      file.write(bytes.data(), static_cast<std::streamsize>(length));
      file.flush();
    };
    put(changed);
    const std::string wrong = look_into(java::open_image(copy.string()), accepted, seed);
    put(old);
    ASSERT_EQ(wrong, "") << "seed " << seed;
  }
  fmt::print("image: {} inputs, {} classes read\n", seeds.count(), accepted);
  fs::remove(copy);
}

} // namespace
} // namespace tacit
