// One translation unit through Clang. The class that is asked for need not be used anywhere: before
// code generation ends, its members are instantiated and emitted. Flags follow docs/c_and_cpp.md:
// debug locations, no pass that would fold away checks, asserts always on.
#include "frontend/llvm/clang/compile.h"

#include <chrono>
#include <filesystem>
#include <regex>
#include <set>

#include <clang/AST/CXXInheritance.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Sema/TemplateDeduction.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "frontend/llvm/clang/collect_facts.h"
#include "frontend/llvm/clang/compile_database.h"
#include "frontend/llvm/facts/library.h"
#include "frontend/shared/class_choice.h"

namespace tacit {

namespace {

constexpr const char* alias_name = "tacit_subject_of_this_unit";

bool is_template_id(const std::string& name) { return name.find('<') != std::string::npos; }

/// Members of a class template that do not compile for the instance that was asked for: no client
/// can call them. They are found the first time and left out the second.
struct Broken {
  std::set<std::string> known, found;
};

/// Looks for the subject and emits its members.
class SubjectConsumer : public clang::SemaConsumer {
public:
  SubjectConsumer(const UnitRequest& request, CompiledUnit& unit, Broken& broken,
                  FactCollector*& collector, clang::CodeGenerator& generator)
      : request_(request), unit_(unit), broken_(broken), collector_(collector),
        generator_(generator) {}

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    unit_.facts.library = request_.library;
    collector_ = new FactCollector(context, unit_.facts, request_.own);
    Visitor visitor(*this);
    visitor.TraverseDecl(context.getTranslationUnitDecl());
    if (request_.list_classes) list_files(context.getSourceManager());
    if (!request_.class_name.empty() && subject_) prepare(context);
    // Clients may have objects of classes that the given code never makes.
    for (clang::CXXRecordDecl* record : polymorphic_)
      sema_->MarkVTableUsed(record->getLocation(), record, true);
    if (!polymorphic_.empty()) {
      sema_->DefineUsedVTables();
      sema_->PerformPendingInstantiations();
    }
  }

private:
  struct Visitor : clang::RecursiveASTVisitor<Visitor> {
    explicit Visitor(SubjectConsumer& owner) : consumer(owner) {}
    bool shouldVisitTemplateInstantiations() const { return true; }
    bool TraverseStmt(clang::Stmt*) { return true; }
    bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) {
      consumer.see(record);
      return true;
    }
    bool VisitTypedefNameDecl(clang::TypedefNameDecl* alias) {
      consumer.note_alias(alias);
      if (alias->getName() == alias_name)
        consumer.take(alias->getUnderlyingType()->getAsCXXRecordDecl());
      else if (!alias->isTemplated())
        consumer.see_alias(alias);
      return true;
    }
    SubjectConsumer& consumer;
  };

  void take(clang::CXXRecordDecl* record) {
    if (!record) return;
    sema_->RequireCompleteType(record->getLocation(), sema_->getASTContext().getRecordType(record),
                               clang::diag::err_incomplete_type);
    subject_ = record->getDefinition();
  }

  void note_alias(const clang::TypedefNameDecl* alias) {
    if (alias->isTemplated()) return;
    clang::QualType type = alias->getUnderlyingType();
    if (type->isPointerType()) type = type->getPointeeType();
    if (const clang::RecordDecl* record = type->getAsRecordDecl())
      unit_.facts.aliases.emplace(alias->getQualifiedNameAsString(),
                                  FactCollector::qualified(record));
  }

  /// `using Name = …` names a class, too.
  void see_alias(clang::TypedefNameDecl* alias) {
    if (request_.class_name.empty() || subject_) return;
    const std::string name = alias->getQualifiedNameAsString();
    if (class_fit(request_.class_name, name) != ClassFit::None)
      if (auto* record = alias->getUnderlyingType()->getAsCXXRecordDecl();
          record && !record->isDependentContext())
        take(record);
  }

  /// The name that leaves nothing out.
  static std::string with_inline_namespaces(const clang::CXXRecordDecl* record) {
    clang::PrintingPolicy policy(record->getASTContext().getPrintingPolicy());
    policy.SuppressInlineNamespace = false;
    std::string name;
    llvm::raw_string_ostream out(name);
    record->printQualifiedName(out, policy);
    return name;
  }

