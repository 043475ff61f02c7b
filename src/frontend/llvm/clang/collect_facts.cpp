#include "frontend/llvm/clang/collect_facts.h"

#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/LiteralSupport.h>
#include <llvm/ADT/StringExtras.h>

#include "frontend/llvm/facts/library.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

/// Whether the values of an enumeration are combined.
bool is_flags(const clang::EnumDecl* enumeration) {
  if (enumeration->hasAttr<clang::FlagEnumAttr>()) return true;
  // `A operator|(A, A)` beside it says so.
  auto& names = enumeration->getASTContext().DeclarationNames;
  for (const clang::NamedDecl* found :
       enumeration->getDeclContext()->lookup(names.getCXXOperatorName(clang::OO_Pipe)))
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(found);
        function && function->getNumParams() == 2)
      if (const auto* of = function->getParamDecl(0)->getType()->getAs<clang::EnumType>();
          of && of->getDecl()->getCanonicalDecl() == enumeration->getCanonicalDecl())
        return true;
  return false;
}

/// The number, truth or enumerator that a parameter is where callers leave it out.
std::optional<std::int64_t> default_argument(const clang::ParmVarDecl& parameter,
                                             const clang::ASTContext& context) {
  if (!parameter.hasDefaultArg() || parameter.hasUninstantiatedDefaultArg() ||
      parameter.hasUnparsedDefaultArg() || !parameter.getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  const clang::Expr* value = parameter.getDefaultArg();
  clang::Expr::EvalResult found;
  if (value->isValueDependent() || !value->EvaluateAsInt(found, context)) return std::nullopt;
  return found.Val.getInt().tryExtValue();
}

bool has_template_arguments(const clang::RecordDecl* record) {
  return llvm::isa<clang::ClassTemplateSpecializationDecl>(record);
}

} // namespace

FactCollector::FactCollector(clang::ASTContext& context, SourceFacts& facts,
                             const std::vector<std::string>& own)
    : context_(context), facts_(facts), own_(own) {}

void FactCollector::set_subject(const clang::CXXRecordDecl* subject) {
  subject_ = subject->getCanonicalDecl();
  facts_.subject = qualified(subject);
  facts_.subject_classes.insert(facts_.subject);
  subject->getDefinition()->forallBases([&](const clang::CXXRecordDecl* base) {
    facts_.subject_classes.insert(qualified(base));
    return true;
  });
  add_bases(subject->getDefinition(), 0);
}

void FactCollector::add_bases(const clang::CXXRecordDecl* record, std::int64_t offset) {
  const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(record);
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const auto* parent = base.getType()->getAsCXXRecordDecl();
    if (!parent || !parent->getDefinition() || base.isVirtual()) continue;
    const std::int64_t at =
        offset + layout.getBaseClassOffset(parent->getDefinition()).getQuantity();
    facts_.base_offsets.emplace(qualified(parent), at);
    add_bases(parent->getDefinition(), at);
  }
}

std::string FactCollector::qualified(const clang::NamedDecl* decl) {
  std::string text;
  llvm::raw_string_ostream out(text);
  clang::PrintingPolicy policy(decl->getASTContext().getLangOpts());
  policy.SuppressInlineNamespace = true;
  policy.SuppressUnwrittenScope = true;
  policy.SuppressDefaultTemplateArgs = true;
  policy.Bool = true;
  policy.AnonymousTagLocations = false;
  const auto* record = llvm::dyn_cast<clang::RecordDecl>(decl);
  if (record && (has_template_arguments(record) || !record->getIdentifier()))
    decl->getASTContext().getRecordType(record).print(out, policy);
  else
    decl->printQualifiedName(out, policy);
  for (std::string_view word : {"struct ", "class ", "union "})
    if (text.starts_with(word)) text.erase(0, word.size());
  return text;
}

/// Whether a struct is defined in the file that names it first.
static bool same_file(const clang::SourceManager& sources, const clang::RecordDecl* complete,
                      const clang::RecordDecl* record) {
  const auto file = [&](const clang::Decl* declaration) {
    return sources.getFileID(sources.getExpansionLoc(declaration->getLocation()));
  };
  return file(complete) == file(record->getCanonicalDecl());
}

bool FactCollector::in_system(clang::SourceLocation where) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  if (where.isInvalid()) return true;
  const clang::SourceLocation file = sources.getExpansionLoc(where);
  return sources.isInSystemHeader(file);
}

Location FactCollector::location(clang::SourceLocation where) const {
  const clang::PresumedLoc at = context_.getSourceManager().getPresumedLoc(
      context_.getSourceManager().getExpansionLoc(where));
  if (at.isInvalid()) return {};
  return {at.getFilename(), static_cast<int>(at.getLine()), 0};
}

