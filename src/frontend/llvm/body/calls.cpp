// Calls: what is known by name, callees with code that stayed calls, and opaque callees.
#include <algorithm>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Operator.h>

#include "base/should.h"
#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/prepare/callbacks.h"
#include "frontend/llvm/prepare/made_handles.h"
#include "program/observe/no_object.h"

namespace tacit {

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  if (lower_intrinsic(call)) return;
  const llvm::Function* callee =
      llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee && lower_known(call, callee->getName().str())) return;
  if (!callee && !call.isInlineAsm())
    lower_indirect(call);
  else if (callee && lowering_.looks_into(*callee))
    lower_internal(call, *callee);
  else
    lower_opaque(call, callee);
  if (open_) continue_after(call);
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
  case Intrinsic::vaend: return done();
  case Intrinsic::vacopy:
  case Intrinsic::vastart:
    forget(call.getArgOperand(0), 0, Chooser::Unknown, nullptr);
    return done();
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
  if (is_assert_failure(symbol)) {
    if (at_own_site(call))
      end({.kind = TerminatorKind::Error, .name = "assert"});
    else
      stop();
    return true;
  }
  if (symbol == no_object_function) {
    end({.kind = TerminatorKind::Error, .name = std::string(no_object)});
    return true;
  }
  if (symbol == "__cxa_throw") {
    if (const auto* destructor = llvm::dyn_cast<llvm::Function>(call.getArgOperand(2));
        destructor && lowering_.changes_something(*destructor))
      havoc(lowering_.any_state(), Chooser::Unknown); // whoever catches it will end it
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
  if (symbol == "__cxa_end_catch" && lowering_.exceptions_end_in_code()) {
    lowering_.assume("destructors of exceptions may change everything", where(call));
    havoc(lowering_.any_state(), Chooser::Unknown);
    return nothing();
  }
  if (symbol == "__cxa_allocate_exception" || symbol == "__cxa_end_catch" ||
      symbol == "__cxa_free_exception" || symbol == "__cxa_atexit" || symbol == "__cxa_guard_abort")
    return nothing();
  if (symbol == "__cxa_guard_acquire" || symbol == "__cxa_guard_release") {
    // The first call runs the initialiser, later ones do not.
    const Term done = lowering_.guard(*call.getArgOperand(0)->stripPointerCasts());
    if (symbol == "__cxa_guard_release")
      assign(done, arena_.truth());
    else
      set(call, truth(arena_.negate(done)));
    return nothing();
  }
  const auto is_said_to = [&](Attribute attribute) {
    return lowering_.facts().library->all.has(attribute, symbol) ||
           lowering_.is_said_to(attribute, call);
  };
  if (is_said_to(Attribute::Stops)) {
    const bool terminate = symbol == "__clang_call_terminate" || symbol == "_ZSt9terminatev";
    emit_call(call, lowering_.stopper(terminate ? "std::terminate" : symbol), {}, nullptr);
    if (open_) stop();
    return true;
  }
  if (is_said_to(Attribute::Jumps)) {
    if (!lowering_.jumps_within()) {
      end({.kind = TerminatorKind::Throw, .value = lowering_.exception(jump_exception)});
    } else {
      lowering_.assume("longjmp goes to a setjmp of the given code", where(call));
      stop();
    }
    return true;
  }
  if (is_said_to(Attribute::Lands)) {
    land(call);
    return true;
  }
  if (const auto thrown = raised_by(*lowering_.facts().library, llvm::demangle(symbol))) {
    raise(call, *thrown);
    return true;
  }
  if (symbol == "malloc" || symbol == "calloc") {
    allocate(call, true, symbol == "calloc");
    return true;
  }
  if (symbol == "realloc" && call.arg_size() == 2) {
    reallocate(call);
    return true;
  }
  if (symbol.starts_with("_Znw") || symbol.starts_with("_Zna")) {
    allocate(call, symbol.find("nothrow") != std::string::npos, false);
    return true;
  }
  if (symbol == "free" || symbol.starts_with("_Zdl") || symbol.starts_with("_Zda")) {
    note_freed(call);
    return nothing();
  }
  // What an exception says, or an object that is returned, does not matter; building it fails only
  // for want of memory. What it is moved from is no longer what it was.
  if (call.arg_size() > 0 && call.getArgOperand(0)->getType()->isPointerTy() &&
      resolve(call.getArgOperand(0)).kind == Target::Kind::Exception) {
    const llvm::Function* callee = call.getCalledFunction();
    const FunctionFact* fact = callee ? lowering_.fact(*callee) : nullptr;
    const auto is_moved = [](const ParameterFact& parameter) { return parameter.type.is_rvalue; };
    if (fact && fact->is_constructor && !lowering_.looks_into(*callee) &&
        std::ranges::none_of(fact->parameters, is_moved))
      return nothing();
  }
  return false;
}

