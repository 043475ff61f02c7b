// A component from a class: which methods are calls, in which order bodies are lowered, and what is
// settled only when all of them are known.
#include "frontend/java/lower.h"

#include <algorithm>

#include "base/should.h"
#include "frontend/java/body.h"
#include "frontend/java/context.h"
#include "frontend/java/contracts.h"
#include "frontend/java/default_errors.h"
#include "frontend/shared/alphabet.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"
#include "program/ir/verify.h"
#include "program/text/externs.h"

namespace tacit::java {

namespace {

constexpr int max_rounds = 60;

class ClassLowering {
public:
  ClassLowering(ClassPool& pool, const ClassFile& type, const LowerOptions& options,
                const Discoveries& known, const Contracts& given, const Contracts& library)
      : context_(pool, type, options, known, &library) {
    context_.given = &given;
    context_.keep_component();
  }

  Result<void> run() {
    add_methods();
    add_constructors();
    if (auto lowered = lower_bodies(); !lowered) return lowered;
    let_others_run();
    if (auto lowered = static_initialisers(); !lowered) return lowered;
    context_.leak_unseen();
    return {};
  }

  Context& context() { return context_; }

  Result<Module> finish() {
    initialise_objects();
    clear_null();
    restore_native_fields();
    for (const Term map : context_.held_values()) forget_unread(map);
    assume_receivers();
    order_state();
    rename_clashes();
    note_assumptions();
    fill_externs();
    if (auto added = apply_contracts(context_); !added) return std::unexpected(added.error());
    keep_changes();
    if (auto errors = default_errors(context_.pool, context_.own_classes(), context_.module);
        !errors.empty())
      context_.module.conventions.errors = std::move(errors);
    const auto problems = verify(context_.module);
    if (!problems.empty())
      should_not_be_reached("lowered Java should be well formed: " + problems.front().message);
    return std::move(context_.module);
  }

private:
  struct Candidate {
    const ClassFile* owner = nullptr;
    const Method* method = nullptr;
    Signature signature;
  };

  static std::string parameters(const std::string& descriptor) {
    return descriptor.substr(0, descriptor.find(')') + 1);
  }

  bool is_client() const { return !context_.options.client_of.empty(); }

  /// The public instance methods that a client can call, inherited and default ones included.
  std::vector<Candidate> public_methods() {
    std::vector<Candidate> found;
    std::set<std::string> seen;
    auto visit = [&](const ClassFile& file) {
      for (const Method& m : file.methods) {
        if (m.name[0] == '<') continue;
        const auto signature = parse_signature(m.descriptor);
        if (!signature) continue;
        if (m.is(access::is_static)) {
          if (is_client() && !m.is(access::is_private | access::is_synthetic) &&
              &file == &context_.type())
            found.push_back({&file, &m, *signature});
          else if (m.is(access::is_public) && &file == &context_.type())
            context_.module.leave_out(m.name + signature->simple(), "it is static");
          continue;
        }
        // A non-public method hides nothing public; a bridge stands for the method it calls.
        const bool called = is_client() && &file == &context_.type() ? !m.is(access::is_private)
                                                                     : m.is(access::is_public);
        if (!called || m.is(access::is_bridge | access::is_synthetic)) continue;
        if (!seen.insert(m.name + parameters(m.descriptor)).second) continue;
        found.push_back({&file, &m, *signature});
      }
    };
    const auto& chain = context_.receivers()[0].chain;
    std::vector<std::string> interfaces;
    for (const ClassFile* one : chain) {
      if (one->name == "java/lang/Object") continue;
      visit(*one);
      interfaces.insert(interfaces.end(), one->interfaces.begin(), one->interfaces.end());
    }
    std::set<std::string> visited;
    // Defaults first, so that an abstract declaration elsewhere does not hide them.
    std::vector<const ClassFile*> files;
    for (std::size_t i = 0; i < interfaces.size(); ++i) {
      if (!visited.insert(interfaces[i]).second) continue;
      const ClassFile* file = context_.pool.find(interfaces[i]);
      if (!file) continue;
      files.push_back(file);
      interfaces.insert(interfaces.end(), file->interfaces.begin(), file->interfaces.end());
    }
    for (const ClassFile* file : files)
      for (const Method& m : file->methods) {
        if (m.name[0] == '<' || m.is(access::is_static) || !m.is(access::is_public) ||
            m.is(access::is_bridge | access::is_synthetic))
          continue;
        const auto signature = parse_signature(m.descriptor);
        if (!signature || seen.contains(m.name + parameters(m.descriptor))) continue;
        // Interfaces declare methods of Object again; these count only when a class overrides them.
        const ClassFile* object = context_.pool.find("java/lang/Object");
        if (object && std::ranges::any_of(object->methods, [&](const Method& o) {
              return o.name == m.name && parameters(o.descriptor) == parameters(m.descriptor);
            }))
          continue;
        const auto target = context_.pool.find_method(context_.type().name, m.name, m.descriptor);
        if (!target.method) continue;
        seen.insert(m.name + parameters(m.descriptor));
        found.push_back({target.owner, target.method, *signature});
      }
    return found;
  }