SourceType FactCollector::type(clang::QualType written) {
  const clang::QualType type = written.getCanonicalType().getUnqualifiedType();
  SourceType fact;
  using Kind = SourceType::Kind;
  if (type->isVoidType()) return fact;
  if (type->isDependentType()) {
    fact.kind = Kind::Object;
    return fact;
  }
  if (type->isReferenceType() || type->isPointerType()) {
    fact.kind = Kind::Pointer;
    fact.bits = 64;
    fact.is_reference = type->isReferenceType();
    fact.is_rvalue = type->isRValueReferenceType();
    const clang::QualType to = type->getPointeeType();
    fact.pointee_const = to.isConstQualified();
    fact.is_function = to->isFunctionType();
    if (const auto* function = to->getAs<clang::FunctionProtoType>()) {
      for (const clang::QualType parameter : function->param_types())
        fact.parameters.push_back(this->type(parameter));
      fact.result.push_back(this->type(function->getReturnType()));
    }
    fact.pointee_opaque = to->isVoidType() || to->isIncompleteType();
    if (const auto* name = to->isVoidType() ? written->getAs<clang::TypedefType>() : nullptr)
      fact.alias = name->getDecl()->getQualifiedNameAsString();
    if (to->isIntegralOrEnumerationType() && !to->isIncompleteType())
      fact.pointee_bits = static_cast<unsigned>(context_.getTypeSize(to));
    if (const auto* enumeration = to->getAs<clang::EnumType>())
      fact.pointee = qualified(enumeration->getDecl());
    else if (to->isBooleanType())
      fact.pointee = "bool";
    else if (to->isBuiltinType() || to->isAnyPointerType())
      fact.pointee = to.getCanonicalType().getUnqualifiedType().getAsString();
    if (const auto* record = to->getAsRecordDecl()) {
      fact.name = qualified(record);
      if (const auto* complete = record->getDefinition()) {
        fact.pointee_opaque =
            !in_system(complete->getLocation()) &&
            context_.getSourceManager().isInMainFile(
                context_.getSourceManager().getExpansionLoc(complete->getLocation())) &&
            !context_.getSourceManager().isInMainFile(context_.getSourceManager().getExpansionLoc(
                record->getCanonicalDecl()->getLocation()));
        // In C, a struct that one header names and another defines is hidden from those who include
        // the first only.
        if (!context_.getLangOpts().CPlusPlus && !in_system(complete->getLocation()))
          fact.pointee_opaque =
              fact.pointee_opaque || !same_file(context_.getSourceManager(), complete, record);
        add_record(complete);
      }
    }
    return fact;
  }
  if (const auto* decl = type->getAs<clang::EnumType>()) {
    const clang::EnumDecl* enumeration = decl->getDecl()->getDefinition();
    if (!enumeration) enumeration = decl->getDecl();
    fact.kind = Kind::Enumeration;
    fact.bits = static_cast<unsigned>(context_.getTypeSize(type));
    fact.is_signed = type->isSignedIntegerOrEnumerationType();
    fact.name = enumeration->getIdentifier() || enumeration->getTypedefNameForAnonDecl()
                    ? qualified(enumeration)
                    : "";
    if (fact.name.empty() && enumeration->getTypedefNameForAnonDecl())
      fact.name = enumeration->getTypedefNameForAnonDecl()->getNameAsString();
    if (fact.name.empty() || enumeration->enumerators().empty() || is_flags(enumeration)) {
      fact.kind = Kind::Number;
      return fact;
    }
    auto& known = facts_.enums[fact.name];
    if (known.name.empty()) {
      known.name = fact.name;
      for (const clang::EnumConstantDecl* value : enumeration->enumerators())
        known.values.emplace_back(value->getNameAsString(), value->getInitVal().getExtValue());
    }
    return fact;
  }
  if (type->isBooleanType()) {
    fact.kind = Kind::Bool;
    fact.bits = 8;
    return fact;
  }
  if (type->isIntegerType()) {
    fact.kind = Kind::Number;
    fact.bits = static_cast<unsigned>(context_.getTypeSize(type));
    fact.is_signed = type->isSignedIntegerType();
    return fact;
  }
  if (type->isNullPtrType() || type->isMemberPointerType() || type->isBlockPointerType()) {
    fact.kind = Kind::Object;
    fact.bits = static_cast<unsigned>(context_.getTypeSize(type));
    return fact;
  }
  if (type->isFloatingType()) {
    fact.bits = static_cast<unsigned>(context_.getTypeSize(type));
    fact.is_real = fact.is_signed = fact.bits <= 64 && type->isRealFloatingType();
    fact.kind = fact.is_real ? Kind::Number : Kind::Float;
    return fact;
  }
  fact.kind = Kind::Object;
  if (const auto* record = type->getAsRecordDecl()) fact.name = qualified(record);
  if (!type->isIncompleteType() && type->isObjectType())
    fact.bits = static_cast<unsigned>(context_.getTypeSize(type));
  return fact;
}

