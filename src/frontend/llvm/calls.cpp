// Calls: what is known by name, callees with code that stayed calls, and opaque callees.
#include <algorithm>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Operator.h>

#include "base/should.h"
#include "frontend/llvm/function_lowering.h"
#include "frontend/llvm/library.h"

namespace tacit {

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  if (lower_intrinsic(call)) return;
  const llvm::Function* callee =
      llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee && lower_known(call, callee->getName().str())) return;
  if (callee && !callee->isDeclaration() && lowering_.lowers(*callee) && !callee->isVarArg())
    return lower_internal(call, *callee);
  lower_opaque(call, callee);
}

/// After a call that is no call in the program: on to the normal successor.
void FunctionLowering::continue_after(const llvm::CallBase& call) {
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
    go(edge(*call.getParent(), *invoke->getNormalDest()));
}

bool FunctionLowering::lower_intrinsic(const llvm::CallBase& call) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (!intrinsic) return false;
  using namespace llvm;
  const auto done = [&] {
    continue_after(call);
    return true;
  };
  const auto give = [&](Held held) {
    set(call, std::move(held));
    return done();
  };
  const auto operand = [&](unsigned i) -> const Held& { return value(call.getArgOperand(i)); };
  if (const auto* copy = dyn_cast<MemTransferInst>(&call)) {
    copy_memory(*copy);
    return done();
  }
  if (const auto* fill = dyn_cast<MemSetInst>(&call)) {
    fill_memory(*fill);
    return done();
  }
  switch (intrinsic->getIntrinsicID()) {
  case Intrinsic::assume: assume_true(as_truth(operand(0))); return done();
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability: return give(operand(0));
  case Intrinsic::is_constant: return give(truth(arena_.falsehood()));
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap: emit_call(call, lowering_.stopper("trap"), {}, nullptr); return true;
  case Intrinsic::eh_typeid_for: set(call, {}); return done();
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin: {
    const auto id = intrinsic->getIntrinsicID();
    const unsigned bits = call.getType()->getIntegerBitWidth();
    const bool is_signed = id == Intrinsic::smax || id == Intrinsic::smin;
    const Sign sign = is_signed ? Sign::Signed : Sign::Unsigned;
    const Held first = operand(0), second = operand(1);
    const Term a = as(first, bits, sign), b = as(second, bits, sign);
    const bool larger = id == Intrinsic::smax || id == Intrinsic::umax;
    return give(number(arena_.ite(larger ? arena_.ge(a, b) : arena_.le(a, b), a, b), sign));
  }
  case Intrinsic::abs: {
    const unsigned bits = call.getType()->getIntegerBitWidth();
    const Term a = as(operand(0), bits, Sign::Signed);
    return give(
        number(arena_.ite(arena_.lt(a, arena_.integer(0)), arena_.neg(a), a), Sign::Signed));
  }
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow: {
    const unsigned bits = call.getArgOperand(0)->getType()->getIntegerBitWidth();
    const auto* binary = llvm::cast<BinaryOpIntrinsic>(&call);
    const Sign sign = binary->isSigned() ? Sign::Signed : Sign::Unsigned;
    if (bits > 64) return false;
    const Held first = operand(0), second = operand(1);
    const Term a = as(first, bits, sign), b = as(second, bits, sign);
    Term exact = nullptr;
    switch (binary->getBinaryOp()) {
    case Instruction::Add: exact = arena_.add(a, b); break;
    case Instruction::Sub: exact = arena_.sub(a, b); break;
    default: exact = arena_.mul(a, b);
    }
    const Integer low = binary->isSigned() ? -(Integer{1} << (bits - 1)) : Integer{0};
    const Integer high = (Integer{1} << (binary->isSigned() ? bits - 1 : bits)) - 1;
    const Term over =
        arena_.disj(arena_.lt(exact, arena_.integer(low)), arena_.gt(exact, arena_.integer(high)));
    pairs_[&call] = {number(arena_.wrap(static_cast<int>(bits), binary->isSigned(), exact), sign),
                     truth(over)};
    return done();
  }
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::threadlocal_address:
  case Intrinsic::ptrmask: return done();
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
  case Intrinsic::prefetch:
  case Intrinsic::donothing:
  case Intrinsic::vacopy:
  case Intrinsic::vastart:
  case Intrinsic::vaend: return done();
  default: break;
  }
  if (isa<DbgInfoIntrinsic>(call)) return done();
  if (!call.getType()->isVoidTy()) {
    lowering_.assume("not understood: " + intrinsic->getCalledFunction()->getName().str(),
                     where(call));
    set(call, unknown(call.getType(), name_of(call)));
  }
  return done();
}

