// Constants by name: what macros stand for, as far as these are numbers, and constant variables.
#include <optional>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/SmallString.h>

#include "base/integer.h"
#include "frontend/llvm/clang/collect_facts.h"
#include "logic/term/term.h"

namespace tacit {

namespace {

namespace tok = clang::tok;

/// Reads what a macro stands for: numbers, casts, other macros, enumerators, and the operators that
/// error codes are written with.
class MacroReader {
public:
  MacroReader(clang::Preprocessor& preprocessor, const clang::ASTContext& context)
      : preprocessor_(preprocessor), context_(context) {}

  std::optional<Integer> value_of(const clang::MacroInfo& macro) {
    constexpr int deepest = 16;
    if (macro.isFunctionLike() || macro.isBuiltinMacro() || ++depth_ > deepest) return std::nullopt;
    const auto outer = tokens_;
    tokens_ = macro.tokens();
    auto value = sum();
    if (!tokens_.empty()) value = std::nullopt;
    tokens_ = outer;
    --depth_;
    return value;
  }

private:
  bool take(tok::TokenKind kind) {
    if (tokens_.empty() || !tokens_.front().is(kind)) return false;
    tokens_ = tokens_.drop_front();
    return true;
  }

  std::optional<Integer> sum() {
    auto value = part();
    while (value && !tokens_.empty()) {
      const tok::TokenKind kind = tokens_.front().getKind();
      if (kind != tok::plus && kind != tok::minus && kind != tok::pipe && kind != tok::lessless)
        break;
      tokens_ = tokens_.drop_front();
      const auto by = part();
      constexpr Integer widest = 62;
      if (!by || (kind == tok::lessless && (*by < 0 || *by > widest))) return std::nullopt;
      value = kind == tok::plus    ? *value + *by
              : kind == tok::minus ? *value - *by
              : kind == tok::pipe  ? *value | *by
                                   : *value << static_cast<int>(*by);
    }
    return value;
  }

  std::optional<Integer> part() {
    if (tokens_.empty()) return std::nullopt;
    if (take(tok::minus)) {
      const auto value = part();
      return value ? std::optional(-*value) : std::nullopt;
    }
    if (take(tok::plus)) return part();
    if (tokens_.front().is(tok::l_paren)) {
      if (const auto type = cast()) {
        const auto value = part();
        if (!value) return std::nullopt;
        return wrap_integer(*value, static_cast<int>(context_.getTypeSize(*type)),
                            (*type)->isSignedIntegerOrEnumerationType());
      }
      take(tok::l_paren);
      const auto value = sum();
      return take(tok::r_paren) ? value : std::nullopt;
    }
    const clang::Token token = tokens_.front();
    tokens_ = tokens_.drop_front();
    if (token.is(tok::numeric_constant)) return number(token);
    if (const clang::IdentifierInfo* name = token.getIdentifierInfo()) return named(*name);
    return std::nullopt;
  }

  /// `(status_t)`, `(int)`; nothing is taken when it is none.
  std::optional<clang::QualType> cast() {
    if (tokens_.size() < 4 || !tokens_[2].is(tok::r_paren)) return std::nullopt;
    std::optional<clang::QualType> type;
    if (tokens_[1].is(tok::kw_int))
      type = context_.IntTy;
    else if (tokens_[1].is(tok::kw_long))
      type = context_.LongTy;
    else if (tokens_[1].is(tok::kw_unsigned))
      type = context_.UnsignedIntTy;
    else if (const clang::IdentifierInfo* name = tokens_[1].getIdentifierInfo())
      for (const clang::NamedDecl* found : context_.getTranslationUnitDecl()->lookup(name))
        if (const auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(found))
          type = alias->getUnderlyingType();
    if (!type || !(*type)->isIntegralOrEnumerationType()) return std::nullopt;
    tokens_ = tokens_.drop_front(3);
    return type;
  }

  std::optional<Integer> number(const clang::Token& token) {
    llvm::SmallString<32> buffer;
    bool invalid = false;
    const llvm::StringRef text = preprocessor_.getSpelling(token, buffer, &invalid);
    std::uint64_t value = 0;
    if (invalid || text.rtrim("uUlL").getAsInteger(0, value)) return std::nullopt;
    return static_cast<Integer>(value);
  }

  std::optional<Integer> named(const clang::IdentifierInfo& name) {
    if (const clang::MacroInfo* macro = preprocessor_.getMacroInfo(&name)) return value_of(*macro);
    for (const clang::NamedDecl* found : context_.getTranslationUnitDecl()->lookup(&name))
      if (const auto* value = llvm::dyn_cast<clang::EnumConstantDecl>(found))
        return static_cast<Integer>(value->getInitVal().getExtValue());
    return std::nullopt;
  }

  clang::Preprocessor& preprocessor_;
  const clang::ASTContext& context_;
  llvm::ArrayRef<clang::Token> tokens_;
  int depth_ = 0;
};

} // namespace

void FactCollector::add_macros(clang::Preprocessor& preprocessor) {
  for (const auto& macro : preprocessor.macros()) {
    const clang::MacroInfo* info = preprocessor.getMacroInfo(macro.first);
    if (!info || info->getDefinitionLoc().isInvalid() || in_system(info->getDefinitionLoc()))
      continue;
    if (macro.first->getName().starts_with("_")) continue;
    const auto value = MacroReader(preprocessor, context_).value_of(*info);
    if (value && *value >= INT64_MIN && *value <= INT64_MAX)
      facts_.constants[macro.first->getName().str()] = static_cast<std::int64_t>(*value);
  }
  add_constant_variables(*context_.getTranslationUnitDecl());
}

/// `static const int E_STATE = -3;`, `constexpr int bad = -1;`.
void FactCollector::add_constant_variables(const clang::DeclContext& where) {
  for (const clang::Decl* one : where.decls()) {
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(one))
      add_constant_variables(*space);
    if (const auto* block = llvm::dyn_cast<clang::LinkageSpecDecl>(one))
      add_constant_variables(*block);
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
    if (!variable || in_system(variable->getLocation()) ||
        !variable->getType().isConstQualified() ||
        !variable->getType()->isIntegralOrEnumerationType() || !variable->getInit() ||
        variable->getInit()->isValueDependent())
      continue;
    const clang::APValue* value = variable->evaluateValue();
    if (!value || !value->isInt() || !value->getInt().isRepresentableByInt64()) continue;
    facts_.constants.try_emplace(variable->getNameAsString(), value->getInt().getExtValue());
  }
}

} // namespace tacit
