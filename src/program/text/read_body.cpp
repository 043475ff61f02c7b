#include "program/text/read_body.h"

#include <map>
#include <set>

#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/granted.h"
#include "program/ir/scope.h"

// The reader is written with early returns on errors; this macro is local to the file.
#define TRY(expression)                                                                            \
  if (auto try_result = (expression); !try_result) return std::unexpected(try_result.error())

namespace tacit {
namespace {

constexpr int max_nesting = 200;

class BodyReader {
public:
  BodyReader(TokenStream& tokens, Module& module, Procedure& procedure,
             const std::string& site_file)
      : tokens_(tokens), module_(module), procedure_(procedure), arena_(*module.arena),
        extern_(procedure.kind == ProcedureKind::Extern), scope_(module, &procedure),
        site_file_(site_file) {}

  Result<void> run() {
    current_ = new_block();
    TRY(tokens_.expect("{"));
    TRY(statements());
    const Location end = tokens_.here();
    TRY(tokens_.expect("}"));
    if (open_) {
      if (procedure_.returns && reachable_end())
        return fail(end, "the body of '{}' runs off its end without returning a value",
                    procedure_.name);
      finish({.kind = TerminatorKind::Return});
    }
    for (const auto& [name, label] : labels_)
      if (!label.defined) return fail(label.first_use, "the label '{}' is not defined", name);
    tidy(procedure_);
    return {};
  }

private:
  struct Label {
    BlockId block = 0;
    bool defined = false;
    Location first_use;
  };
  struct Loop {
    BlockId head = 0, after = 0;
  };

  BlockId new_block() {
    procedure_.blocks.emplace_back();
    return static_cast<BlockId>(procedure_.blocks.size() - 1);
  }
  void finish(Terminator end) {
    procedure_.blocks[current_].end = std::move(end);
    open_ = false;
  }
  void jump(BlockId to) {
    if (open_) finish({.kind = TerminatorKind::Goto, .next = to});
  }
  void start(BlockId block) {
    current_ = block;
    open_ = true;
  }
  /// Statements after a jump are kept in a block of their own; tidy() drops it when no label leads
  /// there.
  void ensure_open() {
    if (!open_) start(new_block());
  }
  void push(Statement s) { procedure_.blocks[current_].statements.push_back(std::move(s)); }

  /// Whether the open block at the end of the body can be reached at all.
  bool reachable_end() const {
    std::set<BlockId> seen;
    std::vector<BlockId> work{0};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (!seen.insert(b).second) continue;
      if (b == current_) return true;
      for (BlockId s : successors(procedure_.blocks[b].end)) work.push_back(s);
    }
    return false;
  }

  Result<void> statements() {
    while (!tokens_.at("}") && !tokens_.at("case") && !at_default() && !tokens_.at_end())
      TRY(statement());
    return {};
  }
  bool at_default() const { return tokens_.at("default") && tokens_.at(":", 1); }

  Result<void> block_or_statement() {
    if (!tokens_.take_if("{")) return statement();
    TRY(statements());
    TRY(tokens_.expect("}"));
    return {};
  }

  Result<void> statement() {
    if (++nesting_ > max_nesting) return fail(tokens_.here(), "statements are nested too deeply");
    auto result = statement_inner();
    --nesting_;
    return result;
  }

  Result<void> statement_inner() {
    if (tokens_.take_if(";")) return {};
    if (tokens_.at("{")) return block_or_statement();
    const Token token = tokens_.peek();
    if (token.kind != TokenKind::Name) return std::unexpected(tokens_.unexpected("a statement"));
    if (tokens_.at(":", 1)) return label();
    ensure_open();
    if (tokens_.at(":=", 1) || tokens_.at("[", 1)) return assignment();
    using Reader = Result<void> (BodyReader::*)();
    static const std::map<std::string_view, Reader> readers = {
        {"var", &BodyReader::local},        {"havoc", &BodyReader::havoc},
        {"assume", &BodyReader::assume},    {"assert", &BodyReader::assertion},
        {"error", &BodyReader::error},      {"throw", &BodyReader::throwing},
        {"raise", &BodyReader::throwing},   {"return", &BodyReader::returning},
        {"if", &BodyReader::conditional},   {"while", &BodyReader::loop},
        {"break", &BodyReader::leave_loop}, {"continue", &BodyReader::next_turn},
        {"switch", &BodyReader::selection}, {"try", &BodyReader::protection},
        {"call", &BodyReader::plain_call},  {"goto", &BodyReader::go},
        {"granted", &BodyReader::assume},
    };
    auto reader = readers.find(token.text);
    if (reader == readers.end() || token.quoted)
      return std::unexpected(tokens_.unexpected("a statement"));
    return (this->*reader->second)();
  }

