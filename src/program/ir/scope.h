// What names mean in expressions about a module: the reader's scope, and that of conditions a user
// writes on the command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logic/term/parse.h"
#include "program/ir/module.h"

namespace tacit {

/// Parameters and locals of one procedure (when given), then state variables; enumerators and
/// exceptions.
///
/// Holds references: module and procedure may grow while the scope is in use, and what is added is
/// seen. They may not move.
class ModuleScope : public Scope {
public:
  explicit ModuleScope(const Module& module, const Procedure* procedure = nullptr)
      : module_(module), procedure_(procedure) {}

  /// In an extern that returns something, `result` is its value even though no local has that name
  /// yet.
  Term lookup(std::string_view name) const override;

  /// `NAME` or `ENUM.NAME`. The wanted enumeration is searched first; elsewhere the name must be
  /// unique.
  Term enumerator(std::string_view name, Sort wanted) const override;

  /// `object` is a variable of type `ref RECORD` or itself a path of fields: `head.next`.
  Term field(std::string_view object, std::string_view field) const override;

  Term is_exception(Term exception, std::string_view type) const override;

  std::vector<std::string> names() const override;

private:
  struct Typed {
    Term term = nullptr;
    const Type* type = nullptr;
  };

  std::optional<Typed> variable(std::string_view name) const;
  std::optional<Typed> path(std::string_view name) const;
  std::optional<Typed> field_of(const Typed& object, std::string_view field) const;

  const Module& module_;
  const Procedure* procedure_;
};

} // namespace tacit
