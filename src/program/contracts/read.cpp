// Items may come in any order, so reading goes over them several times: exceptions, then facts,
// then what can be called, then bodies. One extern may name classes with different facts; it
// becomes a template for each.
#include "program/contracts/read.h"

#include <algorithm>
#include <map>
#include <set>

#include "logic/term/parse.h"
#include "program/contracts/template.h"
#include "program/ir/scope.h"
#include "program/text/read_body.h"

#define TRY(expression)                                                                            \
  if (auto try_result = (expression); !try_result) return std::unexpected(try_result.error())

namespace tacit {

namespace {

const std::set<std::string, std::less<>> item_words = {"exception", "record", "extern", "procedure",
                                                       "hook",      "about",  "part",   "group"};

std::optional<Attribute> attribute_of(std::string_view word) {
  const auto found = std::ranges::find(attribute_words, word);
  if (found == attribute_words.end()) return std::nullopt;
  return static_cast<Attribute>(found - attribute_words.begin());
}

std::vector<std::string> all_attributes() {
  return {attribute_words.begin(), attribute_words.end()};
}

template <class Range, class Value, class Part = std::identity>
bool holds(const Range& range, const Value& value, Part part = {}) {
  return std::ranges::find(range, value, part) != std::ranges::end(range);
}

class ContractReader {
public:
  ContractReader(TokenStream tokens, const ContractReading& reading)
      : tokens_(std::move(tokens)), reading_(reading), home_(std::make_shared<Module>()) {
    home_->name = "contracts";
    if (const Module* scope = reading.scope) {
      home_->arena = scope->arena;
      home_->enums = scope->enums;
      home_->exceptions = scope->exceptions;
      home_->exception_sort = scope->exception_sort;
      home_->records = scope->records;
      home_->state = scope->state;
    }
    const std::string& file = tokens_.file();
    const auto slash = file.rfind('/');
    site_file_ = slash == std::string::npos ? file : file.substr(slash + 1);
  }

  Result<Contracts> run() {
    TRY(find_items());
    TRY(each("group", &ContractReader::group));
    TRY(each("exception", &ContractReader::exception));
    TRY(finish_exceptions());
    TRY(each("record", &ContractReader::record));
    TRY(each("part", &ContractReader::part));
    TRY(each("about", &ContractReader::about));
    home_->procedures.push_back({.name = std::string(failing_call)});
    TRY(each("hook", &ContractReader::hook));
    TRY(each("procedure", &ContractReader::helper_head));
    TRY(each("procedure", &ContractReader::helper_body));
    TRY(each("extern", &ContractReader::contract));
    return std::move(made_);
  }

private:
  struct Item {
    std::string word;
    std::size_t at = 0, end = 0, resume = 0, index = 0;
  };
  /// What stands before the body of something that can be called.
  struct Head {
    std::vector<NamePattern> names;
    Contract contract;
    std::string origin;      // of the argument that one parameter wants to be told about
    std::size_t body_at = 0; // where attributes, clauses and body begin
  };

  // Items.

  Result<void> find_items() {
    int depth = 0, last_line = 0;
    std::string previous = ";";
    while (!tokens_.at_end()) {
      const Token token = tokens_.peek();
      const bool fresh = token.line != last_line || previous == ";" || previous == "}";
      if (depth == 0 && fresh && token.kind == TokenKind::Name && item_words.contains(token.text) &&
          tokens_.peek(1).kind == TokenKind::Name) {
        close_item();
        items_.push_back({token.text, tokens_.position()});
      } else if (depth == 0 && token.text != ";" &&
                 (items_.empty() || previous == ";" || previous == "}")) {
        return std::unexpected(
            tokens_.unexpected("an item of a contract file (extern, record, procedure, hook, "
                               "exception, about, part, group)"));
      }
      if (token.kind == TokenKind::Symbol && token.text == "{") ++depth;
      if (token.kind == TokenKind::Symbol && token.text == "}" && --depth < 0)
        return fail(tokens_.here(), "this '}}' closes nothing");
      last_line = token.line;
      previous = token.kind == TokenKind::Symbol ? token.text : "";
      tokens_.take();
    }
    if (depth > 0) return fail(tokens_.here(), "the text ends inside braces that are never closed");
    close_item();
    return {};
  }
  void close_item() {
    if (!items_.empty()) items_.back().end = tokens_.position();
  }