bool FunctionLowering::lower_known(const llvm::CallBase& call, const std::string& symbol) {
  const auto nothing = [&] {
    continue_after(call);
    return true;
  };
  if (symbol == "__assert_fail" || symbol == "__assert") {
    if (at_own_site(call))
      end({.kind = TerminatorKind::Error, .name = "assert"});
    else
      stop();
    return true;
  }
  if (symbol == "__cxa_throw") {
    raise(call, lowering_.exception_name(call.getArgOperand(1)));
    return true;
  }
  if (symbol == "__cxa_rethrow") {
    rethrow(call);
    return true;
  }
  if (symbol == "__cxa_begin_catch") {
    const Term thrown = value(call.getArgOperand(0)).thrown;
    held_[&call] = Held{.thrown = thrown};
    catches_.push_back(&call);
    return nothing();
  }
  if (symbol == "__cxa_get_exception_ptr") {
    held_[&call] = Held{.thrown = value(call.getArgOperand(0)).thrown};
    return nothing();
  }
  if (symbol == "__cxa_allocate_exception" || symbol == "__cxa_end_catch" ||
      symbol == "__cxa_free_exception" || symbol == "__cxa_atexit" ||
      symbol == "__cxa_guard_release" || symbol == "__cxa_guard_abort")
    return nothing();
  if (symbol == "__cxa_guard_acquire") {
    // The first call runs the initialiser, later ones do not: both are taken to be possible.
    set(call, unknown(call.getType(), "first_time"));
    lowering_.assume("an initialiser of a static local may run at any call", where(call));
    return nothing();
  }
  static const std::set<std::string> stops = {"abort",
                                              "exit",
                                              "_exit",
                                              "_Exit",
                                              "quick_exit",
                                              "__clang_call_terminate",
                                              "_ZSt9terminatev",
                                              "__cxa_pure_virtual",
                                              "__cxa_bad_cast",
                                              "__cxa_throw_bad_array_new_length",
                                              "__stack_chk_fail",
                                              "longjmp",
                                              "siglongjmp"};
  if (stops.contains(symbol)) {
    const bool terminate = symbol == "__clang_call_terminate" || symbol == "_ZSt9terminatev";
    if (symbol.ends_with("longjmp"))
      lowering_.assume("where longjmp goes is not followed: such runs are left out", where(call));
    emit_call(call, lowering_.stopper(terminate ? "std::terminate" : symbol), {}, nullptr);
    if (open_) stop();
    return true;
  }
  const std::string demangled = llvm::demangle(symbol);
  if (const auto thrown = library_exception(demangled)) {
    raise(call, *thrown);
    return true;
  }
  if (symbol == "malloc" || symbol == "calloc") {
    allocate(call, true, symbol == "calloc");
    return true;
  }
  if (symbol.starts_with("_Znw") || symbol.starts_with("_Zna")) {
    allocate(call, symbol.find("nothrow") != std::string::npos, false);
    return true;
  }
  if (symbol == "free" || symbol.starts_with("_Zdl") || symbol.starts_with("_Zda"))
    return nothing();
  // What an exception says does not matter; building it fails only for want of memory.
  if (call.arg_size() > 0 && call.getArgOperand(0)->getType()->isPointerTy() &&
      resolve(call.getArgOperand(0)).kind == Target::Kind::Exception) {
    const llvm::Function* callee = call.getCalledFunction();
    const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
    if (fact && fact->is_constructor) return nothing();
  }
  return false;
}