  /// Overloads that differ in packages only are numbered.
  static std::vector<std::string> spell(const std::vector<Candidate>& list,
                                        const std::string& simple) {
    std::vector<CallName> calls;
    for (const Candidate& c : list)
      calls.push_back({.bare = c.method->name == "<init>" ? simple : c.method->name,
                       .parameters = c.signature.simple()});
    return spell_calls(calls, '~');
  }

  void add_methods() {
    const auto list = public_methods();
    const auto names = spell(list, "");
    for (std::size_t i = 0; i < list.size(); ++i)
      context_.add_root({list[i].owner, list[i].method,
                         list[i].method->is(access::is_static) ? no_receiver : 0,
                         ProcedureKind::Method, names[i]});
  }

  void add_constructors() {
    std::vector<Candidate> all;
    for (const unsigned level : {access::is_public, access::is_protected, 0u, access::is_private}) {
      for (const Method& m : context_.type().methods) {
        constexpr unsigned levels = access::is_public | access::is_protected | access::is_private;
        if (m.name != "<init>" || (m.flags & levels) != level || m.is(access::is_synthetic))
          continue;
        if (const auto signature = parse_signature(m.descriptor))
          all.push_back({&context_.type(), &m, *signature});
      }
      if (!all.empty()) break;
    }
    const std::string simple = JavaType{'L', context_.type().name}.simple();
    const auto names = spell(all, simple);
    for (std::size_t i = 0; i < all.size(); ++i)
      context_.add_root({all[i].owner, all[i].method, 0, ProcedureKind::Constructor, names[i]});
  }

  Result<void> lower_bodies() {
    for (Context::Body body; context_.next_body(body);) {
      if (!body.method->code && body.kind != ProcedureKind::Internal) {
        context_.module.procedures.push_back(forwarded(body));
        continue;
      }
      BodyLowering lowering(context_, body);
      auto made = lowering.run();
      if (!made) return std::unexpected(made.error());
      for (const std::string& what : lowering.approximations()) context_.assume(what);
      if (!lowering.unsupported().empty()) anything_.insert(made->name);
      context_.module.procedures.push_back(std::move(*made));
    }
    return {};
  }

  /// A public method that is abstract or native: it is an opaque callee itself.
  Procedure forwarded(const Context::Body& body) {
    TermArena& arena = context_.arena;
    Procedure made;
    made.name = body.name;
    made.kind = body.kind;
    made.where = {Context::source_of(*body.owner), 0, 0};
    const auto signature = parse_signature(body.method->descriptor);
    Terminator call{.kind = TerminatorKind::Call, .next = 1};
    call.where = made.where;
    call.arguments.push_back(context_.receiver_term(0));
    for (std::size_t i = 0; i < signature->parameters.size(); ++i) {
      const Type type = context_.type_of(signature->parameters[i]);
      const Term term = arena.var(fmt::format("p{}~", i + 1), type.sort);
      made.parameters.push_back({term, type});
      call.arguments.push_back(term);
    }
    call.name = context_.opaque({.owner = body.owner->name,
                                 .name = body.method->name,
                                 .descriptor = body.method->descriptor,
                                 .method = body.method,
                                 .with_receiver = true,
                                 .gets_component = true},
                                {});
    Terminator last{.kind = TerminatorKind::Return};
    if (signature->result.letter != 'V') {
      made.returns = context_.type_of(signature->result);
      call.result = last.value = arena.var("value~", made.returns->sort);
      made.locals.push_back({last.value, *made.returns});
    }
    std::vector<Statement> effects;
    if (body.method->is(access::is_native))
      for (const Term field : context_.native_fields(0))
        effects.push_back(
            {.kind = StatementKind::Havoc, .target = field, .chooser = Chooser::Unknown});
    made.blocks.push_back({std::move(effects), std::move(call)});
    made.blocks.push_back({{}, std::move(last)});
    return made;
  }