  using Reader = Result<void> (ContractReader::*)(Item&);
  Result<void> each(std::string_view word, Reader reader) {
    for (Item& item : items_) {
      if (item.word != word) continue;
      tokens_.rewind(item.resume ? item.resume : item.at + 1);
      TRY((this->*reader)(item));
      item.resume = tokens_.position();
    }
    return {};
  }

  Result<void> done(const Item& item) {
    while (tokens_.take_if(";")) {
    }
    if (tokens_.position() < item.end)
      return std::unexpected(tokens_.unexpected("the end of this " + item.word));
    return {};
  }

  /// `a`, `b`: all names that the patterns stand for.
  Result<std::vector<NamePattern>> patterns(std::string_view what) {
    std::vector<NamePattern> all;
    do {
      auto name = tokens_.expect_name(what);
      if (!name) return std::unexpected(name.error());
      auto some = expand_pattern(name->text, tokens_.where(*name), groups_);
      if (!some) return std::unexpected(some.error());
      all.insert(all.end(), some->begin(), some->end());
    } while (tokens_.take_if(","));
    for (const NamePattern& one : all)
      if (one.type_parameters != all.front().type_parameters)
        return fail(tokens_.here(), "the names of one item have the same type parameters");
    return all;
  }

  Result<void> group(Item& item) {
    auto name = tokens_.expect_name("the name of a group");
    if (!name) return std::unexpected(name.error());
    TRY(tokens_.expect(":"));
    std::string members;
    do {
      auto member = tokens_.expect_name("a member of the group");
      if (!member) return std::unexpected(member.error());
      const auto inner = groups_.find(member->text);
      members +=
          (members.empty() ? "" : "|") + (inner == groups_.end() ? member->text : inner->second);
    } while (tokens_.take_if(","));
    if (!members.contains('|'))
      return fail(tokens_.where(*name), "a group has at least two members");
    if (!groups_.emplace(name->text, members).second)
      return fail(tokens_.where(*name), "'{}' is declared already", name->text);
    return done(item);
  }

  // Exceptions.

  Result<void> exception(Item& item) {
    auto name = tokens_.expect_name("the name of an exception");
    if (!name) return std::unexpected(name.error());
    Exception made{name->text, ""};
    if (tokens_.take_if(":")) {
      auto parent = tokens_.expect_name("the exception it is a kind of");
      if (!parent) return std::unexpected(parent.error());
      made.parent = parent->text;
    }
    if (holds(declared_exceptions_, made.name, &Exception::name))
      return fail(tokens_.where(*name), "'{}' is declared already", made.name);
    made_.add_exception(made.name, made.parent);
    declared_exceptions_.push_back(std::move(made));
    return done(item);
  }

  /// Without a component, an exception is declared by being named.
  Result<void> finish_exceptions() {
    if (reading_.scope) return {};
    std::vector<Exception> all = declared_exceptions_;
    const auto declare = [&](const std::string& name) {
      if (!name.empty() && !holds(all, name, &Exception::name)) all.push_back({name, ""});
    };
    for (const Exception& one : declared_exceptions_) declare(one.parent);
    tokens_.rewind(0);
    std::size_t end = 0;
    for (const Item& item : items_) end = item.end;
    for (const std::string& name : named_exceptions(end)) declare(name);
    EnumDecl decl{"exception", {}};
    for (const Exception& e : all)
      decl.values.push_back({e.name, static_cast<Integer>(decl.values.size())});
    if (!decl.values.empty()) home_->exception_sort = home_->arena->enum_sort(std::move(decl));
    home_->exceptions = std::move(all);
    return {};
  }