/// A fresh object, or null where the function may fail so.
void FunctionLowering::allocate(const llvm::CallBase& call, bool may_fail, bool zeroed) {
  std::string record;
  for (const llvm::User* user : call.users())
    if (const auto* stored = llvm::dyn_cast<llvm::StoreInst>(user);
        stored && stored->getValueOperand() == &call)
      if (const FieldFact* field = static_field(stored->getPointerOperand(), 64, stored))
        if (const RecordFact* known = lowering_.record(field->type.name))
          record = lowering_.declare_record(known->name);
  if (record.empty()) record = lowering_.new_record(&call);
  Type type{.sort = arena_.ref_sort()};
  const Term made = local(name_of(call), type);
  if (may_fail) {
    const Term fails = local("fails", {.sort = arena_.bool_sort()});
    havoc(fails, Chooser::Environment);
    const BlockId failed = new_block(), fine = new_block(), after = new_block();
    branch(fails, failed, fine);
    current_ = failed;
    open_ = true;
    assign(made, arena_.null());
    go(after);
    current_ = fine;
    open_ = true;
    emit({.kind = StatementKind::New, .target = made, .record = record});
    held_[&call] = Held{.term = made};
    if (zeroed) zero_fresh(call, record);
    go(after);
    current_ = after;
    open_ = true;
  } else {
    emit({.kind = StatementKind::New, .target = made, .record = record});
    known_not_null_.insert(made);
    lowering_.assume("new does not run out of memory");
  }
  held_[&call] = Held{.term = made};
  continue_after(call);
}

void FunctionLowering::zero_fresh(const llvm::CallBase& call, const std::string&) {
  for (const llvm::User* user : call.users()) {
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    if (!gep || !lowering_.record_of(gep->getSourceElementType())) continue;
    Target target{
        .kind = Target::Kind::Heap, .root = &call, .pointee = gep->getSourceElementType()};
    known_not_null_.insert(held_[&call].term);
    const RecordFact* record = lowering_.record_of(target.pointee);
    zero(target, record->bits / 8);
    known_not_null_.erase(held_[&call].term);
    return;
  }
}

// Exceptions.

std::vector<Handler> FunctionLowering::handlers(const llvm::CallBase& call) {
  const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call);
  if (!invoke || !module_.exception_sort) return {};
  const llvm::LandingPadInst* pad = invoke->getLandingPadInst();
  const Term binder = thrown_.at(pad);
  const BlockId target = edge(*call.getParent(), *invoke->getUnwindDest());
  std::vector<Handler> found;
  bool all = pad->isCleanup();
  for (unsigned i = 0; i < pad->getNumClauses(); ++i) {
    if (pad->isFilter(i) || llvm::isa<llvm::ConstantPointerNull>(pad->getClause(i))) {
      all = true;
      continue;
    }
    found.push_back({lowering_.exception_name(pad->getClause(i)), binder, target});
  }
  if (all) return {{"*", binder, target}};
  return found;
}

/// A throw of own code leaves as an exception, or goes to the handler around it. One of code that
/// is not own is the environment's: a call that fails.
void FunctionLowering::raise(const llvm::CallBase& call, const std::string& name) {
  if (!at_own_site(call)) {
    emit_call(call, lowering_.thrower(name, where(call)), {}, nullptr);
    if (open_) stop();
    return;
  }
  raise_term(call, lowering_.exception(name));
}