bool FactCollector::opaque_record(const clang::RecordDecl* record) const {
  const clang::RecordDecl* complete = record->getDefinition();
  if (!complete || complete->isInvalidDecl() || complete->isDependentContext()) return true;
  const std::string name = qualified(record);
  if (subject_ &&
      (facts_.subject_classes.contains(name) || related_to_subject(complete->getDeclContext())))
    return false;
  return in_system(complete->getLocation()) && !name.starts_with("std::_") &&
         !facts_.library->all.class_has(Attribute::Flatten, without_arguments(name));
}

/// What is left of a path within its owner; empty for a part that is the owner.
std::string FactCollector::owner_path(const std::string& path, const Place& place) {
  return path.substr(std::min(place.owner_from, path.size()));
}

/// A part that starts where the object does.
void FactCollector::start_owner(Place& place, const clang::RecordDecl* part) {
  if (place.owner.empty()) return; // a global
  add_record(part);
  place.owner = qualified(part);
  place.owner_from = place.prefix.size();
}

namespace {

/// Where a `std::variant` keeps what it holds.
bool is_variant_storage(const clang::RecordDecl* record) {
  return FactCollector::qualified(record).starts_with("std::__detail::__variant::_Variadic_union");
}

/// The types among template arguments, packs included.
void add_types(llvm::ArrayRef<clang::TemplateArgument> arguments,
               std::vector<clang::QualType>& types) {
  for (const clang::TemplateArgument& one : arguments) {
    if (one.getKind() == clang::TemplateArgument::Pack) add_types(one.pack_elements(), types);
    if (one.getKind() == clang::TemplateArgument::Type) types.push_back(one.getAsType());
  }
}

std::uint64_t bits_of(const FieldFact& field) {
  return field.count > 0 ? field.count * field.stride : field.bit_width;
}

bool overlap(const FieldFact& a, const FieldFact& b) {
  return a.bit_offset < b.bit_offset + bits_of(b) && b.bit_offset < a.bit_offset + bits_of(a);
}

bool same_shape(const FieldFact& a, const FieldFact& b) {
  return a.bit_offset == b.bit_offset && a.bit_width == b.bit_width && a.count == b.count &&
         a.stride == b.stride && a.is_bit_field == b.is_bit_field && a.type.kind == b.type.kind &&
         a.type.bits == b.type.bits && a.type.is_signed == b.type.is_signed &&
         a.type.is_real == b.type.is_real && a.type.name == b.type.name;
}

} // namespace

/// Only the alternative that a variant holds is ever read, and it was written as a whole when the
/// variant took it: fields of two alternatives may share a variable where they have one place and
/// one type. Where they overlap otherwise, numbers go before objects, and else neither is followed.
void FactCollector::flatten_alternatives(const clang::RecordDecl* alternatives, const Place& place,
                                         std::vector<Flat>& into, unsigned depth) {
  const auto* storage = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(alternatives);
  if (!storage) return;
  std::vector<clang::QualType> types;
  add_types(storage->getTemplateArgs().asArray(), types);
  Place outer = place;
  if (outer.prefix.ends_with("._M_u")) outer.prefix.resize(outer.prefix.size() - 5);
  std::vector<Flat> all;
  for (const clang::QualType type : types) {
    Place inner = outer;
    const auto* record = type->getAsRecordDecl();
    inner.prefix += "." + (record ? record->getNameAsString() : std::string("value"));
    flatten_type(type, inner, all, depth + 1);
  }
  const auto is_object = [](const Flat& f) { return f.fact.type.kind == SourceType::Kind::Object; };
  std::vector<Flat> kept;
  for (const Flat& one : all) {
    const bool apart = std::ranges::all_of(all, [&](const Flat& other) {
      return !overlap(one.fact, other.fact) || same_shape(one.fact, other.fact) ||
             (!is_object(one) && is_object(other));
    });
    const bool first = std::ranges::none_of(
        kept, [&](const Flat& other) { return same_shape(one.fact, other.fact); });
    if (apart && first) kept.push_back(one);
  }
  for (Flat& one : kept) one.fact.is_alternative = true;
  into.insert(into.end(), kept.begin(), kept.end());
}