  /// An optional mark and the semicolon.
  Result<Location> end_of_statement(int line, bool is_site) {
    Location where;
    if (is_site && !site_file_.empty()) where = {site_file_, line, 0};
    if (tokens_.peek().kind == TokenKind::Mark) {
      auto marked = mark();
      if (!marked) return marked;
      where = *marked;
    }
    TRY(tokens_.expect(";"));
    return where;
  }

  Result<Location> mark() {
    const Token token = tokens_.take();
    const auto colon = token.text.rfind(':');
    const auto number =
        colon == std::string::npos ? std::nullopt : parse_integer(token.text.substr(colon + 1));
    if (!number || *number < 0 || *number > 1'000'000'000)
      return fail(tokens_.where(token), "a location mark is @file:line, not '@{}'", token.text);
    return Location{token.text.substr(0, colon), static_cast<int>(*number), 0};
  }

  /// `made @file:line`, where what is thrown on was made.
  Result<Location> made_at() {
    if (!tokens_.at("made") || tokens_.peek(1).kind != TokenKind::Mark) return Location{};
    tokens_.take();
    return mark();
  }

  Result<Term> expression(Sort wanted) { return read_expression(tokens_, arena_, scope_, wanted); }

  Result<Term> condition() {
    TRY(tokens_.expect("("));
    Term result = nullptr;
    if (tokens_.at("*") && tokens_.at(")", 1)) {
      tokens_.take();
      result = fresh_local("choice", Type{.sort = arena_.bool_sort()});
      push({.kind = StatementKind::Havoc, .target = result, .chooser = Chooser::Environment});
    } else {
      auto term = expression(arena_.bool_sort());
      if (!term) return term;
      result = *term;
    }
    TRY(tokens_.expect(")"));
    return result;
  }

  Term fresh_local(const std::string& base, Type type) {
    std::string name = base;
    for (int i = 2; procedure_.find_local(name) || module_.find_state(name); ++i)
      name = base + "." + std::to_string(i);
    Term term = arena_.var(name, type.sort);
    procedure_.locals.push_back({term, std::move(type)});
    return term;
  }

  Result<void> label() {
    const Token name = tokens_.take();
    tokens_.take();
    Label& label = labels_[name.text];
    if (label.defined)
      return fail(tokens_.where(name), "the label '{}' is defined twice", name.text);
    if (label.block == 0) label.block = new_block();
    label.defined = true;
    jump(label.block);
    start(label.block);
    return {};
  }

  Result<BlockId> label_target() {
    auto name = tokens_.expect_name("a label");
    if (!name) return std::unexpected(name.error());
    Label& label = labels_[name->text];
    if (label.block == 0) {
      label.block = new_block();
      label.first_use = tokens_.where(*name);
    }
    return label.block;
  }

  Result<void> go() {
    const Token word = tokens_.take();
    auto target = label_target();
    if (!target) return std::unexpected(target.error());
    TRY(end_of_statement(word.line, false));
    jump(*target);
    return {};
  }

  Result<void> local() {
    tokens_.take();
    auto name = tokens_.expect_name("the name of a local variable");
    if (!name) return std::unexpected(name.error());
    if (procedure_.find_local(name->text) || module_.find_state(name->text))
      return fail(tokens_.where(*name), "'{}' is declared already", name->text);
    TRY(tokens_.expect(":"));
    auto type = read_type(tokens_, module_);
    if (!type) return std::unexpected(type.error());
    Term term = arena_.var(name->text, type->sort);
    procedure_.locals.push_back({term, *type});
    TRY(read_attributes(tokens_, procedure_.locals.back()));
    if (tokens_.take_if("=")) return assign_to(term, *name);
    TRY(end_of_statement(name->line, false));
    return {};
  }

  Result<void> assignment() {
    const Token first = tokens_.peek();
    auto target = expression(nullptr);
    if (!target) return std::unexpected(target.error());
    const Location where = tokens_.here();
    TRY(tokens_.expect(":="));
    if ((*target)->op != Op::Var && (*target)->op != Op::Select)
      return fail(where, "only a variable, an element of a map or a field can be assigned");
    return assign_to(*target, first);
  }

  /// What stands right of `:=`: a call, an allocation or an expression.
  Result<void> assign_to(Term target, const Token& first) {
    const bool is_call = tokens_.at("call") && tokens_.peek(1).kind == TokenKind::Name;
    const bool is_new = tokens_.at("new") && tokens_.peek(1).kind == TokenKind::Name;
    if (is_call || is_new) {
      Term direct = target->op == Op::Var ? target : nullptr;
      if (!direct) {
        Type type{.sort = target->sort};
        if (target->sort->kind == SortKind::Map)
          return fail(tokens_.where(first), "assign this through a local variable");
        direct = fresh_local("value", std::move(type));
      }
      TRY(is_call ? call(direct, first.line) : allocation(direct));
      if (direct != target) push(store_statement(target, direct, {}));
      return {};
    }
    auto value = expression(target->sort);
    if (!value) return std::unexpected(value.error());
    auto where = end_of_statement(first.line, false);
    if (!where) return std::unexpected(where.error());
    push(store_statement(target, *value, *where));
    return {};
  }

  /// `m[a][b] := v` is `m := m[a := m[a][b := v]]`.
  Statement store_statement(Term target, Term value, Location where) {
    while (target->op == Op::Select) {
      value = arena_.store(target->args[0], target->args[1], value);
      target = target->args[0];
    }
    return {
        .kind = StatementKind::Assign, .target = target, .value = value, .where = std::move(where)};
  }

  Result<void> allocation(Term target) {
    tokens_.take();
    auto record = tokens_.expect_name("the name of a record");
    if (!record) return std::unexpected(record.error());
    auto where = end_of_statement(record->line, false);
    if (!where) return std::unexpected(where.error());
    push({.kind = StatementKind::New, .target = target, .record = record->text, .where = *where});
    return {};
  }

  Result<void> havoc() {
    const Token word = tokens_.take();
    Chooser chooser = Chooser::Environment;
    if (tokens_.peek(1).kind == TokenKind::Name) {
      if (tokens_.take_if("client"))
        chooser = Chooser::Client;
      else if (tokens_.take_if("unknown"))
        chooser = Chooser::Unknown;
    }
    auto name = tokens_.expect_name("a variable");
    if (!name) return std::unexpected(name.error());
    Term term = scope_.lookup(name->text);
    if (!term || term->op != Op::Var)
      return fail(tokens_.where(*name), "'{}' is not declared{}", name->text,
                  suggestion(name->text, scope_.names()));
    std::string from;
    if (tokens_.take_if("from")) {
      auto callee = read_text(tokens_);
      if (!callee) return std::unexpected(callee.error());
      from = *callee;
    }
    auto where = end_of_statement(word.line, false);
    if (!where) return std::unexpected(where.error());
    push({.kind = StatementKind::Havoc,
          .target = term,
          .chooser = chooser,
          .from = std::move(from),
          .where = *where});
    return {};
  }

  Result<void> assume() {
    const Token word = tokens_.take();
    auto term = expression(arena_.bool_sort());
    if (!term) return std::unexpected(term.error());
    auto where = end_of_statement(word.line, false);
    if (!where) return std::unexpected(where.error());
    Statement read = granted(*term);
    if (word.text == "assume") read.chooser = Chooser::Environment;
    read.where = *where;
    push(std::move(read));
    return {};
  }

  Result<void> assertion() {
    const Token word = tokens_.take();
    auto term = expression(arena_.bool_sort());
    if (!term) return std::unexpected(term.error());
    auto where = end_of_statement(word.line, true);
    if (!where) return std::unexpected(where.error());
    const BlockId ok = new_block(), bad = new_block();
    finish({.kind = TerminatorKind::Branch, .value = *term, .next = ok, .other = bad});
    start(bad);
    finish({.kind = TerminatorKind::Error, .name = "assert", .where = *where});
    start(ok);
    return {};
  }

  Result<void> error() {
    const Token word = tokens_.take();
    auto name = tokens_.expect_name("the name of the error");
    if (!name) return std::unexpected(name.error());
    auto made = made_at();
    if (!made) return std::unexpected(made.error());
    auto where = end_of_statement(word.line, true);
    if (!where) return std::unexpected(where.error());
    finish({.kind = TerminatorKind::Error, .name = name->text, .where = *where, .made = *made});
    return {};
  }

  Result<void> throwing() {
    const Token word = tokens_.take();
    if (word.text == "raise" && !extern_)
      return fail(tokens_.where(word), "only an extern raises what is its caller's mistake");
    if (!module_.exception_sort) return fail(tokens_.here(), "this module declares no exceptions");
    auto term = expression(module_.exception_sort);
    if (!term) return std::unexpected(term.error());
    auto made = made_at();
    if (!made) return std::unexpected(made.error());
    auto where = end_of_statement(word.line, true);
    if (!where) return std::unexpected(where.error());
    raise(*term, *where, *made, extern_ && word.text == "throw");
    return {};
  }

  std::vector<Handler> active_handlers() const {
    std::vector<Handler> all;
    for (auto level = handlers_.rbegin(); level != handlers_.rend(); ++level)
      all.insert(all.end(), level->begin(), level->end());
    return all;
  }

  void enter_handler(const Handler& handler, Term exception) {
    if (handler.binder)
      push({.kind = StatementKind::Assign, .target = handler.binder, .value = exception});
    jump(handler.target);
  }

  /// A throw inside `try`: to the first handler that covers it, decided here when the exception is
  /// a constant.
  void raise(Term exception, const Location& where, const Location& made, bool environment) {
    for (const Handler& handler : active_handlers()) {
      Term covered = handler.exception == "*" ? arena_.truth()
                                              : scope_.is_exception(exception, handler.exception);
      if (is_false(covered)) continue;
      if (is_true(covered)) return enter_handler(handler, exception);
      const BlockId inside = new_block(), outside = new_block();
      finish({.kind = TerminatorKind::Branch, .value = covered, .next = inside, .other = outside});
      start(inside);
      enter_handler(handler, exception);
      start(outside);
    }
    finish({.kind = TerminatorKind::Throw,
            .value = exception,
            .environment = environment,
            .where = where,
            .made = made});
  }

  Result<void> returning() {
    const Token word = tokens_.take();
    Term value = nullptr;
    if (!tokens_.at(";") && tokens_.peek().kind != TokenKind::Mark) {
      if (!procedure_.returns)
        return fail(tokens_.here(), "'{}' returns no value", procedure_.name);
      auto term = expression(procedure_.returns->sort);
      if (!term) return std::unexpected(term.error());
      value = *term;
    } else if (procedure_.returns) {
      return fail(tokens_.here(), "'{}' returns a value of type {}", procedure_.name,
                  to_string(*procedure_.returns));
    }
    auto where = end_of_statement(word.line, false);
    if (!where) return std::unexpected(where.error());
    finish({.kind = TerminatorKind::Return, .value = value, .where = *where});
    return {};
  }

  Result<void> conditional() {
    tokens_.take();
    auto term = condition();
    if (!term) return std::unexpected(term.error());
    const BlockId yes = new_block(), no = new_block(), after = new_block();
    finish({.kind = TerminatorKind::Branch, .value = *term, .next = yes, .other = no});
    start(yes);
    TRY(block_or_statement());
    jump(after);
    start(no);
    if (tokens_.take_if("else")) TRY(block_or_statement());
    jump(after);
    start(after);
    return {};
  }

  Result<void> loop() {
    tokens_.take();
    const BlockId head = new_block(), body = new_block(), after = new_block();
    jump(head);
    start(head);
    auto term = condition();
    if (!term) return std::unexpected(term.error());
    finish({.kind = TerminatorKind::Branch, .value = *term, .next = body, .other = after});
    loops_.push_back({head, after});
    start(body);
    TRY(block_or_statement());
    jump(head);
    loops_.pop_back();
    start(after);
    return {};
  }

  Result<void> leave_loop() { return loop_jump(&Loop::after, "break"); }
  Result<void> next_turn() { return loop_jump(&Loop::head, "continue"); }

  Result<void> loop_jump(BlockId Loop::* target, std::string_view word) {
    const Token token = tokens_.take();
    if (loops_.empty()) return fail(tokens_.where(token), "'{}' stands outside of any loop", word);
    TRY(end_of_statement(token.line, false));
    jump(loops_.back().*target);
    return {};
  }

  Result<void> selection() {
    tokens_.take();
    TRY(tokens_.expect("("));
    auto subject = expression(nullptr);
    if (!subject) return std::unexpected(subject.error());
    TRY(tokens_.expect(")"));
    TRY(tokens_.expect("{"));
    const BlockId after = new_block();
    bool has_default = false;
    while (!tokens_.at("}")) {
      if (has_default) return fail(tokens_.here(), "'default' comes last in a switch");
      if (at_default()) {
        tokens_.take();
        tokens_.take();
        has_default = true;
        TRY(statements());
        jump(after);
        continue;
      }
      TRY(tokens_.expect("case"));
      std::vector<Term> tests;
      do {
        auto value = expression((*subject)->sort);
        if (!value) return std::unexpected(value.error());
        tests.push_back(arena_.eq(*subject, *value));
      } while (tokens_.take_if(","));
      TRY(tokens_.expect(":"));
      const BlockId body = new_block(), next = new_block();
      finish({.kind = TerminatorKind::Branch,
              .value = arena_.disj(std::move(tests)),
              .next = body,
              .other = next});
      start(body);
      TRY(statements());
      jump(after);
      start(next);
    }
    TRY(tokens_.expect("}"));
    jump(after);
    start(after);
    return {};
  }

  Result<void> protection() {
    tokens_.take();
    // Handlers are read after the protected statements but needed before: look ahead for the catch
    // clauses.
    const std::size_t protected_at = tokens_.position();
    TRY(skip_statement());
    struct Clause {
      Handler handler;
      std::size_t body = 0;
    };
    std::vector<Clause> clauses;
    std::size_t end = tokens_.position();
    while (tokens_.at("catch")) {
      auto handler = catch_head();
      if (!handler) return std::unexpected(handler.error());
      handler->target = new_block();
      clauses.push_back({*handler, tokens_.position()});
      TRY(skip_statement());
      end = tokens_.position();
    }
    if (clauses.empty()) return std::unexpected(tokens_.unexpected("'catch'"));

    tokens_.rewind(protected_at);
    const BlockId after = new_block();
    handlers_.emplace_back();
    for (const Clause& c : clauses) handlers_.back().push_back(c.handler);
    TRY(block_or_statement());
    handlers_.pop_back();
    jump(after);
    for (const Clause& c : clauses) {
      tokens_.rewind(c.body);
      start(c.handler.target);
      TRY(block_or_statement());
      jump(after);
    }
    tokens_.rewind(end);
    start(after);
    return {};
  }

  /// `catch (T x)`, `catch (* x)`, `catch (T)`: up to the closing parenthesis.
  Result<Handler> catch_head() {
    tokens_.take();
    TRY(tokens_.expect("("));
    auto handler = handler_type();
    if (!handler) return handler;
    if (!tokens_.at(")")) {
      auto name = tokens_.expect_name("a name for the exception, or ')'");
      if (!name) return std::unexpected(name.error());
      if (const Variable* known = procedure_.find_local(name->text)) {
        if (known->type.sort != module_.exception_sort)
          return fail(tokens_.where(*name), "'{}' is declared already, as {}", name->text,
                      to_string(known->type));
        handler->binder = known->term;
      } else {
        handler->binder = arena_.var(name->text, module_.exception_sort);
        procedure_.locals.push_back({handler->binder, Type{.sort = module_.exception_sort}});
      }
    }
    TRY(tokens_.expect(")"));
    return handler;
  }

  Result<Handler> handler_type() {
    const Location where = tokens_.here();
    if (tokens_.take_if("*")) return Handler{.exception = "*"};
    auto name = tokens_.expect_name("an exception or '*'");
    if (!name) return std::unexpected(name.error());
    if (!module_.find_exception(name->text))
      return fail(where, "'{}' is not a declared exception", name->text);
    return Handler{.exception = name->text};
  }

  /// Passes over one statement without reading it, by its brackets.
  Result<void> skip_statement() {
    const Location start = tokens_.here();
    int depth = 0;
    const bool is_block = tokens_.at("{");
    while (!tokens_.at_end()) {
      if (tokens_.at("{")) ++depth;
      if (tokens_.at("}") && --depth == 0 && is_block) {
        tokens_.take();
        return {};
      }
      if (tokens_.at(";") && depth == 0 && !is_block) {
        tokens_.take();
        return {};
      }
      if (depth < 0) break;
      tokens_.take();
    }
    return fail(start, "this statement is never closed");
  }

  Result<void> plain_call() { return call(nullptr, tokens_.peek().line); }

  Result<void> call(Term result, int line) {
    tokens_.take();
    auto name = tokens_.expect_name("the name of a procedure");
    if (!name) return std::unexpected(name.error());
    const Procedure* callee = module_.find_procedure(name->text);
    if (!callee) {
      std::vector<std::string> known;
      for (const Procedure& p : module_.procedures) known.push_back(p.name);
      return fail(tokens_.where(*name), "'{}' is not a procedure of this module{}", name->text,
                  suggestion(name->text, known));
    }
    Terminator end{.kind = TerminatorKind::Call, .name = name->text, .result = result};
    const std::vector<Variable> parameters = callee->parameters;
    TRY(tokens_.expect("("));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (i > 0) TRY(tokens_.expect(","));
      auto argument = expression(parameters[i].type.sort);
      if (!argument) return std::unexpected(argument.error());
      end.arguments.push_back(*argument);
    }
    TRY(tokens_.expect(")"));
    while (tokens_.take_if("catch")) {
      auto handler = handler_type();
      if (!handler) return std::unexpected(handler.error());
      if (!tokens_.at("goto") || tokens_.peek(1).kind != TokenKind::Name) {
        auto binder = tokens_.expect_name("a variable for the exception, or 'goto'");
        if (!binder) return std::unexpected(binder.error());
        handler->binder = scope_.lookup(binder->text);
        if (!handler->binder || handler->binder->sort != module_.exception_sort)
          return fail(tokens_.where(*binder), "'{}' is not a variable of type exception",
                      binder->text);
      }
      TRY(tokens_.expect("goto"));
      auto target = label_target();
      if (!target) return std::unexpected(target.error());
      handler->target = *target;
      end.handlers.push_back(*handler);
    }
    for (const Handler& h : active_handlers()) end.handlers.push_back(h);
    auto where = end_of_statement(line, true);
    if (!where) return std::unexpected(where.error());
    end.where = *where;
    end.next = new_block();
    const BlockId next = end.next;
    finish(std::move(end));
    start(next);
    return {};
  }

  TokenStream& tokens_;
  Module& module_;
  Procedure& procedure_;
  TermArena& arena_;
  const bool extern_; // what it throws is the environment's failure, what it raises is not
  ModuleScope scope_;
  const std::string& site_file_;
  BlockId current_ = 0;
  bool open_ = true;
  int nesting_ = 0;
  std::map<std::string, Label> labels_;
  std::vector<Loop> loops_;
  std::vector<std::vector<Handler>> handlers_;
};

} // namespace

Result<void> read_body(TokenStream& tokens, Module& module, Procedure& procedure,
                       const std::string& site_file) {
  return BodyReader(tokens, module, procedure, site_file).run();
}

} // namespace tacit
