#include "frontend/llvm/lower.h"

#include <chrono>
#include <filesystem>
#include <regex>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/clang/compile.h"
#include "frontend/llvm/clang/compile_database.h"
#include "frontend/llvm/clang/listing.h"
#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/module/lowering.h"
#include "frontend/llvm/prepare/made_handles.h"
#include "frontend/llvm/prepare/owned_arguments.h"
#include "frontend/llvm/prepare/prepare.h"
#include "frontend/llvm/prepare/subject_model.h"
#include "frontend/llvm/prepare/views.h"
#include "frontend/llvm/prepare/void_handles.h"
#include "frontend/shared/class_choice.h"

namespace tacit {

namespace {

template <class Map> void merge_into(Map& all, Map&& more) {
  for (auto& [key, value] : more) all.emplace(key, std::move(value));
}

/// Facts about several units: what the first one says stays, except that a record or a function
/// with a body is worth more than a declaration.
void merge(SourceFacts& all, SourceFacts more) {
  if (more.language == "cpp") all.language = "cpp";
  for (auto& [name, record] : more.records)
    if (auto& known = all.records[name]; known.fields.empty()) known = std::move(record);
  merge_into(all.aliases, std::move(more.aliases));
  merge_into(all.enums, std::move(more.enums));
  merge_into(all.functions, std::move(more.functions));
  merge_into(all.globals, std::move(more.globals));
  merge_into(all.parents, std::move(more.parents));
  merge_into(all.caught_as, std::move(more.caught_as));
  for (auto& [name, classes] : more.derived) all.derived[name].merge(classes);
  merge_into(all.constants, std::move(more.constants));
  all.notes.insert(all.notes.end(), more.notes.begin(), more.notes.end());
  all.left_out.insert(all.left_out.end(), more.left_out.begin(), more.left_out.end());
  all.writers_left_out.insert(all.writers_left_out.end(), more.writers_left_out.begin(),
                              more.writers_left_out.end());
  if (all.subject.empty()) {
    all.subject = more.subject;
    all.subject_classes = std::move(more.subject_classes);
    all.base_offsets = std::move(more.base_offsets);
    all.trivial_constructors = std::move(more.trivial_constructors);
  }
  for (const auto& [from, to] :
       {std::pair{&more.methods, &all.methods}, std::pair{&more.constructors, &all.constructors}})
    for (const std::string& symbol : *from)
      if (std::ranges::find(*to, symbol) == to->end()) to->push_back(symbol);
}

/// Facts about library objects go by the paths of these: a global object gets a name that no field
/// of the subject and no other global has.
void tell_objects_apart(SourceFacts& facts) {
  const auto is_object = [](const FieldFact& field) {
    return field.type.kind == SourceType::Kind::Object;
  };
  std::set<std::string> taken;
  if (const auto subject = facts.records.find(facts.subject); subject != facts.records.end())
    for (const FieldFact& field : subject->second.fields)
      if (is_object(field)) taken.insert(field.path);
  for (auto& [symbol, global] : facts.globals)
    for (FieldFact& field : global.fields)
      if (is_object(field))
        while (!taken.insert(field.path).second) field.path.insert(global.name.size(), "_");
}

/// The struct whose pointer most functions that a client can call take first; empty when there is
/// none. Fails when several are as good.
Result<std::string> find_handle(const llvm::Module& code, SourceFacts& facts) {
  const auto [takers, functions] = count_takers(code, facts);
  std::size_t most = 0;
  for (const auto& [name, count] : takers) most = std::max(most, count);
  if (most < 2 || 2 * most <= functions) return std::string();
  std::vector<std::string> best;
  for (const auto& [name, count] : takers)
    if (count == most) best.push_back(name);
  if (best.size() > 1)
    return fail("--handle: {} are taken first by {} functions each; name one",
                fmt::join(best, ", "), most);
  facts.notes.push_back(fmt::format("the handle is {}, which {} of {} functions take first",
                                    best[0], most, functions));
  return best[0];
}

/// Whether a client could call something that is in no class.
bool has_free_functions(const SourceFacts& facts) {
  return std::ranges::any_of(facts.functions, [](const auto& known) {
    const FunctionFact& fact = known.second;
    return fact.in_class.empty() && !fact.in_system_header && !fact.is_static &&
           fact.name != "main" && fact.is_own;
  });
}

bool holds(const llvm::Type* type, const std::string& record, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (depth > deepest) return true;
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return holds(array->getElementType(), record, depth + 1);
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure) return false;
  if (structure->hasName() && structure->getName().contains(record)) return true;
  return std::ranges::any_of(structure->elements(), [&](const llvm::Type* element) {
    return holds(element, record, depth + 1);
  });
}

/// Locals in which objects of a record lie start as zero. An optimisation may take what was not
/// initialised for anything that suits it, and what was not made must be told from what was.
void zero_locals(llvm::Module& code, const std::string& record) {
  for (llvm::Function& function : code)
    for (llvm::BasicBlock& block : function)
      for (auto at = block.begin(); at != block.end();) {
        auto* local = llvm::dyn_cast<llvm::AllocaInst>(&*at++);
        if (!local || local->isArrayAllocation() || !holds(local->getAllocatedType(), record))
          continue;
        llvm::IRBuilder<> builder(&block, at);
        builder.CreateMemSet(local, builder.getInt8(0),
                             code.getDataLayout().getTypeAllocSize(local->getAllocatedType()),
                             local->getAlign());
      }
}

/// Whether a type is that record: clang calls it `struct.stream`, `class.ns::Name.3`.
bool is_record(const llvm::Type* type, llvm::StringRef record) {
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure || !structure->hasName()) return false;
  llvm::StringRef name = structure->getName();
  if (!name.consume_front("struct.")) name.consume_front("class.");
  if (!name.consume_front(record)) return false;
  return name.empty() ||
         (name.consume_front(".") && name.find_first_not_of("0123456789") == llvm::StringRef::npos);
}