void FactCollector::flatten_type(clang::QualType written, const Place& place,
                                 std::vector<Flat>& into, unsigned depth) {
  const clang::QualType type = written.getCanonicalType();
  const auto* record = type->getAsRecordDecl();
  if (record && !opaque_record(record) && depth < 8 && !record->isUnion()) {
    Place inner = place;
    inner.prefix += ".";
    if (inner.offset == 0 && !inner.in_array) start_owner(inner, record);
    return flatten(record->getDefinition(), inner, into, depth + 1);
  }
  if (record && record->isUnion() && record->getDefinition() && !opaque_record(record)) {
    // A union with one member that has anything in it is that member.
    const clang::FieldDecl* only = nullptr;
    unsigned count = 0;
    for (const clang::FieldDecl* field : record->getDefinition()->fields()) {
      const auto* empty = field->getType()->getAsCXXRecordDecl();
      if (empty && empty->getDefinition() && empty->isEmpty()) continue;
      only = field;
      ++count;
    }
    if (count == 1) {
      Place inner = place;
      if (only->getIdentifier()) inner.prefix += "." + only->getNameAsString();
      return flatten_type(only->getType(), inner, into, depth + 1);
    }
    if (count > 1 && is_variant_storage(record))
      return flatten_alternatives(record, place, into, depth);
  }
  FieldFact fact;
  fact.path = place.prefix;
  fact.owner = place.owner;
  fact.owner_path = owner_path(fact.path, place);
  fact.bit_offset = place.offset;
  fact.is_public = place.is_public;
  fact.is_mutable = place.is_mutable;
  const auto put = [&] { into.push_back({fact, place.bases}); };
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    const clang::QualType element = array->getElementType();
    const std::uint64_t count = array->getSize().getLimitedValue(1U << 24U);
    const SourceType scalar = this->type(element);
    if (scalar.kind != SourceType::Kind::Object && scalar.kind != SourceType::Kind::Float &&
        !context_.getAsConstantArrayType(element) && count > 0) {
      fact.type = scalar;
      fact.count = count;
      fact.stride = context_.getTypeSize(element);
      fact.bit_width = static_cast<unsigned>(fact.stride);
      return put();
    }
    if (element->getAsRecordDecl() && !opaque_record(element->getAsRecordDecl()) && count > 0) {
      std::vector<Flat> inner;
      Place first = place;
      first.in_array = true;
      flatten_type(element, first, inner, depth + 1);
      const bool flat = std::ranges::none_of(inner, [](const Flat& f) { return f.fact.count > 0; });
      if (flat) {
        for (Flat& field : inner) {
          field.fact.count = count;
          field.fact.stride = context_.getTypeSize(element);
          into.push_back(field);
        }
        return;
      }
    }
    fact.type.kind = SourceType::Kind::Object;
    fact.type.name = "array";
    fact.type.bits = static_cast<unsigned>(context_.getTypeSize(type));
    fact.bit_width = fact.type.bits;
    return put();
  }
  fact.type = this->type(type);
  if (record && record->isUnion()) fact.type.name = "union " + fact.type.name;
  fact.bit_width = fact.type.kind == SourceType::Kind::Object
                       ? fact.type.bits
                       : static_cast<unsigned>(context_.getTypeSize(type));
  put();
}

