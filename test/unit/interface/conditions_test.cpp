#include "interface/conditions.h"

#include <gtest/gtest.h>

#include "interface/client_value.h"
#include "interface/source_words.h"
#include "logic/term/print.h"
#include "program/text/read.h"
#include "unit/interface/examples.h"

namespace tacit {
namespace {

const char* pool_text = R"(component Pool
enum Mode { Slow = 1, Fast = 4 }
record string { size : int [0..], text : int }
state leased : map [int] bool = all(false)
state count : int [0..] = 0
state owner : map [int] Mode
state has : map [int] bool
state limit : int = 0
constructor Pool(limit.2 : int) { limit := limit.2; return; }
method take(id : int, mode : Mode) : int { return id; }
method name(url : ref string, other : ref, flags_ : int) : bool { return true; }
)";

struct Pool {
  Pool() : module(read_module(pool_text, "pool.tir").value()) {
    interface.language = "tir";
    interface.tracked = {{"ids", "set<int>", "leased", "", "count"},
                         {"owners", "map<int,Mode>", "owner", "", "", "has"},
                         {"n", "int", "count + 1", "size()"}};
    interface.constants = {{"Color", {{"Red", 7}}}, {"text", {{"Host", 3}}}};
    conditions.emplace(Conditions::of(interface, module).value());
  }

  const Procedure& procedure(std::string_view name) const { return *module.find_procedure(name); }
  std::string term(std::string_view text, std::string_view call = "take") const {
    const auto read = conditions->condition(text, procedure(call));
    return read ? to_string(*read) : "error: " + read.error().message;
  }
  /// Value, keys and size.
  std::vector<std::string> update(std::size_t tracked, std::string_view text) const {
    const auto read = conditions->update(tracked, text, procedure("take"));
    if (!read) return {"error: " + read.error().message};
    std::vector<std::string> texts;
    for (const Term part : {read->value, read->keys, read->size})
      texts.push_back(part ? to_string(part) : "-");
    return texts;
  }