  /// Before a call others may have run what they got, whoever gave it to them and when.
  void let_others_run() {
    for (Procedure& p : context_.module.procedures)
      if (p.kind == ProcedureKind::Method)
        for (const std::string& name : context_.run_by_others) prepend_call(p, name, false);
  }

  /// Static state starts as the class initialisers leave it: those of the component and of what is
  /// around it run first, superclasses before their subclasses.
  Result<void> static_initialisers() {
    std::map<std::string, std::string> runs; // procedures, by class
    std::vector<std::string> too_large, names;
    std::set<std::string> handled;
    const auto add = [&](const std::string& owner) -> Result<void> {
      if (!handled.insert(owner).second) return {};
      const Method* init = context_.initialiser(owner);
      if (!init || context_.starts_lazily(owner)) return {};
      if (init->code->bytes.size() > largest_initialiser) {
        too_large.push_back(owner);
        return {};
      }
      runs[owner] = context_.procedure(*context_.pool.find(owner), *init, no_receiver);
      return lower_bodies();
    };
    const auto first = context_.starting_classes();
    for (const std::string& owner : first)
      if (context_.reaches_others(owner) || context_.may_fail(owner))
        if (auto added = add(owner); !added) return added;
    for (std::size_t known = 0; known != context_.static_owners().size();) {
      const auto owners = context_.static_owners();
      known = owners.size();
      for (const auto& [owner, field] : owners) {
        context_.assume(fmt::format("static fields of {} are changed by calls on this object only",
                                    dotted(owner)));
        if (auto added = add(owner); !added) return added;
      }
    }
    for (const std::string& owner : too_large) context_.hide_statics(owner);
    for (const auto& [owner, name] : context_.initialisers()) context_.note_failing(owner, name);
    for (const auto& [owner, name] : runs)
      if (std::ranges::find(first, owner) == first.end()) context_.note_failing(owner, name);
    // What depends on nothing, then superclasses before their subclasses.
    for (const auto& [owner, name] : runs)
      if (std::ranges::find(first, owner) == first.end()) names.push_back(name);
    for (const std::string& owner : first)
      if (const auto run = runs.find(owner); run != runs.end()) names.push_back(run->second);
    if (!names.empty()) context_.assume("class initialisers succeed");
    std::ranges::reverse(names);
    for (Procedure& p : context_.module.procedures) {
      if (p.kind != ProcedureKind::Constructor) continue;
      for (const std::string& name : names) prepend_call(p, name, true);
      prepend_hidden(p);
    }
    return {};
  }

  /// `havoc t; assume t != null && String.text[t] == 7`: some object that holds this.
  static bool picks(const Statement& choice, const Statement& fact, Term map) {
    if (choice.kind != StatementKind::Havoc || choice.chooser != Chooser::Environment ||
        fact.kind != StatementKind::Assume || fact.value->op != Op::And)
      return false;
    return std::ranges::any_of(fact.value->args, [&](Term part) {
      return part->op == Op::Eq && std::ranges::any_of(part->args, [&](Term side) {
               return side->op == Op::Select && side->args[0] == map &&
                      side->args[1] == choice.target;
             });
    });
  }