void FactCollector::flatten(const clang::RecordDecl* record, const Place& place,
                            std::vector<Flat>& into, unsigned depth) {
  const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(record);
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record)) {
    for (const clang::CXXBaseSpecifier& base : cxx->bases()) {
      const auto* parent = base.getType()->getAsCXXRecordDecl();
      if (!parent || !parent->getDefinition()) continue;
      if (base.isVirtual()) {
        facts_.notes.push_back("the fields of the virtual base " + qualified(parent) +
                               " are not followed");
        continue;
      }
      Place inner = place;
      inner.offset += static_cast<std::uint64_t>(
          context_.toBits(layout.getBaseClassOffset(parent->getDefinition())));
      inner.is_public = place.is_public && base.getAccessSpecifier() == clang::AS_public;
      inner.bases += parent->getNameAsString() + "$";
      if (inner.offset == 0 && !inner.in_array) start_owner(inner, parent);
      if (opaque_record(parent) || depth >= 8) {
        FieldFact fact;
        fact.path = inner.prefix + parent->getNameAsString();
        fact.owner = place.owner;
        fact.owner_path = owner_path(fact.path, place);
        fact.bit_offset = inner.offset;
        fact.type.kind = SourceType::Kind::Object;
        fact.type.name = qualified(parent);
        fact.bit_width = static_cast<unsigned>(context_.toBits(
            context_.getASTRecordLayout(parent->getDefinition()).getNonVirtualSize()));
        fact.is_public = false;
        into.push_back({fact, inner.bases});
        continue;
      }
      flatten(parent->getDefinition(), inner, into, depth);
    }
  }
  for (const clang::FieldDecl* field : record->fields()) {
    Place inner = place;
    inner.offset += layout.getFieldOffset(field->getFieldIndex());
    inner.is_public = place.is_public && (field->getAccess() == clang::AS_public ||
                                          field->getAccess() == clang::AS_none);
    inner.is_mutable = place.is_mutable || field->isMutable();
    if (field->isBitField()) {
      if (field->isZeroLengthBitField(context_) || !field->getIdentifier()) continue;
      FieldFact fact;
      fact.path = place.prefix + field->getNameAsString();
      fact.owner = place.owner;
      fact.owner_path = owner_path(fact.path, place);
      fact.bit_offset = inner.offset;
      fact.bit_width = field->getBitWidthValue(context_);
      fact.type = type(field->getType());
      fact.type.bits = fact.bit_width;
      fact.is_public = inner.is_public;
      fact.is_mutable = inner.is_mutable;
      fact.is_bit_field = true;
      into.push_back({fact, inner.bases});
      continue;
    }
    const bool anonymous = !field->getIdentifier();
    if (anonymous && inner.prefix.ends_with('.')) inner.prefix.pop_back();
    if (!anonymous) inner.prefix += field->getNameAsString();
    if (anonymous && field->getType()->getAsRecordDecl() &&
        !field->getType()->getAsRecordDecl()->isUnion()) {
      inner.prefix = place.prefix;
      flatten(field->getType()->getAsRecordDecl()->getDefinition(), inner, into, depth + 1);
      continue;
    }
    flatten_type(field->getType(), inner, into, depth);
  }
}

std::vector<FieldFact> FactCollector::with_unique_paths(std::vector<Flat> fields) {
  std::map<std::string, std::size_t> times;
  for (const Flat& field : fields) ++times[field.fact.path];
  std::set<std::string> taken;
  std::vector<FieldFact> named;
  for (Flat& field : fields) {
    std::string path = field.fact.path;
    if (times[path] > 1) path = field.bases + path;
    while (!taken.insert(path).second) path += "_";
    field.fact.path = path;
    named.push_back(std::move(field.fact));
  }
  return named;
}

/// Whether given code makes copies of a class, which need not hold what the original does.
bool FactCollector::copies_itself(const clang::CXXRecordDecl* record) const {
  if (!record || !record->hasDefinition() || in_system(record->getLocation())) return false;
  const auto copies = [](const clang::CXXMethodDecl* method) {
    const auto* made = llvm::dyn_cast<clang::CXXConstructorDecl>(method);
    return method->isUserProvided() &&
           (made ? made->isCopyOrMoveConstructor()
                 : method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
  };
  return std::ranges::any_of(record->methods(), copies) ||
         std::ranges::any_of(record->bases(),
                             [&](const clang::CXXBaseSpecifier& base) {
                               return copies_itself(base.getType()->getAsCXXRecordDecl());
                             }) ||
         std::ranges::any_of(record->fields(), [&](const clang::FieldDecl* field) {
           return copies_itself(field->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl());
         });
}

/// What numbers and truths hold in an object `T()`: what the class says beside them, or zero. Where
/// somebody has written a constructor it is that one's to say.
void FactCollector::add_made_values(const clang::CXXRecordDecl* record,
                                    std::vector<FieldFact>& fields) const {
  if (record->getNumBases() > 0 || record->isUnion() || !record->hasDefaultConstructor() ||
      record->hasUserProvidedDefaultConstructor())
    return;
  const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(record);
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isBitField() || !field->getType()->isIntegralOrEnumerationType()) continue;
    std::int64_t value = 0;
    if (const clang::Expr* given = field->getInClassInitializer()) {
      clang::Expr::EvalResult result;
      if (given->isValueDependent() || !given->EvaluateAsInt(result, context_) ||
          !result.Val.getInt().isRepresentableByInt64())
        continue;
      value = result.Val.getInt().getExtValue();
    } else if (field->hasInClassInitializer()) {
      continue;
    }
    const std::uint64_t offset = layout.getFieldOffset(field->getFieldIndex());
    for (FieldFact& one : fields)
      if (one.bit_offset == offset && one.path == field->getNameAsString()) one.made = value;
  }
}

