// Conditions as the author of the source would write them.
#include "interface/source_words.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

const char* const account_text = R"tir(component Account
language cpp
literal "Host" 2255304
literal "Authorization" -586608551
state user_.engaged : bool shown "user_.has_value()"
state headers_.has : map[int] bool shown "headers_.contains"
state items_.size : int [0..] shown "items_.size()"
state name_.text : int shown "name_"
state built_ : bool
state line_.set : bool shown "line_ != nullptr"
state place : ref at place
constructor make() { return; }
method put(name : ref, value : ref, count : int) {
  assume name != null;
  assume value != null;
  return;
}
)tir";

struct Account {
  Account() {
    interface.component_name = "Account";
    interface.language = "cpp";
    interface.tir = account_text;
    interface.calls = {{"put", {"returns"}}};
    interface.tracked = {{"n", "int", "count", "size()"}};
  }
  Interface interface;
};

TEST(SourceWords, AskAsTheSourceDoes) {
  const Account account;
  const SourceWords words(account.interface);
  EXPECT_EQ(words.condition("!user_.engaged && built_"), "!user_.has_value() && built_");
  EXPECT_EQ(words.condition("items_.size <= 0 || items_.size > 0"),
            "items_.empty() || !items_.empty()");
  EXPECT_EQ(words.condition("items_.size + 1 > 0"), "items_.size() + 1 > 0");
  EXPECT_EQ(words.condition("items_.size < 10"), "items_.size() < 10");
  EXPECT_EQ(words.condition("count < n"), "count < size()");
  EXPECT_EQ(words.condition("name == null"), "name == nullptr");
  EXPECT_EQ(words.condition("line_.set && !built_"), "line_ != nullptr && !built_");
  EXPECT_EQ(words.condition("!line_.set || `shared_ptr.set[name]`"),
            "line_ == nullptr || name != nullptr");
  EXPECT_EQ(words.condition("built_ == line_.set"), "built_ == (line_ != nullptr)");
}

TEST(SourceWords, KeysComeAndGo) {
  const Account account;
  const SourceWords words(account.interface);
  EXPECT_EQ(words.key_update("headers_.has", "headers_.has[count := true]"), "headers_ + count");
  EXPECT_EQ(words.key_update("headers_.has", "headers_.has[-586608551 := false]"),
            "headers_ - \"Authorization\"");
  EXPECT_EQ(words.key_update("headers_.has", "all(false)"), "headers_ := {}");
  EXPECT_EQ(words.key_update("headers_.has", "headers_.has[1 := true][2 := true]"), "");
  EXPECT_EQ(words.key_update("items_.size", "0"), "");
}

TEST(SourceWords, NumbersOfTextsAreTexts) {
  const Account account;
  const SourceWords words(account.interface);
  EXPECT_EQ(words.condition("`string.text[name]` != 2255304"), "name != \"Host\"");
  EXPECT_EQ(words.condition("headers_.has[-586608551] && name_.text == 2255304"),
            "headers_.contains(\"Authorization\") && name_ == \"Host\"");
  EXPECT_EQ(words.condition("headers_.has[count]"), "headers_.contains(count)");
  // Where no text is meant, a number is one.
  EXPECT_EQ(words.condition("count == 2255304"), "count == 2255304");
}

TEST(SourceWords, NothingIsSaidAboutReferencesToNothing) {
  const Account account;
  const SourceWords words(account.interface);
  EXPECT_EQ(words.guard("put", "name != null && value != null && count > 3"), "count > 3");
  EXPECT_EQ(words.guard("put", "count > 3 || name == null || !(name != null && value != null)"),
            "count > 3");
  EXPECT_EQ(words.guard("put", "name != null"), "");
  EXPECT_EQ(words.guard("put", "name == null"), "false");
  EXPECT_EQ(words.guard("put", ""), "");
  EXPECT_EQ(words.guard("make", "count > 3"), "count > 3");
  EXPECT_EQ(words.conjunct("place != null"), "");
}

TEST(SourceWords, AGuardAndACellAreOneCondition) {
  const Account account;
  const SourceWords words(account.interface);
  EXPECT_EQ(words.guard("put", "count != 3 && count != 4 && built_", "count == 5"),
            "built_ && count == 5");
  EXPECT_EQ(words.guard("put", "count > 0 || built_", "count > 0"), "count > 0");
  EXPECT_EQ(words.guard("put", "built_ && count > 7", "count == 8 || count == 9"),
            "built_ && count > 7 && (count == 8 || count == 9)");
  EXPECT_EQ(words.guard("put", "count > 0 || built_", "count > 1 || count < 9"),
            "(count > 0 || built_) && (count > 1 || count < 9)");
}

TEST(SourceWords, TextsThatSayNothingAreEmpty) {
  const Account account;
  const SourceWords words(account.interface);
  EXPECT_EQ(words.condition("`name_.text` == 0"), "name_.empty()");
  EXPECT_EQ(words.condition("built_ && `name_.text` != 0"), "built_ && !name_.empty()");
}

TEST(SourceWords, FieldsOfRunsAreNamedAndPlacesAreNot) {
  const Account account;
  const SourceWords words(account.interface);
  EXPECT_EQ(words.field("user_.engaged"), "user_.has_value()");
  EXPECT_EQ(words.field("place"), "");
  EXPECT_EQ(words.field("place != null"), "");
}

} // namespace
} // namespace tacit
