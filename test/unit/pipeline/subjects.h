// Small components, and a folder for files.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "program/text/read.h"

namespace tacit {

inline constexpr const char* lock_text = R"(component Lock
state held : bool = false
method acquire() { if (held) error AcquiredTwice; held := true; return; }
method release() { if (!held) error NotHeld; held := false; return; }
)";

/// Two resources that have nothing to do with each other.
inline constexpr const char* two_text = R"(component Two
state a : bool = false
state b : bool = false
method open_a() { if (a) error A; a := true; return; }
method close_a() { if (!a) error A; a := false; return; }
method open_b() { if (b) error B; b := true; return; }
method close_b() { if (!b) error B; b := false; return; }
)";

/// What errors depend on beside a counter that they do not.
inline constexpr const char* counting_text = R"(component Counting
state open : bool = false
state total : int = 0
method start() { if (open) error Twice; open := true; return; }
method add(n : int) { if (!open) error Closed; total := total + n; return; }
)";

inline Module read(const char* text) {
  auto module = read_module(text, "test.tir");
  EXPECT_TRUE(module) << to_string(module.error());
  return std::move(*module);
}

/// A fresh folder that goes with the test.
class FolderTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "tacit-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }

  std::filesystem::path folder_;
};

} // namespace tacit