  /// The bases by which a handler catches an object: public all the way, and by one way only.
  void note_handlers(const clang::CXXRecordDecl* record) {
    std::vector<std::string>& found = unit_.facts.caught_as[FactCollector::qualified(record)];
    if (!found.empty() || record->isInvalidDecl()) return;
    std::vector<const clang::CXXRecordDecl*> work{record}, seen;
    for (std::size_t i = 0; i < work.size(); ++i)
      for (const clang::CXXBaseSpecifier& base : work[i]->bases()) {
        const auto* parent = base.getType()->getAsCXXRecordDecl();
        if (!parent || !parent->getDefinition() ||
            std::ranges::find(seen, parent->getCanonicalDecl()) != seen.end())
          continue;
        seen.push_back(parent->getCanonicalDecl());
        work.push_back(parent->getDefinition());
        clang::CXXBasePaths paths(true, true, false);
        if (!record->isDerivedFrom(parent->getDefinition(), paths) ||
            paths.isAmbiguous(parent->getASTContext().getCanonicalType(
                parent->getASTContext().getRecordType(parent))))
          continue;
        if (std::ranges::any_of(paths, [](const clang::CXXBasePath& path) {
              return path.Access == clang::AS_public;
            }))
          found.push_back(FactCollector::qualified(parent));
      }
  }

  void see(clang::CXXRecordDecl* record) {
    if (!record->getIdentifier() || record->isInjectedClassName()) return;
    const std::string name = record->getQualifiedNameAsString();
    if (record->getDefinition() && record->getNumBases() > 0 && !record->isDependentContext()) {
      if (const auto* parent = record->bases_begin()->getType()->getAsCXXRecordDecl())
        unit_.facts.parents[FactCollector::qualified(record)] = FactCollector::qualified(parent);
      for (const clang::CXXBaseSpecifier& base : record->bases())
        if (const auto* parent = base.getType()->getAsCXXRecordDecl())
          unit_.facts.derived[FactCollector::qualified(parent)].insert(
              FactCollector::qualified(record));
      note_handlers(record->getDefinition());
    }
    if (request_.list_classes && record == record->getDefinition()) list(record, name);
    if (record != record->getCanonicalDecl()) return;
    const clang::SourceManager& sources = record->getASTContext().getSourceManager();
    if (request_.class_name.empty()) {
      if (!sources.isInSystemHeader(record->getLocation()) && has_calls(record->getDefinition()))
        unit_.known_classes.push_back(name);
      return;
    }
    if (clang::CXXRecordDecl* whole = record->getDefinition();
        whole && !whole->isInvalidDecl() && !whole->isDependentContext() &&
        whole->isPolymorphic() && !llvm::isa<clang::ClassTemplateSpecializationDecl>(whole) &&
        !sources.isInSystemHeader(whole->getLocation()))
      polymorphic_.push_back(whole);
    if (!sources.isInSystemHeader(record->getLocation())) unit_.known_classes.push_back(name);
    if (is_template_id(request_.class_name) || record->isDependentContext()) return;
    const std::string whole = with_inline_namespaces(record);
    const ClassFit fit =
        std::max(class_fit(request_.class_name, name), class_fit(request_.class_name, whole));
    if (fit == ClassFit::None) return;
    if (fit == ClassFit::Full || !subject_)
      if (record->getDefinition()) subject_ = record->getDefinition();
  }