  /// Where nobody looks at what strings (or boxes) hold, a constant is some object, and that there
  /// is one needs no assumption; which one it is stays hidden.
  void forget_unread(Term map) {
    const std::string record = context_.module.find_state(map->name)->record;
    const auto reads = [&](Term term) {
      return term && std::ranges::count(variables(term), map) > 0;
    };
    std::size_t picked = 0;
    for (const Procedure& p : context_.module.procedures)
      for (const Block& b : p.blocks) {
        for (std::size_t i = 0; i < b.statements.size(); ++i) {
          if (!reads(b.statements[i].value)) continue;
          if (i == 0 || !picks(b.statements[i - 1], b.statements[i], map)) return;
          // What else is said of the object stays.
          if (std::ranges::any_of(variables(b.statements[i].value), [&](Term v) {
                return v != map && context_.module.find_state(v->name);
              }))
            return;
          ++picked;
        }
        if (reads(b.end.value) || std::ranges::any_of(b.end.arguments, reads)) return;
      }
    if (picked == 0) return;
    context_.need_record("Object");
    for (Procedure& p : context_.module.procedures)
      for (Block& b : p.blocks)
        for (std::size_t i = 1; i < b.statements.size(); ++i) {
          if (!picks(b.statements[i - 1], b.statements[i], map)) continue;
          const Term target = b.statements[i - 1].target;
          const Term other = context_.arena.var(target->name + "~other", target->sort);
          p.locals.push_back({other, {.sort = target->sort}});
          b.statements[i - 1] = {.kind = StatementKind::New, .target = target, .record = "Object"};
          b.statements[i] = {
              .kind = StatementKind::Havoc, .target = other, .chooser = Chooser::Unknown};
          b.statements.insert(
              b.statements.begin() + static_cast<std::ptrdiff_t>(i) + 1,
              {.kind = StatementKind::Assign,
               .target = target,
               .value = context_.arena.ite(context_.arena.eq(other, context_.arena.null()), target,
                                           other)});
        }
    for (Procedure& p : context_.module.procedures)
      for (Block& b : p.blocks)
        std::erase_if(b.statements, [&](const Statement& s) { return s.target == map; });
    std::erase_if(context_.module.state, [&](const StateVariable& v) { return v.term == map; });
    for (Record& r : context_.module.records)
      if (r.name == record)
        std::erase_if(r.fields, [&](const auto& f) { return record + "." + f.first == map->name; });
    std::erase_if(context_.module.records,
                  [&](const Record& r) { return r.name == record && r.fields.empty(); });
  }

  /// What natives alone write is at its default when a constructor returns.
  void restore_native_fields() {
    for (Procedure& p : context_.module.procedures) {
      if (p.kind != ProcedureKind::Constructor) continue;
      for (Block& b : p.blocks) {
        if (b.end.kind != TerminatorKind::Return) continue;
        for (const StateVariable& v : context_.module.state)
          if (context_.never_assigned().contains(v.term))
            b.statements.push_back(
                {.kind = StatementKind::Assign, .target = v.term, .value = v.initial});
      }
    }
  }

  /// Nobody knows what these start with, not even the client.
  void prepend_hidden(Procedure& p) {
    std::vector<Statement> made;
    for (const auto& [field, object] : context_.hidden_statics()) {
      if (object) context_.need_record("Object");
      if (object)
        made.push_back({.kind = StatementKind::New, .target = field, .record = "Object"});
      else
        made.push_back(
            {.kind = StatementKind::Havoc, .target = field, .chooser = Chooser::Unknown});
    }
    auto& statements = p.blocks[0].statements;
    const auto rest = std::ranges::find_if_not(statements, [](const Statement& s) {
      return s.kind == StatementKind::Havoc && s.chooser == Chooser::Client;
    });
    statements.insert(rest, made.begin(), made.end());
  }

  /// Calls a procedure first. Where it may throw, nothing is behind that.
  void prepend_call(Procedure& p, const std::string& name, bool may_throw) {
    const auto blocked = static_cast<BlockId>(p.blocks.size() + 1);
    for (Block& b : p.blocks) {
      ++b.end.next;
      ++b.end.other;
      for (Handler& h : b.end.handlers) ++h.target;
    }
    Block first;
    auto& statements = p.blocks[0].statements;
    const auto rest = std::ranges::find_if_not(statements, [](const Statement& s) {
      return s.kind == StatementKind::Havoc && s.chooser == Chooser::Client;
    });
    first.statements.assign(statements.begin(), rest);
    statements.erase(statements.begin(), rest);
    first.end = {.kind = TerminatorKind::Call, .next = 1, .name = name};
    if (may_throw) first.end.handlers.push_back({.exception = "*", .target = blocked});
    first.end.where = p.where;
    p.blocks.insert(p.blocks.begin(), std::move(first));
    if (may_throw) {
      Block dead;
      dead.statements.push_back(
          {.kind = StatementKind::Assume, .value = context_.arena.falsehood()});
      dead.end.kind = TerminatorKind::Return;
      p.blocks.push_back(std::move(dead));
    }
    tidy(p);
  }