void FactCollector::add_record(const clang::RecordDecl* record) {
  const clang::RecordDecl* complete = record->getDefinition();
  if (!complete || complete->isDependentContext() || complete->isInvalidDecl()) return;
  const std::string name = qualified(record);
  if (facts_.records.contains(name)) return;
  RecordFact& fact = facts_.records[name];
  fact.name = name;
  fact.in_system_header = in_system(complete->getLocation());
  const clang::SourceManager& sources = context_.getSourceManager();
  fact.in_main_file = sources.isInMainFile(sources.getExpansionLoc(complete->getLocation()));
  fact.bits = context_.getTypeSize(context_.getRecordType(complete));
  fact.hidden = !context_.getLangOpts().CPlusPlus && !same_file(sources, complete, record);
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(complete)) {
    fact.polymorphic = cxx->isPolymorphic();
    fact.copies_itself = copies_itself(cxx);
    fact.empty = cxx->isEmpty();
    if (cxx->getNumBases() > 0)
      if (const auto* parent = cxx->bases_begin()->getType()->getAsCXXRecordDecl())
        facts_.parents[name] = qualified(parent);
  }
  if (complete->isUnion() || (fact.in_system_header && opaque_record(complete))) return;
  std::vector<Flat> fields;
  flatten(complete, {.prefix = "", .owner = name}, fields, 0);
  facts_.records[name].fields = with_unique_paths(std::move(fields));
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(complete))
    add_made_values(cxx, facts_.records[name].fields);
  std::ranges::stable_sort(facts_.records[name].fields, {}, &FieldFact::bit_offset);
}

void FactCollector::add_global(const clang::VarDecl* variable, const std::string& symbol) {
  GlobalFact fact;
  fact.symbol = symbol;
  fact.name = variable->getNameAsString();
  if (variable->isStaticLocal())
    if (const auto* in = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext()))
      fact.name = in->getNameAsString() + "." + fact.name;
  fact.in_system_header = in_system(variable->getLocation());
  fact.is_const = variable->getType().isConstQualified();
  const clang::SourceManager& sources = context_.getSourceManager();
  for (const clang::VarDecl* declaration : variable->redecls())
    if (!sources.isInMainFile(sources.getExpansionLoc(declaration->getLocation())) &&
        variable->hasExternalFormalLinkage() && !variable->isStaticDataMember())
      fact.is_public = true;
  fact.is_reachable =
      variable->hasExternalFormalLinkage() &&
      (!variable->isStaticDataMember() || variable->getAccess() == clang::AS_public);
  std::vector<Flat> fields;
  if (!variable->getType()->isIncompleteType())
    flatten_type(variable->getType(), {.prefix = fact.name, .owner = ""}, fields, 0);
  fact.fields = with_unique_paths(std::move(fields));
  facts_.globals[symbol] = std::move(fact);
}

bool FactCollector::related_to_subject(const clang::DeclContext* context) const {
  for (; context; context = context->getParent()) {
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(context);
    if (record && facts_.subject_classes.contains(qualified(record))) return true;
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(context))
      if (facts_.subject_classes.contains(qualified(method->getParent()))) return true;
  }
  return false;
}

bool is_reserved(const clang::NamedDecl* decl) {
  const std::string name = decl->getNameAsString();
  return name.size() > 1 && name[0] == '_' && (name[1] == '_' || llvm::isUpper(name[1]));
}

/// The helpers of a library class: what its header defines besides, with a name that is reserved to
/// the library or for friends only.
bool FactCollector::helps_subject(const clang::FunctionDecl* function) const {
  if (!subject_ || !in_system(subject_->getLocation())) return false;
  const clang::SourceManager& sources = context_.getSourceManager();
  const auto file = [&](const clang::Decl* decl) {
    return sources.getFileID(sources.getExpansionLoc(decl->getLocation()));
  };
  if (file(function) != file(subject_)) return false;
  if (!llvm::isa<clang::CXXMethodDecl>(function)) return is_reserved(function);
  // Nobody but friends can call what is not public.
  if (function->getAccess() == clang::AS_private || function->getAccess() == clang::AS_protected)
    return true;
  for (const clang::DeclContext* context = function->getDeclContext(); context;
       context = context->getParent())
    if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(context);
        record && is_reserved(record))
      return true;
  return false;
}

/// Whether the user says that it is own code.
bool FactCollector::named_own(const clang::FunctionDecl* function) const {
  const std::string name = qualified(function);
  for (const std::string& pattern : own_) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    for (const std::string& candidate :
         {name, function->getNameAsString(), method ? qualified(method->getParent()) : name})
      if (matches_wildcard(pattern, candidate)) return true;
  }
  return false;
}