void FunctionLowering::raise_term(const llvm::CallBase& call, Term thrown) {
  for (const Handler& handler : handlers(call)) {
    const Term caught = handler.exception == "*"
                            ? arena_.truth()
                            : lowering_.is_exception(thrown, handler.exception);
    if (is_false(caught)) continue;
    BlockId next = 0;
    if (!is_true(caught)) {
      const BlockId taken = new_block();
      next = new_block();
      branch(caught, taken, next);
      current_ = taken;
      open_ = true;
    }
    assign(handler.binder, thrown);
    go(handler.target);
    if (is_true(caught)) return;
    current_ = next;
    open_ = true;
  }
  end({.kind = TerminatorKind::Throw, .value = thrown});
}

void FunctionLowering::rethrow(const llvm::CallBase& call) {
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(function_));
  const llvm::CallBase* nearest = nullptr;
  for (const llvm::CallBase* candidate : catches_)
    if (dominators.dominates(candidate, &call) &&
        (!nearest || dominators.dominates(nearest, candidate)))
      nearest = candidate;
  const Term thrown = nearest ? held_[nearest].thrown : nullptr;
  if (thrown) return raise_term(call, thrown);
  lowering_.assume("it is not known what is thrown again", where(call));
  const Term any = local("thrown", {.sort = module_.exception_sort});
  havoc(any, Chooser::Unknown);
  raise_term(call, any);
}

// Calls that stay calls.

void FunctionLowering::emit_call(const llvm::CallBase& call, const std::string& name,
                                 std::vector<Term> arguments, Term result) {
  Terminator made{.kind = TerminatorKind::Call,
                  .name = name,
                  .arguments = std::move(arguments),
                  .result = result};
  made.handlers = handlers(call);
  const BlockId next = new_block();
  made.next = next;
  end(std::move(made));
  current_ = next;
  open_ = true;
}

/// A pointer handed to a callee. What the callee may write goes to `writes` and `stack_written`.
Term FunctionLowering::pointer_argument(const llvm::Value* argument, bool written,
                                        std::set<std::string>& writes,
                                        std::vector<const llvm::Value*>& later) {
  const Target target = resolve(argument);
  if (written) {
    const bool whole_receiver =
        target.kind == Target::Kind::Receiver && target.offset == 0 && !target.index;
    if (whole_receiver) {
      lowering_.assume(
          "callees that are handed the object do not change its private fields or call "
          "it back");
      if (lowering_.receiver_record())
        for (const FieldFact& field : lowering_.receiver_record()->fields)
          if (field.is_public && field.type.kind != SourceType::Kind::Object &&
              field.type.kind != SourceType::Kind::Float)
            writes.insert(lowering_.receiver_field(field)->name);
    } else if (target.kind == Target::Kind::Stack || target.kind == Target::Kind::Unknown) {
      later.push_back(argument);
    } else {
      forget_pointee(argument, writes);
    }
  }
  return address(argument);
}

/// Which bytes a callee reaches through a pointer: the field or nested object it points to.
void FunctionLowering::forget_pointee(const llvm::Value* pointer, std::set<std::string>& writes) {
  const Target target = resolve(pointer);
  if (target.kind == Target::Kind::Heap && target.offset == 0 && !target.index) {
    // The whole record, when its type is known from other uses of the pointer.
    std::set<const RecordFact*> records;
    for (const llvm::User* user : target.root->users())
      if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(user))
        if (const RecordFact* found = lowering_.record_of(gep->getSourceElementType()))
          records.insert(found);
    if (const auto found = parameter_records_.find(pointer); found != parameter_records_.end())
      if (const RecordFact* record = lowering_.record(found->second)) records.insert(record);
    for (const RecordFact* record : records)
      for (const FieldFact& field : record->fields)
        if (field.type.kind != SourceType::Kind::Object &&
            field.type.kind != SourceType::Kind::Float)
          writes.insert(lowering_.record_field(*record, field)->name);
    return;
  }
  const auto low = static_cast<std::uint64_t>(std::max<std::int64_t>(target.offset, 0)) * 8;
  const std::vector<FieldFact> fields = fields_of(target);
  const FieldFact* at = nullptr;
  for (const FieldFact& field : fields)
    if (field.bit_offset <= low &&
        low < field.bit_offset + (field.count > 0 ? field.count * field.stride : field.bit_width))
      at = &field;
  for (const FieldFact& field : fields) {
    if (field.type.kind == SourceType::Kind::Object && &field == at &&
        target.kind != Target::Kind::Heap)
      for (const std::string& ghost : lowering_.ghosts(field.path, field.type.name))
        writes.insert(ghost);
    if (field.type.kind == SourceType::Kind::Object || field.type.kind == SourceType::Kind::Float)
      continue;
    // Only that field, when it starts there and is no part of a nested object.
    const bool nested = at && at->path.find('.') != std::string::npos;
    const std::string scope = nested ? at->path.substr(0, at->path.rfind('.')) : "";
    const bool reached = target.within ? may_reach(target, field, low, UINT64_MAX)
                                       : !at || target.index || &field == at ||
                                             (nested && field.path.starts_with(scope + "."));
    if (reached) writes.insert(variable_of(target, field)->name);
  }
}