  std::vector<std::string> copied_records(std::size_t receiver) {
    return context_.record_chain(context_.record_of(*context_.receivers()[receiver].type));
  }

  /// A new object has its fields at their defaults; which fields matter is known only now.
  void initialise_objects() {
    Module& module = context_.module;
    // Fields of the original may be needed first for its copies.
    for (const auto& [copy, receiver] : context_.clones())
      for (const std::string& one : copied_records(receiver))
        for (std::size_t v = 0; v < module.state.size(); ++v)
          if (module.state[v].record == one)
            context_.field_like(receiver, StateVariable(module.state[v]));
    for (Procedure& p : module.procedures)
      for (Block& b : p.blocks) {
        std::vector<Statement> made;
        for (Statement& s : b.statements) {
          const std::string record = s.kind == StatementKind::New ? s.record : "";
          const Term target = s.target;
          made.push_back(std::move(s));
          if (record.empty()) continue;
          for (const std::string& one : context_.record_chain(record))
            for (const StateVariable& v : module.state) {
              if (v.record != one) continue;
              const auto copy = context_.clones().find(target);
              const Term holds = copy == context_.clones().end()
                                     ? default_term(context_.arena, *v.type.value)
                                     : context_.field_like(copy->second, v);
              made.push_back({.kind = StatementKind::Assign,
                              .target = v.term,
                              .value = context_.arena.store(v.term, target, holds)});
            }
        }
        b.statements = std::move(made);
      }
    for (Procedure& p : module.procedures) {
      if (!anything_.contains(p.name)) continue;
      for (const StateVariable& v : module.state)
        p.blocks[0].statements.push_back(
            {.kind = StatementKind::Havoc, .target = v.term, .chooser = Chooser::Unknown});
    }
  }

  /// Nothing is kept of library objects at null, so that what is said of an object that is not
  /// there says nothing of what was before.
  void clear_null() {
    Module& module = context_.module;
    for (Procedure& p : module.procedures) {
      if (p.kind != ProcedureKind::Constructor || p.blocks.empty()) continue;
      auto& first = p.blocks[0].statements;
      for (const StateVariable& v : module.state) {
        if (!context_.fact_maps().contains(v.term)) continue;
        const Term nothing = default_term(context_.arena, *v.type.value);
        first.insert(first.begin(),
                     {.kind = StatementKind::Assign,
                      .target = v.term,
                      .value = context_.arena.store(v.term, context_.arena.null(), nothing)});
      }
    }
  }

  /// The object itself and those around it are never null: said where they are spoken of, and from
  /// the start.
  void assume_receivers() {
    Module& module = context_.module;
    for (const Receiver& receiver : context_.receivers()) {
      const StateVariable* known = module.find_state(receiver.name);
      if (!known || known->type.sort != context_.arena.ref_sort()) continue;
      const Term self = known->term;
      const auto speaks = [&](Term t) { return t && std::ranges::count(variables(t), self) > 0; };
      for (Procedure& p : module.procedures) {
        if (p.blocks.empty() || p.kind == ProcedureKind::Extern) continue;
        const bool spoken = std::ranges::any_of(p.blocks, [&](const Block& b) {
          return speaks(b.end.value) || std::ranges::any_of(b.end.arguments, speaks) ||
                 std::ranges::any_of(b.statements,
                                     [&](const Statement& s) { return speaks(s.value); });
        });
        if (!spoken && p.kind != ProcedureKind::Constructor) continue;
        auto& statements = p.blocks[0].statements;
        statements.insert(std::ranges::find_if(statements,
                                               [](const Statement& s) {
                                                 return s.kind != StatementKind::Havoc ||
                                                        s.chooser != Chooser::Client;
                                               }),
                          {.kind = StatementKind::Assume,
                           .value = context_.arena.ne(self, context_.arena.null())});
      }
    }
  }