  Module module;
  Interface interface;
  std::optional<Conditions> conditions;
};

TEST(Conditions, AreTermsOverParametersResultAndTrackedNames) {
  const Pool pool;
  EXPECT_EQ(pool.term("0 <= id && id < n"), "id >= 0 && id < n");
  EXPECT_EQ(pool.term("result == id"), "result == id");
  EXPECT_EQ(pool.term("mode == Fast"), "mode == Fast");
  EXPECT_EQ(pool.term("id == Red || id == Color.Red"), "id == 7");
  EXPECT_EQ(pool.term("id < size()"), "id < n");
  EXPECT_EQ(pool.term(""), "true");
  EXPECT_EQ(pool.term("flags > 0", "name"), "flags_ > 0");
  EXPECT_EQ(pool.term("limit >= 1", "Pool"), "limit.2 >= 1");
}

TEST(Conditions, FactsOfArgumentsAreMapsOfTheComponent) {
  const Pool pool;
  EXPECT_EQ(pool.term("url != null && url.size > 0", "name"),
            "url != null && string.size[url] > 0");
  EXPECT_EQ(pool.term("url.size() > 0", "name"), "string.size[url] > 0");
  EXPECT_EQ(pool.term("url.length() > 0", "name"), "string.size[url] > 0");
  EXPECT_EQ(pool.term("!url.empty()", "name"), "string.size[url] != 0");
  EXPECT_EQ(pool.term("string.size[url] == 2", "name"), "string.size[url] == 2");
  EXPECT_EQ(pool.term("url.text == \"Host\"", "name"), "string.text[url] == 3");
  // Not a fact of this component: a variable that nobody knows anything about.
  EXPECT_EQ(pool.term("other.size() == 0", "name"), "`.size`[other] == 0");
}

TEST(Conditions, StateIsOutOfSight) {
  const Pool pool;
  EXPECT_EQ(pool.term("count > 0").substr(0, 6), "error:");
  EXPECT_EQ(pool.term("leased[id]").substr(0, 6), "error:");
  EXPECT_EQ(pool.term("nn > 0"), "error: 'nn' is not declared; did you mean 'n'?");
  EXPECT_EQ(pool.term("url.colour == 1", "name").substr(0, 6), "error:");
}

TEST(Conditions, SetsAndMapsHaveOperations) {
  const Pool pool;
  EXPECT_EQ(pool.term("id in ids"), "ids[id]");
  EXPECT_EQ(pool.term("!(id in owners) || owners.get(id) == mode"),
            "!`owners.keys()`[id] || owners[id] == mode");
  EXPECT_EQ(pool.term("ids.size() < 3"), "`ids.size()` < 3");
  EXPECT_EQ(pool.term("ids.empty()"), "`ids.size()` == 0");
  EXPECT_EQ(pool.term("mode in ids").substr(0, 6), "error:");
  EXPECT_EQ(pool.term("id in mode").substr(0, 6), "error:");
  using Parts = std::vector<std::string>;
  EXPECT_EQ(pool.update(0, "ids.add(result)"),
            (Parts{"ids[result := true]", "-", "ids[result] ? `ids.size()` : `ids.size()` + 1"}));
  EXPECT_EQ(pool.update(0, "ids.remove(id)"),
            (Parts{"ids[id := false]", "-", "ids[id] ? `ids.size()` - 1 : `ids.size()`"}));
  EXPECT_EQ(pool.update(0, "{}"), (Parts{"all(false)", "-", "0"}));
  EXPECT_EQ(pool.update(0, "id > 0 ? ids.add(id) : ids"),
            (Parts{"id > 0 ? ids[id := true] : ids", "-",
                   "id > 0 ? (ids[id] ? `ids.size()` : `ids.size()` + 1) : `ids.size()`"}));
  EXPECT_EQ(pool.update(1, "owners.add(id, Fast)"),
            (Parts{"owners[id := Fast]", "`owners.keys()`[id := true]",
                   "`owners.keys()`[id] ? `owners.size()` : `owners.size()` + 1"}));
  EXPECT_EQ(pool.update(1, "owners.remove(id)")[0], "owners");
  EXPECT_EQ(pool.update(1, "owners.remove(id)")[1], "`owners.keys()`[id := false]");
  EXPECT_EQ(pool.update(1, "owners.add(id)")[0].substr(0, 6), "error:");
  EXPECT_EQ(pool.update(2, "n + 1"), (Parts{"n + 1", "-", "-"}));
  EXPECT_EQ(pool.update(2, "mode")[0].substr(0, 6), "error:");
}

TEST(Conditions, TrackedNamesStandForTheirTerms) {
  const Pool pool;
  const Substitution terms = pool.conditions->over_state().value();
  const auto over_state = [&](std::string_view text) {
    return to_string(substitute(*pool.module.arena,
                                *pool.conditions->condition(text, pool.procedure("take")), terms));
  };
  EXPECT_EQ(over_state("id < n"), "id < count + 1");
  EXPECT_EQ(over_state("id in ids && ids.size() > 0"), "leased[id] && count > 0");
  EXPECT_EQ(over_state("id in owners"), "has[id]");
  EXPECT_EQ(over_state("owners.size() == 0"), "`owners.size()` == 0"); // has no term

  Interface bad = pool.interface;
  bad.tracked[2].term = "mode";
  EXPECT_FALSE(Conditions::of(bad, pool.module)->over_state().has_value());
  bad.tracked[2].term = "leased";
  EXPECT_FALSE(Conditions::of(bad, pool.module)->over_state().has_value());
}

TEST(Conditions, TrackedValuesHaveTypesAndNamesOfTheirOwn) {
  const Pool pool;
  Interface bad = pool.interface;
  bad.tracked[2].type = "Colour";
  EXPECT_EQ(Conditions::of(bad, pool.module).error().message,
            "tracked value 'n' is of type 'Colour', which the component does not have");
  bad.tracked[2] = {"mode", "int", "count", ""};
  EXPECT_EQ(Conditions::of(bad, pool.module).error().message,
            "tracked value 'mode' has the name of a parameter of 'take'");
  // A parameter that had to give way to a field is called otherwise: `flags_`.
  bad.tracked[2] = {"flags", "int", "count", ""};
  EXPECT_TRUE(Conditions::of(bad, pool.module).has_value());
}

TEST(Conditions, AreShownInWordsOfTheSource) {
  const Pool pool;
  const SourceWords words(pool.interface);
  const auto shown = [&](std::string_view text) { return words.condition(text); };
  EXPECT_EQ(shown("0 <= id && id < n"), "0 <= id && id < size()");
  EXPECT_EQ(shown("0 < string.size[url]"), "0 < url.size()");
  EXPECT_EQ(shown("`std::function.set`[listener.2] && limit.2 < 3"), "listener.set && limit < 3");
  EXPECT_EQ(shown("ids.add(result)"), "ids.add(result)");
  EXPECT_EQ(shown("a\nb"), "a\nb");
  EXPECT_EQ(shown("? what"), "? what");
}

// ---- what they come to

class JudgeTest : public testing::Test {
protected:
  std::optional<bool> truth(std::string_view text, std::string_view call = "take") {
    const auto term = pool.conditions->condition(text, pool.procedure(call));
    EXPECT_TRUE(term.has_value()) << text;
    return Judge({false, &pool.interface.constants.at("text")}).truth(*term, [&](Term variable) {
      const auto found = values.find(variable->name);
      return found == values.end() ? unknown_value() : found->second;
    });
  }