bool FactCollector::own(const clang::FunctionDecl* function) const {
  if (named_own(function)) return true;
  if (related_to_subject(function->getDeclContext())) return true;
  if (in_system(function->getLocation())) return helps_subject(function);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (!method) return true;
  // Local classes and lambdas belong to the function they stand in. Objects of other classes are
  // own code's, unless clients hand them in: these are collaborators.
  if (method->getParent()->isLocalClass() || method->getParent()->isLambda()) return true;
  if (method->isStatic() || llvm::isa<clang::CXXConstructorDecl>(method)) return true;
  return !subject_ || !handed_in(method->getParent());
}

/// The classes of given code that a type leads to: behind pointers, in containers.
void FactCollector::add_classes(clang::QualType type,
                                std::set<const clang::CXXRecordDecl*>& found) const {
  while (type->isReferenceType() || type->isPointerType()) type = type->getPointeeType();
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !found.insert(record->getCanonicalDecl()).second) return;
  if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record))
    for (const clang::TemplateArgument& argument : made->getTemplateArgs().asArray())
      if (argument.getKind() == clang::TemplateArgument::Type)
        add_classes(argument.getAsType(), found);
}

/// The classes of objects that code makes itself: by `new`, `make_unique` and the like, or as
/// locals.
void FactCollector::add_made(const clang::Stmt* code,
                             std::set<const clang::CXXRecordDecl*>& made) const {
  if (!code) return;
  if (const auto* fresh = llvm::dyn_cast<clang::CXXNewExpr>(code))
    add_classes(fresh->getAllocatedType(), made);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(code))
    if (const clang::FunctionDecl* callee = call->getDirectCallee();
        callee && callee->getDeclName().isIdentifier() && callee->getName().starts_with("make_") &&
        callee->getTemplateSpecializationArgs() && in_system(callee->getLocation()))
      for (const auto& argument : callee->getTemplateSpecializationArgs()->asArray().take_front())
        if (argument.getKind() == clang::TemplateArgument::Type)
          add_classes(argument.getAsType(), made);
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(code))
    for (const clang::Decl* one : declared->decls())
      if (const auto* local = llvm::dyn_cast<clang::VarDecl>(one);
          local && local->getType()->getAsCXXRecordDecl() &&
          !local->getType()->getAsCXXRecordDecl()->getName().ends_with("_ptr"))
        add_classes(local->getType(), made);
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(code))
    add_made(lambda->getBody(), made);
  for (const clang::Stmt* part : code->children()) add_made(part, made);
}

/// Whether clients may hand in objects of a class, or of one above or below it, and none is a part
/// of the component or made by it.
bool FactCollector::handed_in(const clang::CXXRecordDecl* type) const {
  // kept: as parts of the object, or made by it.
  std::set<const clang::CXXRecordDecl*> found, kept;
  const auto look = [&](const clang::CXXRecordDecl* record) {
    for (const clang::CXXMethodDecl* method : record->methods()) {
      add_made(method->getBody(), kept);
      if (const auto* maker = llvm::dyn_cast_or_null<clang::CXXConstructorDecl>(
              method->isDefined() ? method->getDefinition() : nullptr))
        for (const clang::CXXCtorInitializer* part : maker->inits())
          add_made(part->getInit(), kept);
      if (method->getAccess() != clang::AS_private)
        for (const clang::ParmVarDecl* parameter : method->parameters())
          add_classes(parameter->getType(), found);
    }
    for (const clang::FieldDecl* field : record->fields()) {
      if (field->hasInClassInitializer()) add_made(field->getInClassInitializer(), kept);
      const clang::CXXRecordDecl* held = field->getType()->getAsCXXRecordDecl();
      if (held && !held->getName().ends_with("_ptr")) add_classes(field->getType(), kept);
    }
  };
  if (const clang::CXXRecordDecl* subject = subject_->getDefinition()) {
    look(subject);
    subject->forallBases([&](const clang::CXXRecordDecl* base) {
      look(base);
      return true;
    });
  }
  const clang::CXXRecordDecl* whole = type->getDefinition();
  if (!whole || whole->hasAttr<clang::FinalAttr>()) return false;
  // What an object has from a base is its own.
  if (std::ranges::any_of(kept, [&](const clang::CXXRecordDecl* one) {
        const clang::CXXRecordDecl* other = one->getDefinition();
        return one == type->getCanonicalDecl() || (other && other->isDerivedFrom(whole));
      }))
    return false;
  return std::ranges::any_of(found, [&](const clang::CXXRecordDecl* one) {
    const clang::CXXRecordDecl* other = one->getDefinition();
    return one == type->getCanonicalDecl() ||
           (other && (whole->isDerivedFrom(other) || other->isDerivedFrom(whole)));
  });
}