  /// Maps of records first, in the order of the records: the order in which the text is read back.
  void order_state() {
    Module& module = context_.module;
    std::vector<StateVariable> ordered;
    for (const Record& r : module.records)
      for (const auto& [field, type] : r.fields)
        for (const StateVariable& v : module.state)
          if (v.record == r.name && v.name() == r.name + "." + field) ordered.push_back(v);
    for (const StateVariable& v : module.state)
      if (v.record.empty()) ordered.push_back(v);
    module.state = std::move(ordered);
    std::ranges::stable_sort(module.procedures, {}, [](const Procedure& p) {
      switch (p.kind) {
      case ProcedureKind::Extern: return 0;
      case ProcedureKind::Constructor: return 1;
      case ProcedureKind::Method: return 2;
      default: return 3;
      }
    });
  }

  /// Which enumerations there are is known only now; a local may bear the name of a constant.
  void rename_clashes() {
    std::set<std::string> constants;
    for (const Sort sort : context_.module.enums)
      for (const Enumerator& e : sort->decl->values) constants.insert(e.name);
    for (const Exception& e : context_.module.exceptions) constants.insert(e.name);
    Substitution of_state;
    for (StateVariable& v : context_.module.state) {
      if (!constants.contains(v.name())) continue;
      const Term other = context_.arena.var(v.name() + "~", v.type.sort);
      for (Procedure& p : context_.module.procedures)
        std::ranges::replace(p.writes, v.name(), other->name);
      of_state[v.term] = other;
      if (v.shown.empty()) v.shown = v.name();
      v.term = other;
    }
    for (Term& t : context_.module.invariants) t = substitute(context_.arena, t, of_state);
    for (Procedure& p : context_.module.procedures) {
      Substitution by = of_state;
      for (auto* list : {&p.parameters, &p.locals})
        for (Variable& v : *list) {
          if (!constants.contains(v.name())) continue;
          const Term other = context_.arena.var(v.name() + "~", v.type.sort);
          by[v.term] = other;
          if (v.shown.empty()) v.shown = v.name();
          v.term = other;
        }
      if (!by.empty()) rename(p, by);
    }
  }

  void rename(Procedure& p, const Substitution& by) {
    auto apply = [&](Term& term) {
      if (term) term = substitute(context_.arena, term, by);
    };
    for (Block& b : p.blocks) {
      for (Statement& s : b.statements) {
        apply(s.target);
        apply(s.value);
      }
      apply(b.end.value);
      apply(b.end.result);
      for (Term& a : b.end.arguments) apply(a);
      for (Handler& h : b.end.handlers) apply(h.binder);
    }
  }

  /// Own code that may call itself has no bound on its depth.
  bool recurses() const {
    std::map<std::string, std::vector<std::string>> calls;
    for (const Procedure& p : context_.module.procedures)
      for (const Block& b : p.blocks)
        if (b.end.kind == TerminatorKind::Call) calls[p.name].push_back(b.end.name);
    std::map<std::string, int> mark; // 1: on the path, 2: done
    std::function<bool(const std::string&)> visit = [&](const std::string& name) {
      int& known = mark[name];
      if (known != 0) return known == 1;
      known = 1;
      const bool found = std::ranges::any_of(calls[name], visit);
      mark[name] = 2;
      return found;
    };
    return std::ranges::any_of(context_.module.procedures,
                               [&](const Procedure& p) { return visit(p.name); });
  }

  /// Whether clients may get an object of this class, under the name of one that they know.
  bool is_given_out(const ClassFile& file) {
    return std::ranges::any_of(public_methods(), [&](const Candidate& c) {
      const JavaType& type = c.signature.result;
      return type.is_reference() && type.name != "java/lang/Object" &&
             context_.pool.is_subtype(file.name, type.name);
    });
  }

