#include <gtest/gtest.h>

#include "frontend/shared/alphabet.h"
#include "frontend/shared/class_choice.h"

namespace tacit {
namespace {

using Names = std::vector<std::string>;

TEST(Alphabet, SpellsACallByItsBareNameIfThatIsEnough) {
  EXPECT_EQ(spell_calls({{"open", "()", ""}, {"read", "(int)", ""}, {"read", "()", ""}}, '~'),
            (Names{"open", "read(int)", "read()"}));
  EXPECT_EQ(spell_calls({{"at", "(int)", ""}, {"at", "(int)", "const"}}, '#'),
            (Names{"at(int)", "at(int)const"}));
  EXPECT_EQ(spell_calls({{"f", "(A)", ""}, {"f", "(A)", ""}, {"f", "(A)", ""}}, '~'),
            (Names{"f(A)", "f(A)~2", "f(A)~3"}));
}

TEST(Alphabet, KeepsWhatThePatternsTake) {
  using Kept = std::vector<bool>;
  const Names calls = {"open", "read(int)", "read()"};
  EXPECT_EQ(wanted_calls(calls, {}), (Kept{true, true, true}));
  EXPECT_EQ(wanted_calls(calls, {"read"}), (Kept{false, true, true}));
  EXPECT_EQ(wanted_calls(calls, {"o*n", "read()"}), (Kept{true, false, true}));
  EXPECT_EQ(wanted_calls(calls, {"*e*d*"}), (Kept{false, true, true}));
  // A pattern that takes none is somebody else's to report.
  EXPECT_EQ(wanted_calls(calls, {"open", "close"}), (Kept{true, true, true}));
}

TEST(ClassChoice, TakesLastComponentsWhateverSeparatesThem) {
  EXPECT_EQ(class_fit("java.util.ArrayList", "java/util/ArrayList"), ClassFit::Full);
  EXPECT_EQ(class_fit("Itr", "java/util/ArrayList$Itr"), ClassFit::Last);
  EXPECT_EQ(class_fit("ArrayList.Itr", "java/util/ArrayList$Itr"), ClassFit::Last);
  EXPECT_EQ(class_fit("Lock", "std::unique_Lock"), ClassFit::None);
  EXPECT_EQ(class_fit("io::File", "app::io::File"), ClassFit::Last);
}

TEST(ClassChoice, NamesWhatMayBeMeant) {
  EXPECT_EQ(no_class({}, "Fil", {"File", "Folder"}).message,
            "there is no class 'Fil'; did you mean 'File'?");
  EXPECT_EQ(no_class({}, "b.Io", {"a.long.way.off.Io"}).message,
            "there is no class 'b.Io'; did you mean 'a.long.way.off.Io'?");
  EXPECT_EQ(no_class({}, "X", {"Folder"}).message, "there is no class 'X'");
  EXPECT_EQ(several_classes("A", {"p.A", "q.A"}).message,
            "several classes are named 'A': p.A, q.A");
}

} // namespace
} // namespace tacit