std::string FactCollector::simple_type(clang::QualType written) const {
  clang::QualType type = written;
  if (type->isReferenceType())
    return simple_type(type.getNonReferenceType()) + (type->isRValueReferenceType() ? "&&" : "&");
  if (type->isPointerType() && !type->isFunctionPointerType())
    return simple_type(type->getPointeeType()) + "*";
  while (true) {
    if (const auto* alias = type->getAs<clang::TypedefType>()) {
      if (alias->getDecl()->getDeclContext()->isFileContext())
        return alias->getDecl()->getNameAsString();
    }
    const clang::QualType next = type.getSingleStepDesugaredType(context_);
    if (next.getAsOpaquePtr() == type.getAsOpaquePtr()) break;
    type = next;
    if (type->isReferenceType() || type->isPointerType()) return simple_type(type);
  }
  if (const auto* record = type->getAsRecordDecl()) return record->getNameAsString();
  if (const auto* tag = type->getAsTagDecl()) return tag->getNameAsString();
  clang::PrintingPolicy policy(context_.getLangOpts());
  policy.Bool = true;
  std::string text = type.getUnqualifiedType().getAsString(policy);
  if (text == "unsigned int") return "unsigned";
  std::erase(text, ' ');
  return text;
}

/// A number that is computed while compiling.
std::optional<std::int64_t>
FactCollector::constant_result(const clang::FunctionDecl* function) const {
  if (!function->isConstexpr() || !function->isDefined() ||
      !function->getReturnType()->isIntegralOrEnumerationType())
    return std::nullopt;
  const clang::SourceLocation where = function->getLocation();
  auto* named =
      clang::DeclRefExpr::Create(context_, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
                                 const_cast<clang::FunctionDecl*>(function), false, where,
                                 function->getType(), clang::VK_LValue);
  auto* pointer = clang::ImplicitCastExpr::Create(
      context_, context_.getPointerType(function->getType()), clang::CK_FunctionToPointerDecay,
      named, nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
  const auto* call = clang::CallExpr::Create(context_, pointer, {}, function->getReturnType(),
                                             clang::VK_PRValue, where, clang::FPOptionsOverride());
  clang::Expr::EvalResult result;
  if (!call->EvaluateAsInt(result, context_)) return std::nullopt;
  return result.Val.getInt().getExtValue();
}

FunctionFact FactCollector::function(const clang::FunctionDecl* function,
                                     const std::string& symbol) {
  FunctionFact fact;
  fact.symbol = symbol;
  fact.qualified = qualified(function);
  fact.name = function->getNameAsString();
  std::erase(fact.name, ' ');
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method) {
    fact.in_class = qualified(method->getParent());
    fact.is_instance = method->isInstance();
    fact.is_const = method->isConst();
    fact.is_virtual = method->isVirtual();
    fact.is_constructor = llvm::isa<clang::CXXConstructorDecl>(method);
    const std::string simple = method->getParent()->getNameAsString();
    if (fact.is_constructor) fact.name = simple;
    if (llvm::isa<clang::CXXDestructorDecl>(method)) fact.name = "~" + simple;
  }
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    fact.parameters.push_back({parameter->getNameAsString(), type(parameter->getType()),
                               default_argument(*parameter, context_)});
    fact.signature += (fact.signature.empty() ? "" : ",") + simple_type(parameter->getType());
  }
  fact.signature = "(" + fact.signature + ")";
  fact.returns = type(function->getReturnType());
  if (function->hasAttr<clang::ReturnsNonNullAttr>()) fact.returns.is_reference = true;
  fact.in_system_header = in_system(function->getLocation());
  fact.is_own = own(function);
  fact.is_static = !function->hasExternalFormalLinkage();
  if (fact.in_system_header && fact.parameters.empty() && !fact.is_instance)
    fact.constant = constant_result(function);
  const clang::FunctionDecl* body = nullptr;
  function->hasBody(body);
  fact.where = location((body ? body : function)->getLocation());
  fact.declared = location(function->getFirstDecl()->getLocation());
  describe(*facts_.library, fact);
  // A contract outranks code, but not that of the class that was named.
  if (fact.outranked && (named_own(function) || related_to_subject(function->getDeclContext())))
    fact.outranked = false;
  if (fact.outranked) fact.is_own = false;
  return fact;
}

} // namespace tacit
