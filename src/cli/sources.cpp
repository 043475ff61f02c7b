// Commands on sources: inspect, lower.
#include <iostream>
#include <set>

#include "base/timer.h"
#include "cli/as_json.h"
#include "cli/commands.h"
#include "cli/component_options.h"
#include "cli/files.h"
#include "logic/term/print.h"
#include "pipeline/make_component.h"
#include "program/text/print.h"

namespace tacit {

Result<int> run_lower(const CommandLine& line) {
  const bool to_predicates = line.has("--predicate");
  for (const char* option : {"--blind", "--error"})
    if (!to_predicates && line.has(option)) return fail("{} goes with --predicate here", option);
  auto options = component_options(line);
  if (!options) return std::unexpected(options.error());
  auto module = load_module(line);
  if (module && to_predicates)
    module = lower_to_predicates(*module, *options, line.all("--predicate"));
  if (!module) return std::unexpected(module.error());
  auto written = write_output(line, [&](std::ostream& out) { out << print_module(*module); });
  if (!written) return std::unexpected(written.error());
  return exit_status::done;
}

namespace {

std::string signature(const Procedure& p) {
  std::string text = p.name + "(";
  for (std::size_t i = 0; i < p.parameters.size(); ++i)
    text += (i ? ", " : "") + p.parameters[i].name() + " : " + to_string(p.parameters[i].type);
  text += ")";
  return p.returns ? text + " : " + to_string(*p.returns) : text;
}

void list_procedures(std::ostream& out, const Module& module, ProcedureKind kind,
                     std::string_view title) {
  bool any = false;
  for (const Procedure& p : module.procedures) {
    if (p.kind != kind) continue;
    if (!any) out << title << "\n";
    any = true;
    out << "  " << signature(p) << "\n";
  }
}

void list_sites(std::ostream& out, const Module& module) {
  std::set<std::string> lines;
  // Callees from which nobody returns.
  const auto stops = [&](const std::string& name) {
    const Procedure* callee = module.find_procedure(name);
    return callee && callee->kind == ProcedureKind::Extern && !callee->blocks.empty() &&
           !callee->blocks[0].statements.empty() &&
           callee->blocks[0].statements[0].kind == StatementKind::Assume &&
           is_false(callee->blocks[0].statements[0].value);
  };
  for (const Procedure& p : module.procedures)
    for (const Block& b : p.blocks) {
      const Terminator& end = b.end;
      const std::string where = end.where.known() ? " at " + to_string(end.where) : "";
      if (end.kind == TerminatorKind::Error)
        lines.insert("  error:" + end.name + " in " + p.name + where + "\n");
      if (end.kind == TerminatorKind::Throw && p.kind != ProcedureKind::Extern)
        lines.insert("  throws:" + to_string(end.value) + " in " + p.name + where + "\n");
      if (end.kind == TerminatorKind::Call && stops(end.name))
        lines.insert("  reach:" + end.name + " in " + p.name + where + "\n");
    }
  if (!lines.empty()) out << "error candidates\n";
  for (const std::string& l : lines) out << l;
}

/// Many Java classes at once: how much of them can be lowered.
Result<int> survey(const CommandLine& line, const std::string& pattern) {
  const Timer timer;
  auto sources = open_sources(line);
  if (!sources) return std::unexpected(sources.error());
  java::ClassPool& pool = *sources->classes();
  const java::Survey found = java::survey_classes(pool, pattern);
  if (found.classes == 0 && found.damaged.empty())
    return fail("--class '{}': no class has such a name", pattern);
  auto share = [&](std::size_t part) {
    return found.methods == 0
               ? 100.0
               : 100.0 * static_cast<double>(part) / static_cast<double>(found.methods);
  };
  auto written = write_output(line, [&](std::ostream& out) {
    out << fmt::format("{} classes, {} methods with code{}\n", found.classes, found.methods,
                       pool.jdk_version().empty() ? "" : " (JDK " + pool.jdk_version() + ")");
    out << fmt::format("{} ({:.2f} %) lowered without an unsupported construct\n",
                       found.methods - found.unsupported, share(found.methods - found.unsupported));
    out << fmt::format("{} ({:.2f} %) of them hold something that is not tracked\n",
                       found.approximated, share(found.approximated));
    for (const auto& [reason, count] : found.reasons)
      out << fmt::format("  {:>7}  {}\n", count, reason);
    for (const Diagnostic& damaged : found.damaged) out << to_string(damaged) << "\n";
    out << fmt::format("{:.1f} s\n", timer.seconds());
  });
  if (!written) return std::unexpected(written.error());
  return exit_status::done;
}

} // namespace

Result<int> run_inspect(const CommandLine& line) {
  const std::string pattern = line.one("--class").value_or("");
  if (pattern.find('*') != std::string::npos && !line.positional.empty() &&
      is_java_source(line.positional[0]))
    return survey(line, pattern);
  auto module = load_module(line);
  if (!module) return std::unexpected(module.error());
  const std::string form = line.one("--as").value_or("text");
  if (form != "text" && form != "json")
    return fail("--as: what is inspected is written as text or json, not '{}'", form);
  auto written = write_output(line, [&](std::ostream& out) {
    if (form == "json") {
      out << inspect_json(*module);
      return;
    }
    out << module->name << " (" << module->language << ")\n";
    if (!module->state.empty()) out << "state\n";
    for (const StateVariable& v : module->state)
      out << "  " << v.name() << " : " << to_string(v.type)
          << (v.initial ? " = " + to_string(v.initial) : ", any value")
          << (v.client ? ", written by the client" : "") << "\n";
    list_procedures(out, *module, ProcedureKind::Constructor, "constructors");
    list_procedures(out, *module, ProcedureKind::Method, "methods");
    list_sites(out, *module);
    list_procedures(out, *module, ProcedureKind::Extern, "opaque callees");
    if (!module->assumptions.empty()) out << "assumptions\n";
    for (const std::string& a : module->assumptions) out << "  " << a << "\n";
  });
  if (!written) return std::unexpected(written.error());
  return exit_status::done;
}

} // namespace tacit