  /// Calls that are no letters but may change the object: static methods, and methods of other
  /// objects of own code that the client may hold.
  void note_other_calls() {
    for (const std::string& name : context_.own_classes()) {
      const ClassFile* file = context_.pool.find(name);
      const bool itself = file == &context_.type();
      // That objects around this one change through it only is said once.
      const bool around = std::ranges::any_of(context_.receivers(), [&](const Receiver& r) {
        return std::ranges::find(r.chain, file) != r.chain.end();
      });
      if (!file || !(file->is(access::is_public) || is_given_out(*file)) ||
          file->is(access::is_interface) || context_.is_enum(name) ||
          context_.pool.is_throwable(name) || (!itself && around))
        continue;
      for (const Method& m : file->methods) {
        const auto signature = parse_signature(m.descriptor);
        if (!signature || m.name[0] == '<' || !m.is(access::is_public) ||
            m.is(access::is_synthetic) || itself != m.is(access::is_static) ||
            !context_.acts(*file, m))
          continue;
        const std::string shown = m.name + signature->simple();
        if (itself) {
          context_.assume(fmt::format(
              "the static method {} does not change the object between its calls", shown));
          continue;
        }
        const std::string type = unpackaged(name);
        context_.module.leave_out(type + "." + shown, "it is a method of another object");
        context_.assume(
            fmt::format("objects of {} do not change the object between its calls", type));
      }
    }
  }

  void note_assumptions() {
    Module& module = context_.module;
    note_other_calls();
    if (recurses()) context_.assume("calls do not exhaust the stack: no StackOverflowError");
    if (!context_.pool.jdk_version().empty())
      context_.assume("library classes are those of JDK " + context_.pool.jdk_version());
    bool gets = false;
    for (const auto& [name, callee] : context_.externs()) gets |= callee.gets_component;
    if (gets && !context_.options.reentrant)
      context_.assume(
          "opaque callees that get the component do not write its non-public fields and "
          "do not call back");
    context_.assume("fields that are not public are written by the component's own code only");
    if (context_.receivers().size() > 1)
      context_.assume("the enclosing object is changed through this component only");
    static_cast<void>(module);
  }

  void fill_externs() {
    Module& module = context_.module;
    for (Procedure& p : module.procedures) {
      if (p.kind != ProcedureKind::Extern) continue;
      const auto& callee = context_.externs().at(p.name);
      for (Variable& v : p.parameters)
        if (module.find_state(v.name())) v.term = context_.arena.var(v.name() + "~", v.type.sort);
      const bool all = callee.writes_all || (callee.gets_component && context_.options.reentrant);
      for (const StateVariable& v : module.state)
        if (all || (callee.gets_component && v.client) || may_change(callee, v.term))
          p.writes.push_back(v.name());
    }
  }

  /// A callee may change the objects of the component that it is handed, and may run code of the
  /// client on others.
  bool may_change(const Context::Opaque& callee, Term kept) {
    if (std::ranges::find(context_.kept(), kept) == context_.kept().end()) return false;
    const auto signature = parse_signature(callee.descriptor);
    if (!signature) return true;
    const JavaType owner{'L', callee.owner};
    return (callee.with_receiver &&
            (context_.may_be_component(owner) ||
             (!callee.owner.starts_with("java/") && context_.leads_to_code(owner)))) ||
           std::ranges::any_of(signature->parameters,
                               [&](const JavaType& type) { return context_.leads_to_code(type); });
  }

  /// Contracts of library code do not speak of the component: what such code runs of the client
  /// (`toString` of an element) may change objects nevertheless.
  void keep_changes() {
    static const std::set<std::string> of_elements = {"toString", "hashCode", "equals"};
    const auto speaks = [&](const Procedure& p) {
      const auto kept = [&](Term term) {
        return term && std::ranges::any_of(variables(term), [&](Term v) {
                 return std::ranges::find(context_.kept(), v) != context_.kept().end();
               });
      };
      return std::ranges::any_of(p.blocks, [&](const Block& b) {
        return kept(b.end.value) || std::ranges::any_of(b.statements, [&](const Statement& s) {
                 return kept(s.target) || kept(s.value);
               });
      });
    };
    for (Procedure& p : context_.module.procedures) {
      const auto callee = context_.externs().find(p.name);
      if (p.kind != ProcedureKind::Extern || callee == context_.externs().end() || speaks(p))
        continue;
      const Context::Opaque& what = callee->second;
      if (!what.may_run_code && !(what.with_receiver && of_elements.contains(what.name) &&
                                  context_.leads_to_code({'L', what.owner})))
        continue;
      for (const Term kept : context_.kept())
        if (std::ranges::find(p.writes, kept->name) == p.writes.end())
          p.writes.push_back(kept->name);
    }
  }