  /// From here on to a place in the text.
  std::vector<std::string> named_exceptions(std::size_t end) {
    std::vector<std::string> names;
    for (; tokens_.position() < end; tokens_.take()) {
      const bool list = tokens_.at("throws");
      const bool one = tokens_.at("throw") || tokens_.at("raise");
      const bool caught = tokens_.at("catch") && tokens_.at("(", 1);
      if (!list && !one && !caught) continue;
      for (std::size_t at = caught ? 2 : 1; tokens_.peek(at).kind == TokenKind::Name; at += 2) {
        names.push_back(tokens_.peek(at).text);
        if (!list || !tokens_.at(",", at + 1)) break;
      }
    }
    return names;
  }

  // Facts, parts and attributes.

  /// A type parameter is a sort of its own until a contract is used.
  Result<void> declare_types(const std::vector<NamePattern>& names, const Location& where) {
    for (const std::string& name : names.front().type_parameters) {
      const auto known =
          std::ranges::find_if(home_->enums, [&](Sort sort) { return sort->decl->name == name; });
      if (known == home_->enums.end())
        home_->enums.push_back(home_->arena->enum_sort(EnumDecl{name, {}}));
      else if (!(*known)->decl->values.empty())
        return fail(where, "'{}' is a type of the component; give the type parameter another name",
                    name);
    }
    return {};
  }
  static bool is_type_parameter(const std::vector<std::string>& parameters, const Type& type) {
    return type.sort->kind == SortKind::Enum && holds(parameters, type.sort->decl->name);
  }

  Result<void> record(Item& item) {
    ClassFacts facts;
    facts.where = tokens_.here();
    auto names = patterns("the name of a class");
    if (!names) return std::unexpected(names.error());
    TRY(declare_types(*names, facts.where));
    facts.type_parameters = names->front().type_parameters;
    facts.classes = std::move(*names);
    TRY(attributes(facts.attributes));
    TRY(tokens_.expect("{"));
    while (!tokens_.at("}")) {
      auto name = tokens_.expect_name("a fact");
      if (!name) return std::unexpected(name.error());
      if (holds(facts.facts, name->text, &KeptFact::name))
        return fail(tokens_.where(*name), "'{}' is declared already", name->text);
      TRY(tokens_.expect(":"));
      auto type = read_type(tokens_, *home_);
      if (!type) return std::unexpected(type.error());
      facts.facts.push_back({name->text, *type});
      if (!tokens_.take_if(",")) break;
    }
    TRY(tokens_.expect("}"));
    facts.home = home_;
    made_.add(std::move(facts));
    return done(item);
  }

  Result<void> part(Item& item) {
    auto parts = patterns("the name of a class");
    if (!parts) return std::unexpected(parts.error());
    TRY(tokens_.expect("of"));
    auto whole = tokens_.expect_name("the class that it is a part of");
    if (!whole) return std::unexpected(whole.error());
    for (const NamePattern& one : *parts) made_.add_part(one.text, whole->text);
    return done(item);
  }

  Result<Attribute> attribute() {
    auto word = tokens_.expect_name("an attribute");
    if (!word) return std::unexpected(word.error());
    const auto found = attribute_of(word->text);
    if (!found)
      return fail(tokens_.where(*word), "'{}' is not an attribute{}", word->text,
                  suggestion(word->text, all_attributes()));
    return *found;
  }

  Result<void> attributes(std::set<Attribute>& into) {
    while (tokens_.peek().kind == TokenKind::Name && attribute_of(tokens_.peek().text))
      into.insert(*attribute_of(tokens_.take().text));
    return {};
  }

  Result<void> about(Item& item) {
    const bool of_class = tokens_.at("class") && tokens_.peek(1).kind == TokenKind::Name;
    if (of_class) tokens_.take();
    auto names = patterns("the name of a function or class");
    if (!names) return std::unexpected(names.error());
    TRY(tokens_.expect(":"));
    do {
      const bool holds = !tokens_.take_if("not");
      auto said = attribute();
      if (!said) return std::unexpected(said.error());
      for (const NamePattern& name : *names)
        made_.add(Contracts::About{name, of_class, *said, holds});
    } while (tokens_.take_if(","));
    return done(item);
  }

  // What can be called.