/// Whoever frees the component itself ends it.
void FunctionLowering::note_freed(const llvm::CallBase& call) {
  if (call.arg_size() == 0 || !call.getArgOperand(0)->getType()->isPointerTy()) return;
  const Target target = resolve(call.getArgOperand(0));
  if (target.kind == Target::Kind::Receiver && target.offset == 0 && !target.index)
    assign(lowering_.freed(), arena_.truth());
}

/// `setjmp` returns once as every function does, and again from wherever somebody jumps: the state
/// is what it was there.
void FunctionLowering::land(const llvm::CallBase& call) {
  lowering_.assume("the state is not known where setjmp returns again", where(call));
  const Term result = local(
      name_of(call),
      lowering_.scalar_type({.kind = SourceType::Kind::Number, .bits = 32, .is_signed = true}));
  const Term again = local("again", {.sort = arena_.bool_sort()});
  havoc(again, Chooser::Unknown);
  const BlockId jumped = new_block(), first = new_block(), after = new_block();
  branch(again, jumped, first);
  current_ = jumped;
  open_ = true;
  havoc(lowering_.any_state(), Chooser::Unknown);
  for (auto& [root, object] : stack_)
    for (auto& [place, cell] : object.cells) havoc(cell.variable, Chooser::Unknown);
  havoc(result, Chooser::Unknown);
  assume_true(arena_.ne(result, arena_.integer(0)));
  go(after);
  current_ = first;
  open_ = true;
  assign(result, arena_.integer(0));
  go(after);
  current_ = after;
  open_ = true;
  set(call, number(result, Sign::Signed));
  continue_after(call);
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
  if (const RecordFact* seen = lowering_.views().record_at(lowering_.points_to().at(&call));
      record.empty() && seen)
    record = lowering_.declare_record(seen->name);
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

/// The object with what was in it, or null. Where it lies afterwards nobody can tell.
void FunctionLowering::reallocate(const llvm::CallBase& call) {
  lowering_.assume("memory that realloc makes larger or smaller stays where it is");
  const Term old = address(call.getArgOperand(0));
  const Term made = local(name_of(call), {.sort = arena_.ref_sort()});
  const Term fails = local("fails", {.sort = arena_.bool_sort()});
  havoc(fails, Chooser::Environment);
  const BlockId failed = new_block(), fine = new_block(), first = new_block(), again = new_block(),
                after = new_block();
  const auto from = [&](BlockId block) {
    current_ = block;
    open_ = true;
  };
  branch(fails, failed, fine);
  from(failed);
  assign(made, arena_.null());
  go(after);
  from(fine);
  branch(arena_.eq(old, arena_.null()), first, again);
  from(first);
  emit({.kind = StatementKind::New, .target = made, .record = lowering_.new_record(&call)});
  go(after);
  from(again);
  assign(made, old);
  go(after);
  from(after);
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
  site_ = misuse_site(call);
  if (!site_ && !at_own_site(call)) {
    emit_call(call, lowering_.thrower(name, where(call)), {}, nullptr);
    if (open_) stop();
    return;
  }
  raise_term(call, lowering_.exception(name));
  site_.reset();
}

/// Where own code called the library function that an exception comes from, whose code is read:
/// it was misused.
std::optional<Location> FunctionLowering::misuse_site(const llvm::CallBase& call) const {
  const auto& functions = lowering_.facts().functions;
  for (const llvm::DILocation* place = call.getDebugLoc(); place; place = place->getInlinedAt()) {
    const llvm::DISubprogram* in = place->getScope()->getSubprogram();
    const auto found = in ? functions.find(in->getLinkageName().str()) : functions.end();
    if (found == functions.end()) return std::nullopt;
    if (found->second.in_system_header && !found->second.is_own) continue;
    if (!found->second.is_own || place == call.getDebugLoc().get()) return std::nullopt;
    return Location{place->getFilename().str(), static_cast<int>(place->getLine()), 0};
  }
  return std::nullopt;
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
  for (unsigned i = static_cast<unsigned>(callee.arg_size()); i < call.arg_size(); ++i) {
    const llvm::Value* argument = call.getArgOperand(i);
    if (!argument->getType()->isPointerTy()) continue;
    let_escape(argument);
    if (resolve(argument).kind == Target::Kind::Stack) later.push_back(argument);
  }
  const std::string name = lowering_.internal(callee, bound);
  const Procedure signature = *module_.find_procedure(name);
  for (std::size_t i = 0; i < passed.size(); ++i)
    arguments.push_back(argument_term(passed[i], signature.parameters[i].type));
  Term result = nullptr;
  if (signature.returns && !call.getType()->isVoidTy()) {
    result = local(name_of(call), *signature.returns);
    const FunctionFact* fact = lowering_.fact(callee);
    set_result(call, result, fact ? fact->returns : SourceType{});
    if (result->sort == arena_.int_sort() && lowering_.gives_truth(&callee))
      held_[&call].truth = arena_.ne(result, arena_.integer(0));
  } else if (!call.getType()->isVoidTy()) {
    set(call, unknown(call.getType(), name_of(call)));
  }
  emit_call(call, name, std::move(arguments), result);
  lose_keys();
  forget_views();
  for (const llvm::Value* pointer : later) forget(pointer, 0, Chooser::Unknown, nullptr);
}

/// A call through a pointer is one of a function of the given code, or opaque: an object handed in
/// may be of a class that nobody has given.
void FunctionLowering::lower_indirect(const llvm::CallBase& call) {
  constexpr std::size_t most = 12;
  const PointsTo::Targets targets = lowering_.points_to().targets(call);
  const bool is_virtual = Callbacks::is_virtual(call);
  std::vector<const llvm::Function*> candidates =
      is_virtual && !targets.complete ? lowering_.callbacks().virtual_candidates(call)
                                      : targets.functions;
  const bool overridable = lowering_.reentrant() && call.arg_size() > 0 &&
                           resolve(call.getArgOperand(0)).kind == Target::Kind::Receiver;
  const bool complete = targets.complete && candidates.size() <= most && !overridable;
  if (candidates.size() > most) candidates.clear();
  if (candidates.empty()) return lower_opaque(call, nullptr);
  const bool has_value = !call.getType()->isVoidTy();
  Term joined = nullptr;
  SourceType joined_type;
  const BlockId after = new_block();
  const auto leave = [&] {
    if (!open_) return;
    if (joined) {
      const auto taken = to_cell(held_[&call], joined_type);
      if (taken && (*taken)->sort == joined->sort)
        assign(joined, *taken);
      else
        havoc(joined, Chooser::Unknown);
    }
    go(after);
  };
  if (has_value &&
      (call.getType()->isPointerTy() ||
       (call.getType()->isIntegerTy() && call.getType()->getIntegerBitWidth() <= 64))) {
    const bool truth = call.getType()->isIntegerTy(1);
    const SourceType declared = lowering_.declared_result(call);
    const bool choice = declared.kind == SourceType::Kind::Enumeration &&
                        lowering_.enum_sort(declared.name) &&
                        call.getType()->isIntegerTy(declared.bits);
    joined_type =
        choice ? declared
        : call.getType()->isPointerTy()
            ? SourceType{.kind = SourceType::Kind::Pointer, .bits = 64}
            : SourceType{.kind = truth ? SourceType::Kind::Bool : SourceType::Kind::Number,
                         .bits = call.getType()->getIntegerBitWidth(),
                         .is_signed = true};
    joined = local(name_of(call), lowering_.scalar_type(joined_type));
  }
  for (const llvm::Function* candidate : candidates) {
    const bool last = complete && candidate == candidates.back();
    if (last) {
      lower_internal(call, *candidate);
      leave();
      break;
    }
    const Term taken = is_virtual ? goes_to(call, *candidate)
                                  : arena_.eq(address(call.getCalledOperand()),
                                              lowering_.global_address(*candidate));
    const BlockId yes = new_block(), no = new_block();
    branch(taken, yes, no);
    current_ = yes;
    open_ = true;
    const auto known = known_not_null_;
    lower_internal(call, *candidate);
    leave();
    known_not_null_ = known;
    current_ = no;
    open_ = true;
  }
  if (!complete) {
    lower_opaque(call, nullptr);
    leave();
  }
  current_ = after;
  open_ = true;
  if (joined)
    held_[&call] = from_cell({joined, {}, joined_type}, joined);
  else if (has_value)
    set(call, unknown(call.getType(), name_of(call)));
}

/// An argument in the type of the callee's parameter.
Term FunctionLowering::argument_term(const llvm::Value* argument, const Type& type) {
  if (argument->getType()->isPointerTy() && resolve(argument).kind == Target::Kind::Stack) {
    const Term fresh = local_address();
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
    const unsigned bits =
        argument->getType()->isIntegerTy() ? argument->getType()->getIntegerBitWidth() : 64;
    const auto choice = to_choice(held.choice ? held.choice : held.term, type.sort, bits);
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

void FunctionLowering::set_result(const llvm::CallBase& call, Term result, SourceType source) {
  const bool is_reference = source.is_reference;
  if (source.kind != SourceType::Kind::Number && source.kind != SourceType::Kind::Enumeration)
    source.is_signed = true;
  set(call, from_cell({result, {}, source}, result));
  if (is_reference) known_not_null_.insert(result);
}

} // namespace tacit