  Context context_;
  std::set<std::string> anything_; // procedures whose effects are not known
};

} // namespace

Result<Module> lower_class(ClassPool& pool, const std::string& name, const LowerOptions& options) {
  auto file = pool.load(name);
  if (!file) return std::unexpected(file.error());
  const ClassFile& type = **file;
  if (type.is(access::is_module)) return fail("'{}' is a module description, not a class", name);
  if (type.is(access::is_interface))
    return fail("'{}' is {}; a class is needed", dotted(type.name),
                type.is(access::is_annotation) ? "an annotation" : "an interface");
  if (auto chain = pool.ancestry(type); !chain) return std::unexpected(chain.error());
  Discoveries known;
  // What the class names itself is most of what will be met.
  for (unsigned i = 0; i < type.pool.size(); ++i)
    if (const auto one = type.class_at(i); one && (*one)[0] != '[' && pool.is_throwable(*one))
      for (std::string at = *one; !at.empty() && at != "java/lang/Object";) {
        if (!known.exceptions.insert(at).second) break;
        const ClassFile* above = pool.find(at);
        at = above ? above->super : "";
      }
  for (const char* common : {"java/lang/Throwable", "java/lang/Exception",
                             "java/lang/RuntimeException", "java/lang/NullPointerException"})
    known.exceptions.insert(common);
  const auto given = given_contracts(options.contracts);
  if (!given) return std::unexpected(given.error());
  const Contracts library = all_contracts(*given, options.contracts);
  // A written program names the exceptions of all calls, also of those that this client does not
  // make.
  if (!options.client_of.empty())
    for (const auto& contract : given->all())
      for (std::string at : contract->exceptions) {
        std::ranges::replace(at, '.', '/');
        while (!at.empty() && at != "java/lang/Object" && known.exceptions.insert(at).second) {
          const ClassFile* above = pool.find(at);
          at = above ? above->super : "";
        }
      }
  known.implicit = implicit_errors(pool, options.errors);
  for (int i = 0; i < max_rounds; ++i) {
    ClassLowering lowering(pool, type, options, known, *given, library);
    if (!known.held) {
      known.held = std::make_shared<const HeldFields>(
          find_held_fields(pool, lowering.context().own_classes(), library));
      lowering.context().discovered.held = known.held;
    }
    if (auto done = lowering.run(); !done) return std::unexpected(done.error());
    declare_for_contracts(lowering.context());
    known = lowering.context().discovered;
    if (lowering.context().again) continue;
    auto module = lowering.finish();
    if (!module || !options.errors.empty()) return module;
    // What counts by default is known now.
    const std::size_t before = known.implicit.size();
    known.implicit.merge(implicit_errors(pool, module->conventions.errors));
    if (known.implicit.size() == before) return module;
  }
  return fail("'{}' could not be lowered: exceptions and fields did not settle", name);
}

Survey survey_classes(ClassPool& pool, const std::string& pattern) {
  Survey survey;
  for (const std::string& name : pool.names()) {
    if (!matches_wildcard(pattern, dotted(name))) continue;
    auto file = pool.load(name);
    if (!file) {
      survey.damaged.push_back(file.error());
      continue;
    }
    ++survey.classes;
    const LowerOptions options;
    Discoveries known;
    for (const char* common : {"java/lang/Throwable", "java/lang/Exception",
                               "java/lang/RuntimeException", "java/lang/NullPointerException"})
      known.exceptions.insert(common);
    Context context(pool, **file, options, known, nullptr);
    context.follow_calls = false;
    for (const Method& m : (*file)->methods) {
      if (!m.code) continue;
      ++survey.methods;
      const int receiver = m.is(access::is_static) ? no_receiver : 0;
      BodyLowering lowering(context, {*file, &m, receiver, ProcedureKind::Internal, m.name, ""});
      auto made = lowering.run();
      if (!made) {
        ++survey.unsupported;
        ++survey.reasons[to_string(made.error())];
        continue;
      }
      if (!lowering.unsupported().empty()) {
        ++survey.unsupported;
        ++survey.reasons[lowering.unsupported()];
      } else if (!lowering.approximations().empty()) {
        ++survey.approximated;
        for (const std::string& what : lowering.approximations()) ++survey.reasons[what];
      }
    }
  }
  return survey;
}

} // namespace tacit::java