  Result<void> hook(Item& item) {
    auto head = read_head();
    if (!head) return std::unexpected(head.error());
    Procedure& made = head->contract.body;
    made.name = head->names.front().text;
    TRY(new_procedure(made));
    return done(item);
  }

  Result<void> new_procedure(const Procedure& made) {
    if (home_->find_procedure(made.name))
      return fail(made.where, "'{}' is declared already", made.name);
    home_->procedures.push_back(made);
    return {};
  }

  Result<void> helper_head(Item& item) {
    auto head = read_head();
    if (!head) return std::unexpected(head.error());
    if (head->contract.open_ended)
      return fail(head->contract.body.where, "a helper has a fixed number of parameters");
    Contract& made = head->contract;
    made.name = made.body.name = head->names.front().text;
    TRY(new_procedure(made.body));
    add_mentions(made, nullptr);
    item.index = helpers_.size();
    helpers_.push_back(std::move(made));
    return {};
  }

  Result<void> helper_body(Item& item) {
    if (reading_.heads_only) return {};
    if (!tokens_.at("{")) return std::unexpected(tokens_.unexpected("the body of a helper"));
    TRY(read_template(helpers_[item.index], item));
    return done(item);
  }

  Result<void> contract(Item& item) {
    auto head = read_head();
    if (!head) return std::unexpected(head.error());
    // Names with the same facts share a template.
    std::vector<std::pair<const ClassFacts*, std::vector<NamePattern>>> groups;
    for (NamePattern& name : head->names) {
      const bool about_self = !head->contract.parameters.empty() &&
                              head->contract.parameters[0].name == "self" &&
                              !head->contract.parameters[0].object_class;
      const ClassFacts* facts = about_self ? made_.facts(class_of(name.text)) : nullptr;
      if (!head->origin.empty()) name.text += "<-" + head->origin;
      auto group = std::ranges::find(groups, facts, &decltype(groups)::value_type::first);
      if (group == groups.end()) {
        groups.push_back({facts, {}});
        group = groups.end() - 1;
      }
      group->second.push_back(name);
    }
    for (const auto& [facts, names] : groups) {
      Contract made = head->contract;
      made.name = made.body.name = names.front().text;
      if (facts && made.type_parameters.empty()) made.type_parameters = facts->type_parameters;
      if (facts && made.type_parameters != facts->type_parameters)
        return fail(made.where(), "the facts of '{}' have other type parameters",
                    facts->classes.front().text);
      add_mentions(made, facts);
      tokens_.rewind(head->body_at);
      TRY(read_template(made, item));
      if (reading_.heads_only) {
        tokens_.rewind(head->body_at);
        made.exceptions = named_exceptions(item.end);
      } else {
        TRY(finish_template(made, helpers_));
      }
      made_.add(made, names);
    }
    if (reading_.heads_only) return {};
    return done(item);
  }

  Result<Head> read_head() {
    Head head;
    Contract& made = head.contract;
    made.home = home_;
    made.body.kind = ProcedureKind::Extern;
    made.body.where = tokens_.here();
    auto names = patterns("the name of a function");
    if (!names) return std::unexpected(names.error());
    TRY(declare_types(*names, made.body.where));
    made.type_parameters = names->front().type_parameters;
    head.names = std::move(*names);
    TRY(tokens_.expect("("));
    while (!tokens_.at(")")) {
      TRY(parameter(head));
      if (!tokens_.take_if(",")) break;
      if (made.open_ended) return fail(tokens_.here(), "'...' comes last");
    }
    TRY(tokens_.expect(")"));
    if (tokens_.take_if(":")) TRY(result(made));
    head.body_at = tokens_.position();
    return head;
  }

  bool take_dots() {
    if (!tokens_.at("..") || !tokens_.at(".", 1)) return false;
    tokens_.take();
    tokens_.take();
    return true;
  }