/// What a function that returns twice leaves of local objects is not known: an optimisation may
/// take them to be as they were before.
void lose_locals(llvm::Module& code, const std::string& record) {
  llvm::IRBuilder<> builder(code.getContext());
  for (llvm::Function& function : code) {
    std::vector<llvm::AllocaInst*> objects;
    std::vector<llvm::CallInst*> landings;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& one : block)
        if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&one);
            local && holds(local->getAllocatedType(), record))
          objects.push_back(local);
        else if (auto* call = llvm::dyn_cast<llvm::CallInst>(&one);
                 call && call->hasFnAttr(llvm::Attribute::ReturnsTwice))
          landings.push_back(call);
    for (llvm::CallInst* landing : landings)
      for (llvm::AllocaInst* object : objects) {
        const auto callee =
            code.getOrInsertFunction("tacit_lost", builder.getVoidTy(), builder.getPtrTy());
        builder.SetInsertPoint(landing->getNextNode());
        builder.CreateCall(callee, {object})->setDebugLoc(landing->getDebugLoc());
      }
  }
}

/// Hands local objects of a record to a function wherever the function that they lie in is left.
void end_locals(llvm::Module& code, const std::string& record, const std::string& left) {
  llvm::IRBuilder<> builder(code.getContext());
  for (llvm::Function& function : code) {
    std::vector<llvm::AllocaInst*> objects;
    std::vector<llvm::Instruction*> exits;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& one : block)
        if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&one);
            local && !local->isArrayAllocation() && is_record(local->getAllocatedType(), record))
          objects.push_back(local);
        else if (llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(one))
          exits.push_back(&one);
    if (objects.empty()) continue;
    const auto callee = code.getOrInsertFunction(left, builder.getVoidTy(), builder.getPtrTy());
    for (llvm::Instruction* exit : exits) {
      builder.SetInsertPoint(exit);
      llvm::DebugLoc place = exit->getDebugLoc();
      if (!place && function.getSubprogram())
        place = llvm::DILocation::get(code.getContext(), function.getSubprogram()->getLine(), 0,
                                      function.getSubprogram());
      for (llvm::AllocaInst* object : objects)
        builder.CreateCall(callee, {object})->setDebugLoc(place);
    }
  }
}

