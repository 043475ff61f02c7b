#include "frontend/llvm/lower.h"

#include <chrono>
#include <filesystem>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "frontend/llvm/compile.h"
#include "frontend/llvm/library.h"
#include "frontend/llvm/listing.h"
#include "frontend/llvm/lowering.h"
#include "frontend/llvm/made_handles.h"
#include "frontend/llvm/prepare.h"
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
  for (auto& [name, classes] : more.derived) all.derived[name].merge(classes);
  merge_into(all.constants, std::move(more.constants));
  all.notes.insert(all.notes.end(), more.notes.begin(), more.notes.end());
  all.left_out.insert(all.left_out.end(), more.left_out.begin(), more.left_out.end());
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

Result<Module> lower_c_family(const LlvmOptions& options, LlvmTimes* times) {
  llvm::LLVMContext context;
  std::string linking;
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  auto library = read_library(options.contracts);
  if (!library) return std::unexpected(library.error());
  SourceFacts facts;
  facts.library = *library;
  std::vector<std::unique_ptr<llvm::Module>> modules;
  std::vector<std::string> known_classes;
  bool found_class = false;
  double clang = 0;
  for (const std::string& source : options.sources) {
    UnitRequest request;
    request.source = source;
    request.class_name = options.class_name;
    request.want_destructor = options.want_destructor;
    request.want_swap = !options.methods.empty(); // which say whether it is
    request.is_cpp_header = !options.class_name.empty();
    request.own = options.own;
    request.library = *library;
    auto [directory, flags] = database_command(source);
    for (std::string& flag : flags_seen_from(directory, options.flags))
      flags.push_back(std::move(flag));
    request.directory = std::move(directory);
    request.flags = std::move(flags);
    auto unit = compile_unit(request, context);
    if (!unit) return std::unexpected(unit.error());
    found_class = found_class || unit->found_class;
    known_classes.insert(known_classes.end(), unit->known_classes.begin(),
                         unit->known_classes.end());
    clang += unit->clang_seconds;
    modules.push_back(std::move(unit->module));
    merge(facts, std::move(unit->facts));
  }
  if (!options.class_name.empty() && !found_class)
    return std::unexpected(
        no_class(Location{options.sources.front()}, options.class_name, known_classes));
  const auto start = std::chrono::steady_clock::now();
  auto code = link_modules(std::move(modules));
  if (!code) return std::unexpected(code.error());
  prepare_module(**code, facts, options.reentrant, facts.notes);
  LlvmOptions chosen = options;
  if (chosen.handle.empty() && chosen.class_name.empty() && facts.language == "c") {
    auto handle = find_handle(**code, facts);
    if (!handle) return std::unexpected(handle.error());
    chosen.handle = *handle;
  }
  if (!chosen.handle.empty())
    if (auto taken = take_made_handles(**code, facts, chosen.handle, chosen.constructors); !taken)
      return std::unexpected(taken.error());
  auto lowered = Lowering(**code, facts, chosen).run();
  if (times) *times = {clang, seconds_since(start)};
  return lowered;
}

} // namespace tacit
