#include "client/check_client.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "client/c_program.h"
#include "client/java_program.h"
#include "client/new_objects.h"
#include "client/not_judged.h"
#include "client/reentry.h"
#include "frontend/java/contracts.h"
#include "frontend/java/descriptor.h"
#include "pipeline/sources.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

std::string with_dots_only(std::string name) {
  std::ranges::replace(name, '/', '.');
  return name;
}

struct LoweredClient {
  CProgram program;
  Module module;
};

Result<LoweredClient> lower_c_client(const InterfaceProgram& program, const ClientSources& sources,
                                     const std::string& class_name) {
  LoweredClient lowered;
  auto end = read_end_states(program.interface(), sources.must_end);
  if (!end) return std::unexpected(end.error());
  LlvmOptions options;
  options.sources = sources.files;
  options.flags = sources.flags;
  options.class_name = class_name;
  // Also where the component is one of a library's.
  for (const std::string& name : {program.interface().component_name, sources.record})
    if (!name.empty())
      options.contracts.emplace_back(stand_in_file,
                                     fmt::format("about class `{}` : flatten;\n", name));
  options.stand_in = [&](const SourceFacts& facts) -> Result<StandIn> {
    auto written = write_c_program(
        program, facts, {.record = sources.record, .entries = class_name.empty(), .end = *end});
    if (!written) return std::unexpected(written.error());
    lowered.program = std::move(*written);
    return lowered.program.stand_in;
  };
  auto module = lower_c_family(options);
  if (!module) return std::unexpected(module.error());
  lowered.module = std::move(*module);
  leave_out_reentry(lowered.module);
  return lowered;
}

constexpr const char* refused_error = "reach:tacit_refused";

/// A class of the client whose objects hold objects of the component: judged as a whole, its public
/// methods in every order. What this says of a method is better than what is said without its
/// object.
void check_class(const InterfaceProgram& program, const ClientSources& sources,
                 const std::string& class_name, ClientReport& report) {
  auto lowered = lower_c_client(program, sources, class_name);
  if (!lowered) return;
  WrittenProgram written = lowered->program;
  for (const Procedure& p : lowered->module.procedures)
    if (p.kind == ProcedureKind::Method)
      written.functions.push_back(
          {class_name + "::" + std::string(bare_name(p.name)), p.where, {}, {{p.name, {}}}});
  const auto found = judge_client(program.interface(), written, lowered->module,
                                  {.seconds = sources.seconds,
                                   .error = refused_error,
                                   .methods = true,
                                   .proofs = sources.proofs});
  if (!found) return;
  std::ranges::move(found->proofs, std::back_inserter(report.proofs));
  // Inline methods that nobody uses are seen only now.
  for (const FunctionVerdict& other : found->functions)
    if (std::ranges::none_of(report.functions, [&](const FunctionVerdict& verdict) {
          return bare_name(verdict.function) == other.function;
        }))
      report.functions.push_back(other);
  for (FunctionVerdict& verdict : report.functions)
    for (const FunctionVerdict& other : found->functions)
      if (bare_name(verdict.function) == other.function) {
        const std::string function = verdict.function;
        const Location where = verdict.where;
        improve(verdict, other);
        verdict.function = function;
        verdict.where = where;
      }
}

/// What is unknown since a function finds objects in memory may be known where these are in one
/// state.
void check_with_found(const InterfaceProgram& program, LoweredClient& lowered,
                      const ClientSources& sources, ClientReport& report) {
  std::set<std::string> open;
  for (const FunctionVerdict& verdict : report.functions)
    if (verdict.verdict == Conformance::Unknown) open.insert(verdict.function);
  const WrittenProgram again =
      enter_with_found(lowered.module, lowered.program, lowered.program.kept, open);
  if (again.functions.empty()) return;
  auto found =
      judge_client(program.interface(), again, lowered.module,
                   {.seconds = sources.seconds, .error = refused_error, .proofs = sources.proofs});
  if (!found) return;
  if (std::ranges::any_of(found->functions, [](const FunctionVerdict& verdict) {
        return verdict.verdict == Conformance::Follows;
      }))
    report.assumptions.push_back(
        fmt::format("what is written through pointers to characters, numbers or nothing is no part "
                    "of another {} that a function comes by",
                    program.interface().component_name));
  std::ranges::move(found->proofs, std::back_inserter(report.proofs));
  report.queries += found->queries;
  for (FunctionVerdict& verdict : report.functions)
    for (const FunctionVerdict& other : found->functions)
      if (verdict.function == other.function && verdict.where == other.where)
        improve(verdict, other);
}