  void list_files(const clang::SourceManager& sources) {
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file)
      if (const llvm::StringRef path = file->first.getFileEntry().tryGetRealPathName();
          !path.empty())
        unit_.files.push_back(path.str());
  }

  /// Classes that a client could name, with something to call.
  void list(const clang::CXXRecordDecl* record, const std::string& name) {
    const clang::SourceManager& sources = record->getASTContext().getSourceManager();
    if (sources.isInSystemHeader(record->getLocation()) || record->isDependentContext() ||
        llvm::isa<clang::ClassTemplateSpecializationDecl>(record) || record->isLambda() ||
        record->isInvalidDecl() || record->isUnion() || record->getParentFunctionOrMethod() ||
        record->isInAnonymousNamespace())
      return;
    if (record->getAccess() == clang::AS_private || record->getAccess() == clang::AS_protected)
      return;
    ListedClass listed{name};
    for (const clang::CXXMethodDecl* method : record->methods()) {
      if (method->getAccess() != clang::AS_public || method->isStatic() || method->isImplicit() ||
          method->isDeleted() || llvm::isa<clang::CXXConstructorDecl>(method) ||
          llvm::isa<clang::CXXDestructorDecl>(method) || method->isCopyAssignmentOperator() ||
          method->isMoveAssignmentOperator())
        continue;
      ++listed.methods;
      if (method->isDefined()) ++listed.with_code;
    }
    if (listed.methods > 0) unit_.classes.push_back(std::move(listed));
  }

  /// Whether a client can call something of it.
  static bool has_calls(const clang::CXXRecordDecl* record) {
    return record && std::ranges::any_of(record->methods(), [](const clang::CXXMethodDecl* method) {
             return method->getAccess() == clang::AS_public && !method->isImplicit() &&
                    !llvm::isa<clang::CXXConstructorDecl>(method) &&
                    !llvm::isa<clang::CXXDestructorDecl>(method);
           });
  }

  void prepare(clang::ASTContext& context) {
    unit_.found_class = true;
    sema_->ForceDeclarationOfImplicitMembers(subject_);
    for (const auto& base : subject_->bases())
      if (auto* parent = base.getType()->getAsCXXRecordDecl(); parent && parent->getDefinition())
        sema_->ForceDeclarationOfImplicitMembers(parent->getDefinition());
    instantiate_here(subject_);
    collector_->set_subject(subject_);
    collector_->add_record(subject_);
    std::set<std::string> seen;
    collect(subject_, true, seen);
    sema_->PerformPendingInstantiations();
    for (const clang::GlobalDecl& wanted : wanted_) {
      auto* function = llvm::cast<clang::FunctionDecl>(const_cast<clang::Decl*>(wanted.getDecl()));
      emit(context, function, wanted);
    }
    for (const clang::GlobalDecl& writer : writers_) generator_.GetAddrOfGlobal(writer, false);
  }

  /// `extern template` says that the code of an instance is elsewhere; where it is here as well, it
  /// is looked at.
  void instantiate_here(clang::CXXRecordDecl* record) {
    for (clang::CXXMethodDecl* method : record->methods())
      if (method->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDeclaration) {
        method->setTemplateSpecializationKind(clang::TSK_ImplicitInstantiation);
        if (!method->isDefined())
          sema_->InstantiateFunctionDefinition(method->getLocation(), method);
      }
    for (const clang::CXXBaseSpecifier& base : record->bases())
      if (auto* parent = base.getType()->getAsCXXRecordDecl(); parent && parent->getDefinition())
        instantiate_here(parent->getDefinition());
  }

  void emit(clang::ASTContext&, clang::FunctionDecl* function, const clang::GlobalDecl& wanted) {
    const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function);
    const bool has_code = function->isDefined() || !function->isImplicit();
    if (constructor && constructor->isTrivial()) {
      FunctionFact fact = collector_->function(function, "");
      fact.is_trivial = true;
      unit_.facts.trivial_constructors.push_back(fact);
      return;
    }
    if (!has_code || function->isPureVirtual() || function->isTrivial()) return;
    generator_.GetAddrOfGlobal(wanted, false);
    const std::string symbol = generator_.GetMangledName(wanted).str();
    (constructor ? unit_.facts.constructors : unit_.facts.methods).push_back(symbol);
  }

  static std::string key(const clang::CXXMethodDecl* method) {
    std::string text = method->getNameAsString() + "(";
    for (const auto* parameter : method->parameters())
      text += parameter->getType().getCanonicalType().getAsString() + ",";
    return text + (method->isConst() ? ")const" : ")");
  }

  /// What is handed over by value has to be known; an instance that nobody has used yet is made.
  bool has_whole_types(const clang::CXXMethodDecl* method) {
    const auto whole = [&](clang::QualType type) {
      return type->isVoidType() || !type->isRecordType() ||
             sema_->isCompleteType(method->getLocation(), type);
    };
    return whole(method->getReturnType().getCanonicalType()) &&
           std::ranges::all_of(method->parameters(), [&](const clang::ParmVarDecl* parameter) {
             return whole(parameter->getType().getCanonicalType());
           });
  }

  void want(clang::CXXMethodDecl* method, clang::GlobalDecl decl) {
    if (method->isInvalidDecl()) return;
    if (const auto* proto = method->getType()->getAs<clang::FunctionProtoType>();
        proto && clang::isUnresolvedExceptionSpec(proto->getExceptionSpecType()))
      sema_->ResolveExceptionSpec(method->getLocation(), proto);
    if (!has_whole_types(method)) {
      unit_.facts.notes.push_back(
          "the method " + method->getNameAsString() +
          " takes or returns objects of an incomplete class and is left out");
      leave_out(method, "it takes or returns objects of an incomplete class");
      return;
    }
    if (broken_.known.contains(key(method))) {
      unit_.facts.notes.push_back("the member " + method->getNameAsString() +
                                  " does not compile for this instance and is left out");
      leave_out(method, "it does not compile for this instance");
      return;
    }
    const auto errors = [&] { return sema_->getDiagnostics().getClient()->getNumErrors(); };
    const unsigned before = errors();
    sema_->MarkFunctionReferenced(method->getLocation(), method);
    sema_->PerformPendingInstantiations();
    if (errors() > before) broken_.found.insert(key(method));
    wanted_.push_back(decl);
  }

  void leave_out(const clang::NamedDecl* method, const std::string& reason) {
    unit_.facts.left_out.emplace_back(method->getNameAsString(), reason);
  }

  /// What is no call, and might change what calls depend on.
  void leave_out_writer(const clang::NamedDecl* decl, const std::string& reason) {
    leave_out(decl, reason);
    unit_.facts.writers_left_out.push_back(
        {decl->getNameAsString(), reason, symbol_of(decl), llvm::isa<clang::TagDecl>(decl)});
  }

  /// The code of a function, which is to be there; empty for what is none.
  std::string symbol_of(const clang::NamedDecl* decl) {
    auto* function = const_cast<clang::FunctionDecl*>(llvm::dyn_cast<clang::FunctionDecl>(decl));
    if (!function || function->isDependentContext() || !function->isDefined() ||
        llvm::isa<clang::CXXConstructorDecl>(function) ||
        llvm::isa<clang::CXXDestructorDecl>(function))
      return "";
    sema_->MarkFunctionReferenced(function->getLocation(), function);
    writers_.emplace_back(function);
    return generator_.GetMangledName(clang::GlobalDecl(function)).str();
  }

  /// Whether contracts stand for the code of a library's class.
  bool is_modelled(const clang::CXXRecordDecl* record) const {
    const Library& library = *unit_.facts.library;
    return library.all.class_has(Attribute::Outside,
                                 contract_class(library, FactCollector::qualified(record)));
  }

  /// How a public member template is called, if at all.
  void note_template(clang::FunctionTemplateDecl* member) {
    std::string how = " is left out";
    if (collect_instances(member))
      how = " is called as the given code does, and only so";
    else if (collect_default(member))
      how = " is called with its default arguments, and only so";
    else
      leave_out(member, "it is a template that the given code does not call");
    unit_.facts.notes.push_back("the member template " + member->getNameAsString() + how);
  }

  /// `void swap(T&)` of a class T.
  static bool is_exchange(const clang::CXXMethodDecl* method) {
    if (!method->getIdentifier() || method->getName() != "swap" || method->getNumParams() != 1)
      return false;
    const clang::QualType other = method->getParamDecl(0)->getType();
    return other->isLValueReferenceType() && !other->getPointeeType().isConstQualified() &&
           other->getPointeeType()->getAsCXXRecordDecl() == method->getParent();
  }

  void collect(clang::CXXRecordDecl* record, bool top, std::set<std::string>& seen) {
    for (clang::Decl* decl : record->decls())
      if (auto* shadow = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl);
          shadow && shadow->getAccess() == clang::AS_public && top &&
          !(is_reserved(shadow) && collector_->in_system(shadow->getLocation())))
        note_template(shadow);
    if (top) collect_brought_in(record, seen);
    for (clang::CXXMethodDecl* method : record->methods()) {
      if (method->isDeleted() || method->getDescribedFunctionTemplate() ||
          method->getTemplatedKind() == clang::FunctionDecl::TK_FunctionTemplate)
        continue;
      if (auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method)) {
        if (!top || constructor->isCopyOrMoveConstructor()) continue;
        constructors_.push_back(constructor);
        continue;
      }
      if (auto* destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(method)) {
        if (top && request_.want_destructor && method->getAccess() == clang::AS_public)
          want(method, clang::GlobalDecl(destructor, clang::Dtor_Complete));
        continue;
      }
      if (method->getAccess() != clang::AS_public) continue;
      if (method->isStatic()) {
        if (!(is_reserved(method) && collector_->in_system(method->getLocation())))
          leave_out_writer(method, "it is static");
        continue;
      }
      if (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) {
        if (top && !method->isImplicit())
          leave_out(method, "it takes over the state of another object");
        continue;
      }
      if (is_exchange(method) && !request_.want_swap) {
        unit_.facts.notes.push_back(
            "swap exchanges the state with that of another object and is left "
            "out, as assignments are, unless --methods names it");
        leave_out(method, "it exchanges the state with that of another object");
        continue;
      }
      // A library's own helpers are public for its other classes.
      if (is_reserved(method) && collector_->in_system(method->getLocation())) continue;
      if (!seen.insert(key(method)).second) {
        if (!top && !method->isVirtual())
          leave_out_writer(method, "it is hidden by another member of its name, and called as " +
                                       FactCollector::qualified(method));
        continue;
      }
      if (method->isPureVirtual()) {
        unit_.facts.notes.push_back("the method " + method->getNameAsString() +
                                    " is pure virtual and left out");
        leave_out(method, "it is pure virtual");
        continue;
      }
      want(method, clang::GlobalDecl(method));
    }
    for (const clang::CXXBaseSpecifier& base : record->bases()) {
      auto* parent = base.getType()->getAsCXXRecordDecl();
      if (parent && parent->getDefinition() && base.getAccessSpecifier() == clang::AS_public)
        collect(parent->getDefinition(), false, seen);
    }
    for (clang::CXXMethodDecl* method : std::exchange(defaults_, {}))
      want(method, clang::GlobalDecl(method));
    if (!top) return;
    take_constructors();
    leave_out_intimates(record);
  }

  /// Members of bases that a using-declaration makes members of the class.
  void collect_brought_in(clang::CXXRecordDecl* record, std::set<std::string>& seen) {
    for (clang::Decl* decl : record->decls()) {
      auto* shadow = llvm::dyn_cast<clang::UsingShadowDecl>(decl);
      if (!shadow) continue;
      if (auto* inherited = llvm::dyn_cast<clang::ConstructorUsingShadowDecl>(shadow)) {
        auto* base = llvm::dyn_cast<clang::CXXConstructorDecl>(inherited->getTargetDecl());
        if (!base || base->isCopyOrMoveConstructor() || base->isDefaultConstructor() ||
            base->isDeleted())
          continue;
        // One that the class declares itself hides it.
        if (std::ranges::any_of(record->ctors(), [&](const clang::CXXConstructorDecl* own) {
              return !own->isImplicit() &&
                     key(own).substr(key(own).find('(')) == key(base).substr(key(base).find('('));
            }))
          continue;
        if (auto* made = sema_->findInheritingConstructor(record->getLocation(), base, inherited);
            made && !made->isDeleted())
          constructors_.push_back(made);
        continue;
      }
      auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(shadow->getTargetDecl());
      if (!method || shadow->getAccess() != clang::AS_public || method->isDeleted() ||
          method->isPureVirtual() || llvm::isa<clang::CXXConstructorDecl>(method))
        continue;
      const bool own = std::ranges::any_of(
          record->methods(), [&](const clang::CXXMethodDecl* m) { return key(m) == key(method); });
      if (own || !seen.insert(key(method)).second) continue;
      if (method->isStatic())
        leave_out_writer(method, "it is static");
      else
        want(method, clang::GlobalDecl(method));
    }
  }

  /// Whether code can change the class through what it declares: an object or a pointer that is not
  /// to a constant.
  bool gets_to_subject(clang::QualType type) const {
    const bool points = type->isPointerType() || type->isReferenceType();
    if (points) type = type->getPointeeType();
    const auto* record = type->getAsCXXRecordDecl();
    return points && !type.isConstQualified() && record &&
           (record->getCanonicalDecl() == subject_->getCanonicalDecl() ||
            (record->getDefinition() && subject_->isDerivedFrom(record)));
  }

  bool gets_to_subject(const clang::FunctionDecl* function) const {
    return std::ranges::any_of(function->parameters(), [&](const clang::ParmVarDecl* parameter) {
      return gets_to_subject(parameter->getType());
    });
  }

  /// Friends and public nested classes reach private state, but are not called on an object.
  void leave_out_intimates(const clang::CXXRecordDecl* record) {
    for (const clang::FriendDecl* by : record->friends()) {
      const clang::NamedDecl* named = by->getFriendDecl();
      if (const auto* generic = llvm::dyn_cast_or_null<clang::FunctionTemplateDecl>(named))
        named = generic->getTemplatedDecl();
      if (const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(named)) {
        const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
        if (gets_to_subject(function) || method) leave_out_writer(function, "it is a friend");
      } else if (by->getFriendType()) {
        const auto* friendly = by->getFriendType()->getType()->getAsCXXRecordDecl();
        if (friendly && !collector_->in_system(record->getLocation()))
          leave_out_writer(friendly, "it is a friend");
      }
    }
    const bool shared = std::ranges::any_of(record->decls(), [](const clang::Decl* decl) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      return variable && !variable->getType().isConstQualified();
    });
    for (const clang::Decl* decl : record->decls()) {
      const auto* nested = llvm::dyn_cast<clang::CXXRecordDecl>(decl);
      if (!nested || nested->isInjectedClassName() || nested->getAccess() != clang::AS_public ||
          !nested->isThisDeclarationADefinition() || !nested->getIdentifier() ||
          collector_->in_system(record->getLocation()))
        continue;
      const bool reaches =
          std::ranges::any_of(nested->methods(),
                              [&](const clang::CXXMethodDecl* m) {
                                return gets_to_subject(m) || (shared && m->isUserProvided());
                              }) ||
          std::ranges::any_of(nested->fields(), [&](const clang::FieldDecl* field) {
            return gets_to_subject(field->getType());
          });
      if (reaches) leave_out_writer(nested, "it is a public nested class");
    }
  }

  /// The instances of a member template that the code uses.
  bool collect_instances(const clang::FunctionTemplateDecl* member) {
    bool any = false;
    for (clang::FunctionDecl* instance : member->specializations()) {
      auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(instance);
      if (!method || method->isStatic() || method->isDeleted() || method->isDependentContext() ||
          !method->isDefined())
        continue;
      if (auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method)) {
        if (!is_modelled(constructor->getParent())) continue;
        constructors_.push_back(constructor);
        any = true;
        continue;
      }
      any = true;
      want(method, clang::GlobalDecl(method));
    }
    return any;
  }

  /// The instance that needs nothing to be deduced: all arguments have defaults, packs are empty.
  bool collect_default(clang::FunctionTemplateDecl* member) {
    clang::FunctionDecl* instance = nullptr;
    clang::sema::TemplateDeductionInfo info(member->getLocation());
    const clang::Sema::SFINAETrap trap(*sema_);
    if (member->getTemplatedDecl()->isStatic() ||
        sema_->DeduceTemplateArguments(member, nullptr, instance, info) !=
            clang::TemplateDeductionResult::Success)
      return false;
    auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(instance);
    if (!method || method->isInvalidDecl() || method->isDeleted()) return false;
    if (auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method))
      constructors_.push_back(constructor);
    else
      defaults_.push_back(method);
    return true;
  }

  /// The public ones; if there are none, the most accessible that exist.
  void take_constructors() {
    for (const clang::AccessSpecifier access :
         {clang::AS_public, clang::AS_protected, clang::AS_private}) {
      bool any = false;
      for (clang::CXXConstructorDecl* constructor : constructors_) {
        if (constructor->getAccess() != access) continue;
        any = true;
        want(constructor, clang::GlobalDecl(constructor, clang::Ctor_Complete));
      }
      if (any) return;
    }
  }

  const UnitRequest& request_;
  CompiledUnit& unit_;
  Broken& broken_;
  FactCollector*& collector_;
  clang::CodeGenerator& generator_;
  clang::Sema* sema_ = nullptr;
  clang::CXXRecordDecl* subject_ = nullptr;
  std::vector<clang::CXXConstructorDecl*> constructors_;
  std::vector<clang::CXXMethodDecl*> defaults_; // instances of member templates
  std::vector<clang::GlobalDecl> wanted_;
  std::vector<clang::GlobalDecl> writers_;         // no calls, but what they do matters
  std::vector<clang::CXXRecordDecl*> polymorphic_; // of the given code
};