/// The library object, held by value, that a pointer points to.
const FieldFact* FunctionLowering::object_field(const llvm::Value* pointer) const {
  const Target target = resolve(pointer);
  if (target.index || target.offset < 0) return nullptr;
  if (target.kind == Target::Kind::Receiver && lowering_.receiver_record()) {
    for (const FieldFact& field : lowering_.receiver_record()->fields)
      if (field.type.kind == SourceType::Kind::Object && field.count == 0 &&
          field.bit_offset == static_cast<std::uint64_t>(target.offset) * 8)
        return &field;
  } else if (target.kind == Target::Kind::Global) {
    const GlobalFact* global = lowering_.global(*llvm::cast<llvm::GlobalVariable>(target.root));
    if (!global) return nullptr;
    for (const FieldFact& field : global->fields)
      if (field.type.kind == SourceType::Kind::Object && field.count == 0 &&
          field.bit_offset == static_cast<std::uint64_t>(target.offset) * 8)
        return &field;
  }
  return nullptr;
}

void FunctionLowering::lower_internal(const llvm::CallBase& call, const llvm::Function& callee) {
  std::vector<Receiver> bound(callee.arg_size(), Receiver::None);
  std::vector<const llvm::Value*> later;
  std::vector<Term> arguments;
  std::vector<const llvm::Value*> passed;
  for (const llvm::Argument& parameter : callee.args()) {
    const llvm::Value* argument = call.getArgOperand(parameter.getArgNo());
    if (parameter.hasStructRetAttr()) {
      later.push_back(argument);
      continue;
    }
    if (argument->getType()->isPointerTy()) {
      const Target target = resolve(argument);
      if (target.kind == Target::Kind::Receiver && !target.index &&
          target.offset == lowering_.receiver_offset(callee)) {
        bound[parameter.getArgNo()] = Receiver::Object;
        continue;
      }
      let_escape(argument);
      if (target.kind == Target::Kind::Stack) later.push_back(argument);
    }
    passed.push_back(argument);
  }
  const std::string name = lowering_.internal(callee, bound);
  const Procedure signature = *module_.find_procedure(name);
  for (std::size_t i = 0; i < passed.size(); ++i)
    arguments.push_back(argument_term(passed[i], signature.parameters[i].type));
  Term result = nullptr;
  if (signature.returns && !call.getType()->isVoidTy()) {
    result = local(name_of(call), *signature.returns);
    set_result(call, result, lowering_.fact(callee));
  } else if (!call.getType()->isVoidTy()) {
    set(call, unknown(call.getType(), name_of(call)));
  }
  emit_call(call, name, std::move(arguments), result);
  for (const llvm::Value* pointer : later) forget(pointer, 0, Chooser::Unknown, nullptr);
  continue_after(call);
}