Result<ClientReport> check_c_client(const InterfaceProgram& program, const ClientSources& sources) {
  auto lowered = lower_c_client(program, sources, "");
  if (!lowered) return std::unexpected(lowered.error());
  auto report =
      judge_client(program.interface(), lowered->program, lowered->module,
                   {.seconds = sources.seconds, .error = refused_error, .proofs = sources.proofs});
  if (!report) return report;
  std::set<std::string> classes;
  for (const FunctionVerdict& verdict : report->functions)
    if (verdict.verdict == Conformance::Unknown)
      for (const ClientFunction& f : lowered->program.functions)
        if (f.shown == verdict.function && !f.in_class.empty()) classes.insert(f.in_class);
  for (const std::string& one : classes) check_class(program, sources, one, *report);
  check_with_found(program, *lowered, sources, *report);
  return report;
}

// ---- Java.

/// The class that a result is about, dotted.
Result<std::string> component_class(const Interface& interface, const ClientSources& sources,
                                    java::ClassPool& pool) {
  if (!sources.record.empty()) {
    auto file = pool.load(sources.record);
    if (!file) return std::unexpected(file.error());
    return with_dots_only((*file)->name);
  }
  for (const std::string& name : pool.names())
    if (name.substr(name.rfind('/') + 1) == interface.component_name) return with_dots_only(name);
  // A class file opens its folder: the component may lie in the package of its client.
  for (const std::string& name : pool.names()) {
    const std::string beside = name.substr(0, name.rfind('/') + 1) + interface.component_name;
    if (pool.find(beside)) return with_dots_only(beside);
  }
  return fail("the class {} is not among the sources: name it with --class",
              interface.component_name);
}

/// The parameters of the methods that are of a class, by the name of the call.
std::map<std::string, std::vector<std::size_t>>
handed_objects(const java::ClassFile& file, const Module& module, const std::string& name) {
  std::map<std::string, std::vector<std::size_t>> handed;
  for (const java::Method& method : file.methods) {
    const auto signature = java::parse_signature(method.descriptor);
    if (!signature) continue;
    for (const std::string& call : {method.name, method.name + signature->simple()})
      if (const Procedure* p = module.find_procedure(call); p && p->kind == ProcedureKind::Method)
        for (std::size_t i = 0; i < signature->parameters.size(); ++i)
          if (signature->parameters[i].name == name && i < p->parameters.size())
            handed[call].push_back(i);
  }
  return handed;
}

JavaComponent java_component(const InterfaceProgram& program, const std::string& name) {
  JavaComponent made{.name = name, .made_anyhow = true, .calls = {}};
  for (const ProgramStart& start : program.starts())
    made.made_anyhow &= std::ranges::any_of(
        start.ways, [](const ProgramStart::Way& way) { return way.when && is_true(way.when); });
  for (const ProgramCall& call : program.calls())
    made.calls.insert(call.method.substr(0, call.method.find('(')));
  return made;
}

Result<void> check_java_class(const InterfaceProgram& program, JavaProgram written,
                              java::ClassPool& pool, const std::string& name,
                              const java::LowerOptions& options, const JavaComponent& component,
                              const ClientSources& sources, ClientReport& report) {
  auto module = java::lower_class(pool, name, options);
  if (!module) return std::unexpected(module.error());
  const auto end = read_end_states(program.interface(), sources.must_end);
  if (!end) return std::unexpected(end.error());
  add_java_entries(*module, written, program.interface(),
                   handed_objects(*pool.find(name), *module, component.name));
  for (const Procedure& p : module->procedures)
    if (p.kind == ProcedureKind::Method) written.ran[p.name] = reached_from(*module, p.name);
  for (const std::string& note : separate_new_objects(*module, written, *end)) module->assume(note);
  forget_given_away(*module, has_open_fields(pool, name, component));
  for (ClientFunction& f : written.functions)
    f.shown = name.substr(name.rfind('/') + 1) + "." + f.shown;
  auto found = judge_client(program.interface(), written, *module,
                            {.seconds = sources.seconds,
                             .error = std::string("error:") + java_refusal,
                             .proofs = sources.proofs,
                             .constructors = name.substr(name.rfind('/') + 1) + "."});
  if (!found) return std::unexpected(found.error());
  report.full = found->full;
  std::ranges::move(found->proofs, std::back_inserter(report.proofs));
  report.queries += found->queries;
  for (FunctionVerdict& verdict : found->functions) report.functions.push_back(std::move(verdict));
  for (const std::string& text : found->assumptions)
    if (std::ranges::find(report.assumptions, text) == report.assumptions.end())
      report.assumptions.push_back(text);
  return {};
}

