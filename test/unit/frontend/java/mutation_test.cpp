// Class files with a few bytes changed: each is read and lowered or refused with a message; nothing
// crashes, hangs or finds an internal error. The seeds are classes of the installed JDK, so that
// there is nothing to do without one. TACIT_FULL=1 tries 100,000.
#include <random>

#include <gtest/gtest.h>

#include "base/should.h"
#include "frontend/java/contracts.h"
#include "frontend/java/lower.h"
#include "support/volume.h"

namespace tacit::java {
namespace {

const std::vector<std::string> seeds = {
    "java/util/ArrayList$ListItr", "java/util/LinkedList$ListItr",
    "java/security/Signature",     "java/io/PipedOutputStream",
    "java/util/Scanner",           "java/util/Timer",
    "java/util/Optional",          "java/lang/Integer",
    "java/util/StringJoiner",      "java/util/zip/ZipFile",
    "java/time/DayOfWeek",         "java/util/BitSet",
};

std::vector<std::uint8_t> mutate(std::vector<std::uint8_t> bytes, std::mt19937& random) {
  auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t changes = 1 + below(4);
  for (std::size_t i = 0; i < changes && bytes.size() > 16; ++i) {
    const std::size_t at = 8 + below(bytes.size() - 8);
    switch (below(6)) {
    case 0: bytes[at] = static_cast<std::uint8_t>(random()); break;
    case 1: bytes[at] ^= static_cast<std::uint8_t>(1u << below(8)); break;
    case 2: bytes[at] = below(2) ? 0 : 0xff; break;
    case 3: std::swap(bytes[at], bytes[8 + below(bytes.size() - 8)]); break;
    case 4: bytes[at] = static_cast<std::uint8_t>(bytes[at] + 1); break;
    default:
      if (below(20) == 0) bytes.resize(at);
    }
  }
  return bytes;
}

TEST(MutatedClassFiles, AreLoweredOrRefused) {
  const std::string home = find_jdk();
  if (home.empty()) GTEST_SKIP() << "no JDK here";
  auto image = open_image(home + "/lib/modules");
  ASSERT_TRUE(image);
  std::vector<std::vector<std::uint8_t>> originals;
  for (const std::string& name : seeds) {
    std::vector<std::uint8_t> storage;
    ASSERT_TRUE((*image)->has(name)) << name;
    auto bytes = (*image)->read(name, storage);
    ASSERT_TRUE(bytes);
    originals.emplace_back(bytes->begin(), bytes->end());
  }
  LowerOptions options;
  options.contracts = {std::string(standard_contracts())};
  const Seeds seeds_here = random_seeds(100'000, 1'500);
  const int count = static_cast<int>(seeds_here.count());
  int parsed = 0, lowered = 0;
  std::unique_ptr<ClassPool> pool;
  // Those that once found something are always among them.
  std::vector<int> numbers = {97480};
  for (int i = 0; i < count; ++i) numbers.push_back(static_cast<int>(seeds_here.first) + i);
  for (const int i : numbers) {
    std::mt19937 random(static_cast<unsigned>(i));
    // A pool keeps what it has read; a new one now and then bounds the memory.
    if (!pool || i % 200 == 0) {
      pool = std::make_unique<ClassPool>();
      pool->add_default_jdk();
    }
    const auto bytes = mutate(originals[random() % originals.size()], random);
    auto name = pool->add_bytes(bytes, "mutant");
    if (!name) {
      EXPECT_FALSE(name.error().message.empty());
      continue;
    }
    ++parsed;
    try {
      if (lower_class(*pool, *name, options)) ++lowered;
    } catch (const InternalError& broken) {
      ADD_FAILURE() << "mutant " << i << ": " << broken.what();
    }
  }
  EXPECT_GT(parsed, count / 10);
  EXPECT_GT(lowered, count / 50);
}

} // namespace
} // namespace tacit::java