/// An argument in the type of the callee's parameter.
Term FunctionLowering::argument_term(const llvm::Value* argument, const Type& type) {
  if (argument->getType()->isPointerTy() && resolve(argument).kind == Target::Kind::Stack) {
    const Term fresh = local("address", {.sort = arena_.ref_sort()});
    havoc(fresh, Chooser::Unknown);
    assume_true(arena_.ne(fresh, arena_.null()));
    return fresh;
  }
  const Held held = value(argument);
  switch (type.sort->kind) {
  case SortKind::Bool: return as_truth(held);
  case SortKind::Ref:
    if (held.term && held.term->sort == type.sort) return held.term;
    break;
  case SortKind::Enum: {
    const auto choice = to_choice(held.choice ? held.choice : held.term, type.sort);
    if (choice) return *choice;
    for (const auto& [name, fact] : lowering_.facts().enums)
      if (lowering_.enum_sort(name) == type.sort) lowering_.open_enum(name);
    break;
  }
  case SortKind::Int:
    if (held.composite || (held.term && held.term->sort == type.sort)) {
      const unsigned bits =
          argument->getType()->isIntegerTy() ? argument->getType()->getIntegerBitWidth() : 64;
      return as(held, bits, type.low && *type.low == 0 ? Sign::Unsigned : Sign::Signed);
    }
    break;
  default: break;
  }
  const Term any = local("argument", type);
  havoc(any, Chooser::Unknown);
  return any;
}

void FunctionLowering::set_result(const llvm::CallBase& call, Term result,
                                  const FunctionFact* fact) {
  SourceType source;
  if (fact) source = fact->returns;
  if (source.kind != SourceType::Kind::Number && source.kind != SourceType::Kind::Enumeration)
    source.is_signed = true;
  set(call, from_cell({result, {}, source}, result));
  if (fact && fact->returns.is_reference) known_not_null_.insert(result);
}