class UnitAction : public clang::ASTFrontendAction {
public:
  UnitAction(const UnitRequest& request, CompiledUnit& unit, Broken& broken,
             llvm::LLVMContext& context)
      : request_(request), unit_(unit), broken_(broken), context_(context) {}
  ~UnitAction() override { delete collector_; }

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef file) override {
    unit_.facts.language = instance.getLangOpts().CPlusPlus ? "cpp" : "c";
    generator_ =
        clang::CreateLLVMCodeGen(instance.getDiagnostics(), file, &instance.getVirtualFileSystem(),
                                 instance.getHeaderSearchOpts(), instance.getPreprocessorOpts(),
                                 instance.getCodeGenOpts(), context_);
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(
        std::make_unique<SubjectConsumer>(request_, unit_, broken_, collector_, *generator_));
    consumers.push_back(std::unique_ptr<clang::ASTConsumer>(generator_));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  void EndSourceFileAction() override {
    clang::CompilerInstance& instance = getCompilerInstance();
    if (instance.getDiagnostics().hasErrorOccurred() || !collector_ || !generator_->GetModule())
      return;
    llvm::Module& module = *generator_->GetModule();
    for (const llvm::Function& function : module)
      if (const auto* decl = llvm::dyn_cast_or_null<clang::FunctionDecl>(
              generator_->GetDeclForMangledName(function.getName())))
        unit_.facts.functions[function.getName().str()] =
            collector_->function(decl, function.getName().str());
    for (const llvm::GlobalVariable& global : module.globals())
      if (const auto* decl = llvm::dyn_cast_or_null<clang::VarDecl>(
              generator_->GetDeclForMangledName(global.getName())))
        collector_->add_global(decl, global.getName().str());
    add_static_locals(module);
    for (clang::Decl* decl : instance.getASTContext().getTranslationUnitDecl()->decls())
      add_plain_records(decl);
    collector_->add_macros(instance.getPreprocessor());
    unit_.module.reset(generator_->ReleaseModule());
  }

private:
  /// Structs of the given code may be reached through `void*` only.
  void add_plain_records(clang::Decl* decl) {
    const clang::SourceManager& sources = decl->getASTContext().getSourceManager();
    if (decl->getLocation().isInvalid() || sources.isInSystemHeader(decl->getLocation())) return;
    if (auto* record = llvm::dyn_cast<clang::RecordDecl>(decl)) {
      if (record->isThisDeclarationADefinition()) collector_->add_record(record);
      for (clang::Decl* inner : record->decls())
        if (llvm::isa<clang::RecordDecl>(inner)) add_plain_records(inner);
    } else if (auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(decl)) {
      for (clang::Decl* inner : scope->decls()) add_plain_records(inner);
    } else if (auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(decl)) {
      if (enumeration->isComplete())
        collector_->type(decl->getASTContext().getEnumType(enumeration));
      if (!enumeration->getIdentifier())
        for (const clang::EnumConstantDecl* value : enumeration->enumerators())
          unit_.facts.constants[value->getNameAsString()] = value->getInitVal().getExtValue();
    } else if (auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(decl)) {
      for (clang::Decl* inner : linkage->decls()) add_plain_records(inner);
    }
  }

  /// Static locals are found by walking the bodies of the functions that were emitted.
  void add_static_locals(const llvm::Module& module) {
    for (const llvm::Function& function : module) {
      if (function.isDeclaration()) continue;
      const auto* decl = llvm::dyn_cast_or_null<clang::FunctionDecl>(
          generator_->GetDeclForMangledName(function.getName()));
      if (!decl) continue;
      for (const clang::Decl* inner : decl->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(inner);
        if (!variable || !variable->isStaticLocal()) continue;
        const auto* address = llvm::dyn_cast_or_null<llvm::GlobalVariable>(
            module.getNamedValue(decl->getNameAsString() + "." + variable->getNameAsString()));
        if (!address && unit_.facts.language == "cpp")
          address = module.getNamedGlobal(generator_->GetMangledName(clang::GlobalDecl(variable)));
        if (address && !unit_.facts.globals.contains(address->getName().str()))
          collector_->add_global(variable, address->getName().str());
      }
    }
  }

  const UnitRequest& request_;
  CompiledUnit& unit_;
  Broken& broken_;
  llvm::LLVMContext& context_;
  FactCollector* collector_ = nullptr;
  clang::CodeGenerator* generator_ = nullptr;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::string line;
  for (const char c : text) {
    if (c != '\n') {
      line += c;
      continue;
    }
    lines.push_back(line);
    line.clear();
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

/// The first error Clang reported, with everything it said as notes.
Diagnostic clang_failure(const UnitRequest& request, const std::string& said) {
  Diagnostic problem{{request.source}, "clang cannot compile it", {}};
  static const std::regex error(R"(^(.*?):(\d+):(\d+): (?:fatal )?error: (.*)$)");
  for (const std::string& line : lines_of(said)) {
    std::smatch parts;
    if (!std::regex_match(line, parts, error)) continue;
    problem.where = {parts[1], std::stoi(parts[2]), std::stoi(parts[3])};
    problem.message = "clang cannot compile it: " + parts[4].str();
    break;
  }
  for (const std::string& line : lines_of(said)) {
    if (problem.notes.size() >= 40) break;
    problem.notes.push_back("clang: " + line);
  }
  return problem;
}

/// Flags of the project that only its own compiler understands. Returns whether there were any.
bool drop_unknown_flags(const std::string& said, const UnitRequest& request,
                        std::vector<std::string>& words) {
  const auto given = request.flags.begin() + static_cast<std::ptrdiff_t>(request.of_project);
  static const std::regex unknown(
      R"(^error: (?:unknown argument|unsupported option):? '([^']*)'.*$)");
  bool any = false;
  for (const std::string& line : lines_of(said)) {
    std::smatch parts;
    if (std::regex_match(line, parts, unknown) &&
        std::find(given, request.flags.end(), parts[1].str()) == request.flags.end())
      any = std::erase(words, parts[1].str()) > 0 || any;
  }
  return any;
}

bool is_header(const std::string& source) {
  const std::string suffix = std::filesystem::path(source).extension().string();
  return suffix == ".h" || suffix == ".hh" || suffix == ".hpp" || suffix == ".hxx" ||
         suffix.empty();
}

Result<CompiledUnit> compile_once(const UnitRequest& request, llvm::LLVMContext& context,
                                  Broken& broken);

} // namespace

Result<CompiledUnit> compile_unit(const UnitRequest& request, llvm::LLVMContext& context) {
  Broken broken;
  auto unit = compile_once(request, context, broken);
  while (!unit && !broken.found.empty()) {
    broken.known.merge(broken.found);
    broken.found.clear();
    unit = compile_once(request, context, broken);
  }
  return unit;
}

namespace {

Result<CompiledUnit> compile_once(const UnitRequest& request, llvm::LLVMContext& context,
                                  Broken& broken) {
  const auto start = std::chrono::steady_clock::now();
  std::error_code ignored;
  if (!request.text && !std::filesystem::exists(request.source, ignored))
    return fail(Location{request.source}, "there is no such file");
  CompiledUnit unit;
  const bool wrapped = is_header(request.source) || is_template_id(request.class_name);
  const std::string suffix = std::filesystem::path(request.source).extension().string();
  const bool cpp = suffix != ".c" && (suffix != ".h" || request.is_cpp_header);
  const std::string main = wrapped ? (cpp ? "tacit-unit.cpp" : "tacit-unit.c")
                                   : seen_from(request.directory, request.source);

  std::vector<std::string> words{TACIT_CLANG_PATH};
  if (!request.directory.empty()) words.push_back("-working-directory=" + request.directory);
  // Code without a project of its own is read as what is written today; a project has its
  // compiler's default.
  const auto names_standard = [](const std::string& flag) {
    return flag.starts_with("-std=") || flag.starts_with("--std=");
  };
  if (cpp && request.of_project == 0 && std::ranges::none_of(request.flags, names_standard))
    words.emplace_back("-std=gnu++20");
  // What overflow means is for the analysis to say; whether an operation has a sign must show.
  for (const std::string& flag : request.flags)
    if (flag != "-fwrapv" && flag != "-ftrapv" && flag != "-fno-strict-overflow")
      words.push_back(flag);
  for (const char* flag : {"-g", "-fstandalone-debug", "-O1", "-Xclang", "-disable-llvm-passes",
                           "-fno-discard-value-names", "-fno-delete-null-pointer-checks",
                           "-UNDEBUG", "-fno-stack-protector", "-U_FORTIFY_SOURCE",
                           "-Wno-everything", "-fno-color-diagnostics", "-c"})
    words.emplace_back(flag);
  words.push_back(main);
  std::string said;
  llvm::raw_string_ostream out(said);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  options->ShowColors = false;
  clang::CreateInvocationOptions how;
  // One of its own: the driver goes to the folder of the database, and would take us along.
  how.VFS = llvm::vfs::createPhysicalFileSystem();
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics;
  std::unique_ptr<clang::CompilerInvocation> invocation;
  do {
    said.clear();
    diagnostics = clang::CompilerInstance::createDiagnostics(
        options.get(), new clang::TextDiagnosticPrinter(out, options.get()), true);
    how.Diags = diagnostics;
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    invocation = clang::createInvocation(arguments, how);
    out.flush();
  } while (drop_unknown_flags(said, request, words));
  if (!invocation || diagnostics->hasErrorOccurred())
    return std::unexpected(clang_failure(request, said));
  // Lists of what was read belong to the project's own build.
  invocation->getDependencyOutputOpts() = {};
  if (wrapped) {
    std::string text = "#include \"" + std::filesystem::absolute(request.source).string() + "\"\n";
    if (is_template_id(request.class_name))
      text += std::string("using ") + alias_name + " = " + request.class_name + ";\n";
    invocation->getPreprocessorOpts().addRemappedFile(
        main, llvm::MemoryBuffer::getMemBufferCopy(text, main).release());
  }
  if (request.text)
    invocation->getPreprocessorOpts().addRemappedFile(
        main, llvm::MemoryBuffer::getMemBufferCopy(*request.text, main).release());
  // An alias for a constructor would hide it.
  invocation->getCodeGenOpts().CXXCtorDtorAliases = false;
  // The ends of lifetimes would make every early return a detour.
  invocation->getCodeGenOpts().DisableLifetimeMarkers = true;
  invocation->getDiagnosticOpts().ShowCarets = false; // no count of warnings at the end
  clang::CompilerInstance instance;
  instance.setInvocation(std::move(invocation));
  instance.setDiagnostics(diagnostics.get());
  instance.createFileManager(how.VFS);
  UnitAction action(request, unit, broken, context);
  const bool done = instance.ExecuteAction(action);
  out.flush();
  if (!done || diagnostics->hasErrorOccurred() || !unit.module)
    return std::unexpected(clang_failure(request, said));
  unit.clang_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return unit;
}

} // namespace

} // namespace tacit
