// Results appear whole or not at all, and what cannot be written is known before the work.
#include "pipeline/output_file.h"

#include <unistd.h>

#include "unit/pipeline/subjects.h"

namespace tacit {
namespace {

class OutputFile : public FolderTest {
protected:
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  static std::string text_of(const std::string& file) {
    auto text = read_file(file);
    return text ? *text : "";
  }
};

TEST_F(OutputFile, WritesWhole) {
  ASSERT_TRUE(check_output(path("r.json")));
  EXPECT_EQ(files(), 0u); // asking leaves nothing behind
  ASSERT_TRUE(write_file(path("r.json"), [](std::ostream& out) { out << "new"; }));
  EXPECT_EQ(text_of(path("r.json")), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFile, AFailureKeepsTheOldFile) {
  write("r.json", "old");
  EXPECT_THROW((void)write_file(path("r.json"),
                                [](std::ostream& out) {
                                  out << "half";
                                  throw std::runtime_error("broken");
                                }),
               std::runtime_error);
  EXPECT_EQ(text_of(path("r.json")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFile, ALinkStaysALink) {
  const std::string real = write("real.json", "old");
  std::filesystem::create_symlink(real, path("link.json"));
  ASSERT_TRUE(check_output(path("link.json")));
  ASSERT_TRUE(write_file(path("link.json"), [](std::ostream& out) { out << "new"; }));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.json")));
  EXPECT_EQ(text_of(real), "new");
}

TEST_F(OutputFile, DevicesAreWrittenInPlace) {
  EXPECT_TRUE(check_output("/dev/null"));
  EXPECT_TRUE(write_file("/dev/null", [](std::ostream& out) { out << "gone"; }));
}

TEST_F(OutputFile, WhatCannotBeWrittenIsKnownBefore) {
  write("file", "");
  EXPECT_FALSE(check_output(""));
  EXPECT_FALSE(check_output(folder_.string()));
  EXPECT_FALSE(check_output(path("missing/r.json")));
  EXPECT_FALSE(check_output(path("file/r.json")));
  if (geteuid() != 0) { // whom nothing is forbidden
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_read);
    EXPECT_FALSE(check_output(path("r.json")));
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
  }
}

TEST_F(OutputFile, InputsAreNotOverwritten) {
  const std::string source = write("lock.tir", lock_text);
  EXPECT_FALSE(check_output(path("./lock.tir"), {source}));
  EXPECT_TRUE(check_output(path("lock.json"), {source, "jdk:"}));
}

} // namespace
} // namespace tacit