/// Only functions that have code here, and that no other one needs, keep their place: these are
/// what a client can be entered by.
SourceFacts with_code(const SourceFacts& facts,
                      const std::vector<std::unique_ptr<llvm::Module>>& modules) {
  SourceFacts known = facts;
  for (auto& [symbol, fact] : known.functions) {
    const bool entered = std::ranges::any_of(modules, [&](const auto& code) {
      const llvm::Function* function = code->getFunction(symbol);
      if (!function || function->isDeclaration()) return false;
      return !function->hasLocalLinkage() ||
             std::ranges::none_of(function->users(), [&](const llvm::User* user) {
               const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
               return call && call->getCalledFunction() == function &&
                      call->getFunction() != function;
             });
    });
    if (!entered) fact.where = {};
  }
  return known;
}

/// Objects of the record hold what the stand-in keeps in them, wherever they lie: accesses are told
/// by place, and each place has one type.
class Relabelling {
public:
  Relabelling(const RecordFact& record, const RecordFact& object)
      : old_(record.fields), object_(object) {}

  void apply(std::vector<FieldFact>& fields) const {
    if (old_.empty()) return;
    std::vector<FieldFact> made;
    std::set<std::string> done; // prefixes of parts that have been replaced
    for (const FieldFact& field : fields) {
      const auto prefix = part_around(field, fields);
      if (!prefix) {
        made.push_back(field);
        continue;
      }
      const FieldFact& first = *find(fields, *prefix + old_[0].path);
      if (!is_taken(field, first.bit_offset - old_[0].bit_offset)) made.push_back(field);
      if (!done.insert(*prefix).second) continue;
      for (const FieldFact& kept : object_.fields) made.push_back(in_part(kept, *prefix, first));
    }
    std::ranges::stable_sort(made, {}, &FieldFact::bit_offset);
    fields = std::move(made);
  }

private:
  static const FieldFact* find(const std::vector<FieldFact>& fields, const std::string& path) {
    const auto found = std::ranges::find(fields, path, &FieldFact::path);
    return found == fields.end() ? nullptr : &*found;
  }

  /// The path, with its last dot, of the part of that record which a field belongs to.
  std::optional<std::string> part_around(const FieldFact& field,
                                         const std::vector<FieldFact>& fields) const {
    for (const FieldFact& mine : old_) {
      if (!field.path.ends_with(mine.path)) continue;
      const std::string prefix = field.path.substr(0, field.path.size() - mine.path.size());
      if (!prefix.empty() && !prefix.ends_with('.')) continue;
      const auto first = find(fields, prefix + old_[0].path);
      if (first && std::ranges::all_of(old_, [&](const FieldFact& one) {
            const FieldFact* same = find(fields, prefix + one.path);
            return same &&
                   same->bit_offset - first->bit_offset == one.bit_offset - old_[0].bit_offset;
          }))
        return prefix;
    }
    return std::nullopt;
  }

  /// Whether the stand-in keeps something where a field of a part lies.
  bool is_taken(const FieldFact& field, std::uint64_t base) const {
    const std::uint64_t first = field.bit_offset - base;
    const std::uint64_t bits =
        field.count > 0 && old_[0].count == 0 ? field.stride * field.count : field.bit_width;
    return std::ranges::any_of(object_.fields, [&](const FieldFact& kept) {
      return kept.bit_offset < first + bits && first < kept.bit_offset + kept.bit_width;
    });
  }

  FieldFact in_part(FieldFact kept, const std::string& prefix, const FieldFact& first) const {
    const std::uint64_t base = first.bit_offset - old_[0].bit_offset;
    const std::string inner = kept.path;
    kept.path = prefix + inner;
    kept.bit_offset += base;
    kept.is_public = false;
    if (base > 0) {
      kept.owner = first.owner;
      kept.owner_path =
          first.owner_path.substr(0, first.owner_path.size() - old_[0].path.size()) + inner;
    }
    if (first.count > 0 && kept.count == 0) {
      kept.count = first.count;
      kept.stride = first.stride;
    }
    return kept;
  }

  const std::vector<FieldFact> old_;
  const RecordFact& object_;
};

void relabel(SourceFacts& facts, const std::string& record) {
  const auto known = facts.records.find(record);
  const auto object = facts.records.find(stand_in_record);
  if (known == facts.records.end() || object == facts.records.end()) return;
  std::erase_if(object->second.fields,
                [](const FieldFact& field) { return field.path.starts_with(padding); });
  const Relabelling relabelling(known->second, object->second);
  for (auto& [name, fact] : facts.records)
    if (name != stand_in_record) relabelling.apply(fact.fields);
  for (auto& [name, fact] : facts.globals) relabelling.apply(fact.fields);
}