  Result<void> parameter(Head& head) {
    Contract& made = head.contract;
    if (take_dots()) {
      made.open_ended = true;
      return {};
    }
    auto name = tokens_.expect_name("a parameter or '...'");
    if (!name) return std::unexpected(name.error());
    if (made.body.find_local(name->text))
      return fail(tokens_.where(*name), "'{}' is declared already", name->text);
    TRY(tokens_.expect(":"));
    ContractParameter one;
    one.name = name->text;
    auto type = parameter_type(one, made);
    if (!type) return std::unexpected(type.error());
    if (tokens_.take_if("from")) {
      if (!head.origin.empty())
        return fail(tokens_.here(), "only one parameter may say where it comes from");
      auto origin = tokens_.expect_name("what made the argument: null, object or a function");
      if (!origin) return std::unexpected(origin.error());
      head.origin = origin->text;
    }
    made.body.parameters.push_back({home_->arena->var(one.name, type->sort), *type});
    made.parameters.push_back(std::move(one));
    return {};
  }

  /// The type within the template. One that fits everything is told from all others by its name.
  Result<Type> parameter_type(ContractParameter& one, const Contract& made) {
    const bool any = tokens_.at("any"), ref = tokens_.at("ref");
    Type type;
    if (any || ref) {
      tokens_.take();
      const Sort unknown = home_->arena->enum_sort(EnumDecl{"any " + one.name, {}});
      type.sort = ref ? home_->arena->ref_sort() : unknown;
      if (ref) one.type = type;
      if (tokens_.peek().kind == TokenKind::Name && !tokens_.at("from"))
        TRY(object_class(one, type));
      return type;
    }
    const std::size_t at = tokens_.position();
    auto read = read_type(tokens_, *home_);
    if (!read && reading_.heads_only) {
      tokens_.rewind(at);
      skip_type();
      type.sort = home_->arena->enum_sort(EnumDecl{"any " + one.name, {}});
      return type;
    }
    if (!read) return read;
    one.type = *read;
    one.type_parameter = is_type_parameter(made.type_parameters, *read);
    return *read;
  }

  /// Behind `ref` or `any`: a record of the component, a class with facts, or one that tells
  /// overloads apart.
  Result<void> object_class(ContractParameter& one, Type& type) {
    const Token name = tokens_.take();
    if (holds(home_->records, name.text, &Record::name)) {
      type.record = name.text;
      one.type = type;
      return {};
    }
    auto some = expand_pattern(name.text, tokens_.where(name), groups_);
    if (!some) return std::unexpected(some.error());
    if (some->size() != 1)
      return fail(tokens_.where(name), "a parameter is of one class; use '*' for several");
    one.object_class = some->front();
    one.told_apart = some->front().wild || !made_.facts(some->front().text);
    return {};
  }

  void skip_type() {
    int depth = 0;
    while (!tokens_.at_end()) {
      if (depth == 0 && (tokens_.at(",") || tokens_.at(")") || tokens_.at("{") || tokens_.at(";")))
        return;
      if (tokens_.at("[")) ++depth;
      if (tokens_.at("]")) --depth;
      tokens_.take();
    }
  }

  Result<void> result(Contract& made) {
    if (tokens_.take_if("any")) return {};
    const std::size_t at = tokens_.position();
    auto type = read_type(tokens_, *home_);
    if (!type && reading_.heads_only) {
      tokens_.rewind(at);
      tokens_.take();
      return {};
    }
    if (!type) return std::unexpected(type.error());
    made.returns_any = false;
    made.returns_type_parameter = is_type_parameter(made.type_parameters, *type);
    made.body.returns = *type;
    return {};
  }

  // Bodies.

  /// The facts that a body may speak of: of `self`, and of parameters that name their class.
  void add_mentions(Contract& made, const ClassFacts* of_self) {
    for (std::size_t i = 0; i < made.parameters.size(); ++i) {
      const ContractParameter& one = made.parameters[i];
      const ClassFacts* facts = nullptr;
      if (one.object_class && !one.told_apart) facts = made_.facts(one.object_class->text);
      if (!one.object_class && i == 0) facts = of_self;
      if (!facts) continue;
      for (const KeptFact& fact : facts->facts) {
        const Term term = home_->arena->var(one.name + "." + fact.name, fact.type.sort);
        made.body.locals.push_back({term, fact.type});
        made.facts.push_back({term, i, fact.name});
      }
    }
  }