  Pool pool;
  std::map<std::string, ClientValue> values;
};

TEST_F(JudgeTest, UnknownIsNeverGuessed) {
  values = {{"id", integer_value(3)}};
  EXPECT_EQ(truth("id == 3"), true);
  EXPECT_EQ(truth("id < n"), std::nullopt);
  EXPECT_EQ(truth("id < n && id == 4"), false);
  EXPECT_EQ(truth("id < n || id == 3"), true);
  EXPECT_EQ(truth("id < n || id == 4"), std::nullopt);
  EXPECT_EQ(truth("!(id < n)"), std::nullopt);
  EXPECT_EQ(truth("(id < n ? 1 : 1) == 1"), true);
  EXPECT_EQ(truth("(id < n ? 1 : 2) == 1"), std::nullopt);
  EXPECT_EQ(truth("id / 0 == 0"), std::nullopt);
  EXPECT_EQ(truth("id % 2 == 1 && -id == 0 - 3 && id * 2 == 6"), true);
  EXPECT_EQ(truth("u8(id - 4) == 255"), true);
  EXPECT_EQ(truth("mode == Fast"), std::nullopt);
  values["mode"] = enum_value(1);
  EXPECT_EQ(truth("mode == Fast && int(mode) == 4 && mode > Slow"), true);
}

TEST_F(JudgeTest, TextsHaveFactsOtherObjectsHaveNone) {
  values = {{"url", text_value("Host")}, {"other", object_value("gate")}};
  EXPECT_EQ(truth("url != null && url.size == 4 && !url.empty()", "name"), true);
  EXPECT_EQ(truth("url.text == \"Host\"", "name"), true);
  EXPECT_EQ(truth("url.text == \"Hos\"", "name"), false);
  EXPECT_EQ(truth("url.text == 3", "name"), true); // as the result numbers it
  EXPECT_EQ(truth("url.text == 4", "name"), false);
  EXPECT_EQ(truth("other.size() == 4", "name"), std::nullopt);
  EXPECT_EQ(truth("other == null", "name"), false);
  EXPECT_EQ(truth("url == other", "name"), std::nullopt);
  values["url"] = text_value("gate", false); // perhaps the name of an object
  EXPECT_EQ(truth("url.size == 4", "name"), std::nullopt);
  EXPECT_EQ(truth("url != null", "name"), true);
  values["url"] = null_value();
  EXPECT_EQ(truth("url == null", "name"), true);
  EXPECT_EQ(truth("url != null && url.size > 0", "name"), false);
  EXPECT_EQ(truth("url.size > 0", "name"), std::nullopt);
  values["url"] = text_value("x");
  values["other"] = text_value("x");
  EXPECT_EQ(truth("url == other", "name"), std::nullopt); // equal texts, perhaps two objects
  values["other"] = text_value("y");
  EXPECT_EQ(truth("url == other", "name"), false);
  values["url"] = object_value("gate");
  values["other"] = object_value("gate");
  EXPECT_EQ(truth("url == other", "name"), true);
  values["other"] = object_value("fence");
  EXPECT_EQ(truth("url == other", "name"), false);
  values["other"] = object_value("");
  EXPECT_EQ(truth("url == other", "name"), std::nullopt);
}

TEST_F(JudgeTest, SetsRememberWhatWentIn) {
  const Judge judge;
  const auto run = [&](std::string_view text) {
    const auto terms = pool.conditions->update(0, text, pool.procedure("take"));
    const auto valuation = [&](Term variable) {
      const auto found = values.find(variable->name);
      return found == values.end() ? unknown_value() : found->second;
    };
    const ClientValue size = judge.value(terms->size, valuation);
    values["ids"] = judge.value(terms->value, valuation);
    values["ids.size()"] = size;
    return to_string(values["ids"], terms->value->sort) + " " + to_string(size);
  };
  EXPECT_EQ(run("{}"), "{} 0");
  values["id"] = integer_value(4);
  EXPECT_EQ(run("ids.add(id)"), "{4} 1");
  EXPECT_EQ(run("ids.add(id)"), "{4} 1");
  EXPECT_EQ(run("ids.add(5)"), "{4, 5} 2");
  EXPECT_EQ(truth("id in ids && !(6 in ids) && ids.size() == 2"), true);
  EXPECT_EQ(run("ids.remove(id)"), "{5} 1");
  EXPECT_EQ(truth("id in ids"), false);
  // After something unknown went in, only what is surely in is known.
  values["id"] = unknown_value();
  EXPECT_EQ(run("ids.add(id)"), "{5, ?} ?");
  EXPECT_EQ(truth("5 in ids"), true);
  EXPECT_EQ(truth("6 in ids"), std::nullopt);
  EXPECT_EQ(run("ids.remove(id)"), "{5} ?");
  EXPECT_EQ(truth("5 in ids"), std::nullopt);
  EXPECT_EQ(truth("7 in ids"), std::nullopt);
}

TEST(ClientValue, TextsAreCountedAsTheLanguageDoes) {
  const ClientValue text = text_value("a\xc3\xa9\xf0\x9f\x99\x82"); // a, e acute, a smile
  EXPECT_EQ(Judge().fact(text, "size").number, 7);
  EXPECT_EQ(Judge({true, nullptr}).fact(text, "size").number, 4);
}

} // namespace
} // namespace tacit