/// Class files name their source without its folder.
void find_sources(ClientReport& report, const std::vector<std::string>& files) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> known;
  const auto add = [&](const fs::path& path) {
    if (path.extension() == ".java") known.emplace(path.filename().string(), path.string());
  };
  std::error_code error;
  for (const std::string& file : files) {
    const fs::path folder =
        fs::is_directory(file, error) ? fs::path(file) : fs::path(file).parent_path();
    add(file);
    if (folder.empty() || !fs::is_directory(folder, error)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder, error)) add(entry.path());
  }
  const auto find = [&](Location& where) {
    if (const auto found = known.find(where.file); found != known.end()) where.file = found->second;
  };
  for (FunctionVerdict& verdict : report.functions) {
    find(verdict.where);
    find(verdict.at);
    for (PathStep& step : verdict.path) find(step.where);
  }
}

Result<ClientReport> check_java_client(const InterfaceProgram& program,
                                       const ClientSources& sources) {
  java::ClassPool pool;
  for (const std::string& file : sources.files)
    if (is_java_source(file))
      if (auto added = pool.add(file); !added) return std::unexpected(added.error());
  pool.add_default_jdk();
  const auto component = component_class(program.interface(), sources, pool);
  if (!component) return std::unexpected(component.error());
  auto written = write_java_program(program, pool, *component);
  if (!written) return std::unexpected(written.error());
  java::LowerOptions options;
  options.client_of = *component;
  options.kept = written->kept;
  options.contracts.emplace_back(written->text, stand_in_file);
  options.contracts.emplace_back(std::string(java::standard_contracts()));
  std::string internal = *component;
  std::ranges::replace(internal, '.', '/');
  const JavaComponent about = java_component(program, internal);
  ClientReport report;
  for (const std::string& name : pool.names()) {
    const java::ClassFile* file = pool.find(name);
    // Nested classes are part of their nests.
    if (!file || name == internal || name.starts_with(internal + "$") || name.contains('$') ||
        !nest_mentions(pool, name, about))
      continue;
    for (FunctionVerdict& verdict : not_judged(pool, name, about))
      report.functions.push_back(std::move(verdict));
    if (file->is(java::access::is_interface)) continue;
    if (auto checked =
            check_java_class(program, *written, pool, name, options, about, sources, report);
        !checked)
      return std::unexpected(checked.error());
  }
  if (report.functions.empty()) return fail("no class that is given uses {}", *component);
  find_sources(report, sources.files);
  return report;
}

} // namespace

Result<ClientReport> check_client(const Interface& interface, const ClientSources& sources) {
  const auto kind = kind_of_sources(sources.files);
  if (!kind) return std::unexpected(kind.error());
  auto program = InterfaceProgram::of(interface);
  if (!program) return std::unexpected(program.error());
  if (*kind == SourceKind::CFamily) return check_c_client(*program, sources);
  if (*kind == SourceKind::Java) return check_java_client(*program, sources);
  return fail("clients in '{}' are not checked", sources.files.front());
}

Result<Module> joined_module(const Interface& interface, const ClientSources& sources) {
  auto program = InterfaceProgram::of(interface);
  if (!program) return std::unexpected(program.error());
  auto lowered = lower_c_client(*program, sources, "");
  if (!lowered) return std::unexpected(lowered.error());
  return std::move(lowered->module);
}

} // namespace tacit
