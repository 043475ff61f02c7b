// Reads facts off a Clang AST. Private to this folder's two files that know Clang.
#pragma once

#include <set>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Lex/Preprocessor.h>

#include "frontend/llvm/facts/source_facts.h"

namespace tacit {

/// Names that begin with two underscores, or with one and a capital.
bool is_reserved(const clang::NamedDecl* decl);

class FactCollector {
public:
  FactCollector(clang::ASTContext& context, SourceFacts& facts,
                const std::vector<std::string>& own);

  void set_subject(const clang::CXXRecordDecl* subject);
  void add_record(const clang::RecordDecl* record);
  void add_global(const clang::VarDecl* variable, const std::string& symbol);
  void add_macros(clang::Preprocessor& preprocessor);
  void add_constant_variables(const clang::DeclContext& where);
  FunctionFact function(const clang::FunctionDecl* function, const std::string& symbol);
  SourceType type(clang::QualType type);
  bool in_system(clang::SourceLocation where) const;
  bool copies_itself(const clang::CXXRecordDecl* record) const;

  static std::string qualified(const clang::NamedDecl* decl);

private:
  struct Place {
    std::string prefix, owner;
    std::uint64_t offset = 0;
    bool is_public = true;
    bool is_mutable = false;
    bool in_array = false;
    std::size_t owner_from = 0; // where in the prefix the owner's part begins
    std::string bases;          // that lead to it, each with a "$"
  };

  static std::string owner_path(const std::string& path, const Place& place);
  /// A field with the bases that lead to it, before names are made unique.
  struct Flat {
    FieldFact fact;
    std::string bases;
  };
  static std::vector<FieldFact> with_unique_paths(std::vector<Flat> fields);
  void start_owner(Place& place, const clang::RecordDecl* part);
  void flatten(const clang::RecordDecl* record, const Place& place, std::vector<Flat>& into,
               unsigned depth);
  void flatten_type(clang::QualType type, const Place& place, std::vector<Flat>& into,
                    unsigned depth);
  void flatten_alternatives(const clang::RecordDecl* alternatives, const Place& place,
                            std::vector<Flat>& into, unsigned depth);
  void add_made_values(const clang::CXXRecordDecl* record, std::vector<FieldFact>& fields) const;
  void add_bases(const clang::CXXRecordDecl* record, std::int64_t offset);
  bool opaque_record(const clang::RecordDecl* record) const;
  bool named_own(const clang::FunctionDecl* function) const;
  bool own(const clang::FunctionDecl* function) const;
  bool helps_subject(const clang::FunctionDecl* function) const;
  void add_made(const clang::Stmt* code, std::set<const clang::CXXRecordDecl*>& made) const;
  void add_classes(clang::QualType type, std::set<const clang::CXXRecordDecl*>& found) const;
  bool handed_in(const clang::CXXRecordDecl* type) const;
  bool related_to_subject(const clang::DeclContext* context) const;
  std::optional<std::int64_t> constant_result(const clang::FunctionDecl* function) const;
  std::string simple_type(clang::QualType type) const;
  Location location(clang::SourceLocation where) const;

  clang::ASTContext& context_;
  SourceFacts& facts_;
  const std::vector<std::string>& own_;
  const clang::CXXRecordDecl* subject_ = nullptr;
};

} // namespace tacit