void FunctionLowering::lower_opaque(const llvm::CallBase& call, const llvm::Function* callee) {
  const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
  std::string name;
  if (call.isInlineAsm()) {
    name = "asm";
    lowering_.assume("inline assembly is not looked into", where(call));
  } else if (!callee) {
    name = "indirect";
    lowering_.assume("a call through a pointer may do anything to what it is handed and nothing "
                     "else",
                     where(call));
  } else {
    name = fact ? fact->qualified : llvm::demangle(callee->getName().str());
    if (fact && fact->in_system_header)
      name = fact->in_class.empty() ? without_arguments(fact->qualified)
                                    : without_arguments(fact->in_class) + "::" + fact->name;
  }
  const std::size_t hidden_this = fact && fact->is_instance ? 1 : 0;
  std::size_t structs = 0;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.paramHasAttr(i, llvm::Attribute::StructRet)) ++structs;
  const bool fits = fact && call.arg_size() == fact->parameters.size() + hidden_this + structs;
  std::set<std::string> writes;
  std::vector<const llvm::Value*> later;
  std::vector<Term> arguments;
  std::vector<Variable> parameters;
  std::size_t next = 0;
  bool self = hidden_this > 0;
  std::set<std::string> used;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value* argument = call.getArgOperand(i);
    if (call.paramHasAttr(i, llvm::Attribute::StructRet)) {
      later.push_back(argument);
      continue;
    }
    const ParameterFact* parameter = nullptr;
    bool read_only = call.onlyReadsMemory(i) || call.onlyReadsMemory() ||
                     call.paramHasAttr(i, llvm::Attribute::ByVal);
    std::string wanted = "a" + std::to_string(i);
    if (self) {
      self = false;
      read_only = read_only || fact->is_const;
      wanted = "self";
    } else if (fits) {
      parameter = &fact->parameters[next++];
      read_only = read_only || parameter->type.pointee_const;
      if (!parameter->name.empty()) wanted = parameter->name;
    }
    Type type;
    if (argument->getType()->isPointerTy()) {
      if (parameter) parameter_records_[argument] = parameter->type.name;
      type = {.sort = arena_.ref_sort()};
      arguments.push_back(pointer_argument(argument, !read_only, writes, later));
    } else if (argument->getType()->isIntegerTy(1)) {
      type = {.sort = arena_.bool_sort()};
      arguments.push_back(as_truth(value(argument)));
    } else {
      type = {.sort = arena_.int_sort()};
      if (parameter && parameter->type.kind == SourceType::Kind::Number &&
          !parameter->type.is_signed)
        type.low = Integer{0};
      arguments.push_back(argument_term(argument, type));
      type.low.reset();
    }
    parameters.push_back({arena_.var(lowering_.local_name(wanted, used), type.sort), type});
  }
  std::optional<Type> returns;
  if (!call.getType()->isVoidTy()) {
    SourceType source = fact ? fact->returns : SourceType{};
    const llvm::Type* type = call.getType();
    const bool agrees = (type->isPointerTy() && source.kind == SourceType::Kind::Pointer) ||
                        (type->isIntegerTy(1) && source.kind == SourceType::Kind::Bool) ||
                        (type->isIntegerTy() &&
                         (source.kind == SourceType::Kind::Number ||
                          source.kind == SourceType::Kind::Enumeration) &&
                         source.bits == type->getIntegerBitWidth());
    if (!agrees) {
      source = {};
      if (type->isPointerTy())
        source = {.kind = SourceType::Kind::Pointer, .bits = 64};
      else if (type->isIntegerTy(1))
        source = {.kind = SourceType::Kind::Bool, .bits = 8};
      else if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
        source = {.kind = SourceType::Kind::Number,
                  .bits = type->getIntegerBitWidth(),
                  .is_signed = true};
    }
    if (source.kind == SourceType::Kind::Enumeration) source.kind = SourceType::Kind::Number;
    if (source.kind != SourceType::Kind::Void) {
      returns = lowering_.scalar_type(source);
      if (source.kind == SourceType::Kind::Pointer) returns->record.clear();
    }
  }
  // A call on a library object that the component holds by value speaks of that object.
  if (hidden_this > 0 && call.arg_size() > structs) {
    const llvm::Value* object = call.getArgOperand(static_cast<unsigned>(structs));
    if (const FieldFact* field = object_field(object)) {
      const auto facts = lowering_.ghosts(field->path, field->type.name);
      if (!facts.empty() &&
          without_arguments(field->type.name) == without_arguments(fact->in_class)) {
        if (!fact->is_const && !has_library_contract(name, parameters.size()))
          writes.insert(facts.begin(), facts.end());
        for (const std::string& ghost : facts)
          if (has_library_contract(name, parameters.size())) writes.erase(ghost);
        name += "@" + field->path;
      }
    }
  }
  const bool may_throw = lowering_.facts().language == "cpp" && !call.doesNotThrow() &&
                         !fails_only_for_memory(name.substr(0, name.find('@')));
  if (lowering_.facts().language == "cpp" && !call.doesNotThrow() && !may_throw)
    lowering_.assume("the library's containers and strings do not run out of memory");
  std::string key = callee ? callee->getName().str() + name : name;
  for (const Variable& parameter : parameters) key += " " + to_string(parameter.type);
  if (returns) key += " : " + to_string(*returns);
  const std::string procedure = lowering_.callee(key, name, parameters, returns, may_throw, writes);
  Term result = nullptr;
  if (returns) {
    result = local(name_of(call), *returns);
    set_result(call, result, fact);
  } else if (!call.getType()->isVoidTy()) {
    set(call, unknown(call.getType(), name_of(call), Chooser::Environment));
  }
  emit_call(call, procedure, std::move(arguments), result);
  if (result && fact && fact->returns.is_reference && result->sort == arena_.ref_sort())
    assume_true(arena_.ne(result, arena_.null()));
  for (const llvm::Value* pointer : later) forget(pointer, 0, Chooser::Environment, nullptr);
  if (call.doesNotReturn()) return stop();
  continue_after(call);
}

} // namespace tacit