  Result<void> read_template(Contract& made, const Item& item) {
    const std::vector<StateVariable> state = home_->state;
    hide_state(made, item);
    auto read = clauses_and_body(made, item);
    home_->state = state;
    return read;
  }

  /// A parameter or local that bears the name of a state variable hides it.
  void hide_state(const Contract& made, const Item& item) {
    if (home_->state.empty()) return;
    std::set<std::string> hidden;
    for (const ContractParameter& one : made.parameters) hidden.insert(one.name);
    const std::size_t at = tokens_.position();
    for (tokens_.rewind(item.at); tokens_.position() < item.end; tokens_.take())
      if (tokens_.at("var") && tokens_.peek(1).kind == TokenKind::Name)
        hidden.insert(tokens_.peek(1).text);
    tokens_.rewind(at);
    std::erase_if(home_->state, [&](const StateVariable& v) { return hidden.contains(v.name()); });
  }

  Result<void> clauses_and_body(Contract& made, const Item& item) {
    Procedure& body = made.body;
    const ModuleScope scope(*home_, &body);
    while (!tokens_.at("{") && !tokens_.at(";") && tokens_.position() < item.end) {
      TRY(attributes(made.attributes));
      if (tokens_.at("throws") || tokens_.at("writes")) {
        TRY(clause(made));
      } else if (tokens_.at("ensures") || tokens_.at("requires")) {
        if (reading_.heads_only) return {};
        const bool ensures = tokens_.take().text == "ensures";
        auto term = read_expression(tokens_, *home_->arena, scope, home_->arena->bool_sort());
        if (!term) return std::unexpected(term.error());
        (ensures ? body.ensures : body.preconditions).push_back(*term);
      } else if (!tokens_.at("{") && !tokens_.at(";")) {
        return fail(tokens_.here(),
                    "expected an attribute, 'throws', 'writes', 'ensures', a body or "
                    "';', found {}{}",
                    describe(tokens_.peek()), suggestion(tokens_.peek().text, all_attributes()));
      }
    }
    if (reading_.heads_only) return {};
    if (tokens_.at(";")) return {};
    if (!tokens_.at("{")) return std::unexpected(tokens_.unexpected("a body or ';'"));
    if (!body.writes.empty() || !body.throws.empty() || !body.ensures.empty())
      return fail(tokens_.here(), "a contract has clauses or a body, not both");
    return read_body(tokens_, *home_, body, site_file_);
  }

  Result<void> clause(Contract& made) {
    const bool throws = tokens_.take().text == "throws";
    do {
      auto name = tokens_.expect_name(throws ? "an exception" : "a fact or a state variable");
      if (!name) return std::unexpected(name.error());
      if (reading_.heads_only) continue;
      if (throws && !home_->find_exception(name->text))
        return fail(tokens_.where(*name), "'{}' is not a declared exception", name->text);
      if (!throws && !home_->find_state(name->text) && !is_fact(made, name->text))
        return fail(tokens_.where(*name), "'{}' is neither a fact nor a state variable",
                    name->text);
      (throws ? made.body.throws : made.body.writes).push_back(name->text);
    } while (tokens_.take_if(","));
    return {};
  }

  static bool is_fact(const Contract& made, const std::string& name) {
    return std::ranges::any_of(made.facts, [&](const Contract::Mention& mention) {
      return mention.variable->name == name;
    });
  }

  TokenStream tokens_;
  const ContractReading reading_;
  std::shared_ptr<Module> home_;
  std::string site_file_;
  std::vector<Item> items_;
  NameGroups groups_;
  std::vector<Exception> declared_exceptions_;
  std::vector<Contract> helpers_;
  Contracts made_;
};

} // namespace

Result<Contracts> read_contracts(std::string_view text, const std::string& file,
                                 const ContractReading& reading) {
  auto tokens = tokenise(text, file);
  if (!tokens) return std::unexpected(tokens.error());
  return ContractReader(TokenStream(std::move(*tokens), file), reading).run();
}

} // namespace tacit