/// Compiles the stand-in and takes the code that it replaces out of the other modules.
Result<void> put_in(const StandIn& stand_in, std::vector<std::unique_ptr<llvm::Module>>& modules,
                    SourceFacts& facts, llvm::LLVMContext& context) {
  for (const auto& code : modules) {
    for (const std::string& symbol : stand_in.replaced) {
      llvm::Function* function = code->getFunction(symbol);
      if (!function || function->isDeclaration()) continue;
      function->deleteBody();
      function->setComdat(nullptr);
    }
    for (const auto& [symbol, name] : stand_in.roots)
      if (llvm::Function* function = code->getFunction(symbol);
          function && !function->isDeclaration()) {
        function->setComdat(nullptr);
        function->setLinkage(llvm::GlobalValue::ExternalLinkage);
      }
    const std::string record = stand_in.record.substr(0, stand_in.record.find('<'));
    if (!record.empty()) {
      zero_locals(*code, record);
      lose_locals(*code, record);
    }
    if (!stand_in.left.empty()) end_locals(*code, record, stand_in.left);
  }
  UnitRequest request;
  request.source = stand_in_file + std::string(facts.language == "cpp" ? ".cpp" : ".c");
  request.text = stand_in.text;
  request.library = facts.library;
  auto unit = compile_unit(request, context);
  if (!unit) return std::unexpected(unit.error());
  // What it leaves open is nobody's code.
  for (const llvm::Function& function : *unit->module)
    if (const auto known = unit->facts.functions.find(function.getName().str());
        function.isDeclaration() && known != unit->facts.functions.end())
      known->second.tame = true;
  modules.push_back(std::move(unit->module));
  merge(facts, std::move(unit->facts));
  relabel(facts, stand_in.record);
  std::set<std::string> own = stand_in.replaced;
  if (!stand_in.left.empty()) own.insert(stand_in.left);
  for (const std::string& symbol : own) {
    FunctionFact& fact = facts.functions[symbol];
    fact.is_own = true;
    fact.in_system_header = false;
  }
  for (const auto& [symbol, name] : stand_in.roots) facts.functions[symbol].name = name;
  return {};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

bool is_c_family_source(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  for (const char* known :
       {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".h", ".hh", ".hpp", ".hxx", ".i", ".ii"})
    if (suffix == known) return true;
  return false;
}

namespace {

/// All units of the sources, with what their ASTs say.
struct CompiledSources {
  SourceFacts facts;
  std::vector<std::unique_ptr<llvm::Module>> modules;
  double clang = 0;
};

Result<UnitRequest> request_for(const std::string& source, const LlvmOptions& options) {
  UnitRequest request;
  request.source = source;
  const auto command = database_command(source, options.database);
  if (!command) return std::unexpected(command.error());
  request.directory = command->directory;
  request.flags = command->flags;
  request.of_project = command->flags.size();
  for (std::string& flag : flags_seen_from(request.directory, options.flags))
    request.flags.push_back(std::move(flag));
  return request;
}

Result<CompiledSources> compile_sources(const LlvmOptions& options, llvm::LLVMContext& context) {
  auto library = read_library(options.contracts);
  if (!library) return std::unexpected(library.error());
  CompiledSources all;
  all.facts.library = *library;
  std::vector<std::string> known_classes;
  bool found_class = false;
  for (const std::string& source : options.sources) {
    auto request = request_for(source, options);
    if (!request) return std::unexpected(request.error());
    request->class_name = options.class_name;
    request->want_destructor = options.want_destructor;
    request->want_swap = !options.methods.empty(); // which say whether it is
    request->is_cpp_header = !options.class_name.empty();
    request->own = options.own;
    request->library = *library;
    auto unit = compile_unit(*request, context);
    if (!unit) {
      Diagnostic problem = unit.error();
      if (problem.message.ends_with("file not found"))
        if (const auto command = database_command(source, options.database))
          problem.notes.insert(problem.notes.begin(), describe(*command, source));
      return std::unexpected(std::move(problem));
    }
    found_class = found_class || unit->found_class;
    known_classes.insert(known_classes.end(), unit->known_classes.begin(),
                         unit->known_classes.end());
    all.clang += unit->clang_seconds;
    all.modules.push_back(std::move(unit->module));
    merge(all.facts, std::move(unit->facts));
  }
  if (!options.class_name.empty() && !found_class)
    return std::unexpected(
        no_class(Location{options.sources.front()}, options.class_name, known_classes));
  if (options.class_name.empty() && options.handle.empty() && options.constructors.empty() &&
      all.facts.language == "cpp" && !known_classes.empty() && !has_free_functions(all.facts))
    return std::unexpected(which_class(Location{options.sources.front()}, known_classes));
  return all;
}

} // namespace

Result<SourceFacts> read_c_facts(const LlvmOptions& options) {
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  auto compiled = compile_sources(options, context);
  if (!compiled) return std::unexpected(compiled.error());
  return std::move(compiled->facts);
}

Result<std::vector<CompileProblem>>
compile_problems(const std::string& text, const std::string& beside, const LlvmOptions& options) {
  llvm::LLVMContext context;
  auto library = read_library(options.contracts);
  if (!library) return std::unexpected(library.error());
  auto request = request_for(beside, options);
  if (!request) return std::unexpected(request.error());
  constexpr const char* name = "tacit-written.cpp";
  request->source = name;
  request->text = text;
  request->library = *library;
  std::erase_if(request->flags, [](const std::string& flag) { return flag.starts_with("-std="); });
  for (const char* flag : {"-std=c++20", "-ferror-limit=0"}) request->flags.emplace_back(flag);
  const auto unit = compile_unit(*request, context);
  if (unit) return std::vector<CompileProblem>{};
  static const std::regex error(R"(^clang: (.*?):(\d+):\d+: (?:fatal )?error: (.*)$)");
  std::vector<CompileProblem> problems;
  for (const std::string& note : unit.error().notes) {
    std::smatch parts;
    if (!std::regex_match(note, parts, error)) continue;
    const bool here = std::filesystem::path(parts[1].str()).filename() == name;
    problems.push_back({here ? std::stoi(parts[2]) : 0, parts[3]});
  }
  if (problems.empty()) return std::unexpected(unit.error());
  return problems;
}

Result<Module> lower_c_family(const LlvmOptions& options, LlvmTimes* times) {
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  auto compiled = compile_sources(options, context);
  if (!compiled) return std::unexpected(compiled.error());
  SourceFacts& facts = compiled->facts;
  std::vector<std::unique_ptr<llvm::Module>>& modules = compiled->modules;
  LlvmOptions chosen = options;
  if (options.stand_in) {
    const auto made = options.stand_in(with_code(facts, modules));
    if (!made) return std::unexpected(made.error());
    if (auto put = put_in(*made, modules, facts, context); !put)
      return std::unexpected(put.error());
    for (const auto& [symbol, name] : made->roots) chosen.roots.insert(symbol);
  }
  const auto start = std::chrono::steady_clock::now();
  auto code = link_modules(std::move(modules));
  if (!code) return std::unexpected(code.error());
  put_model_around_subject(**code, facts);
  tell_objects_apart(facts);
  take_owned_arguments(**code, facts);
  pass_views_by_address(**code, facts);
  prepare_module(**code, facts, options.reentrant, facts.notes);
  if (chosen.handle.empty() && chosen.class_name.empty() && !options.stand_in &&
      facts.language == "c") {
    auto handle = find_handle(**code, facts);
    if (!handle) return std::unexpected(handle.error());
    chosen.handle = *handle;
  }
  if (!chosen.handle.empty())
    chosen.handle = take_void_handles(**code, facts, chosen.handle, chosen.constructors);
  if (!chosen.handle.empty())
    if (auto taken = take_made_handles(**code, facts, chosen.handle, chosen.constructors); !taken)
      return std::unexpected(taken.error());
  auto lowered = Lowering(**code, facts, chosen, function_bodies).run();
  if (times) *times = {compiled->clang, seconds_since(start), helper_sites(**code)};
  return lowered;
}

} // namespace tacit
