#include "interface/trace.h"

#include <algorithm>
#include <set>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "interface/calling.h"
#include "interface/json_document.h"

namespace tacit {

namespace {

/// More places than this, and nobody knows where the word is.
constexpr std::size_t max_places = 256;

class TraceReader : public DocumentReader {
public:
  using DocumentReader::DocumentReader;

  RecordedTrace read() {
    RecordedTrace trace;
    object(required("constructor", [&] { read_into(trace.constructor); }),
           optional("constructor_args", [&] { trace.constructor_arguments = values(); }),
           required("calls", [&] { array([&](std::size_t) { trace.calls.push_back(call()); }); }));
    cursor_.finish();
    if (!trace.constructor_arguments) {
      // Only the source's own words are left.
      const auto written =
          parse_written_call(trace.constructor, [](std::string_view) { return false; });
      if (written) trace.constructor_arguments = written->arguments;
    }
    return trace;
  }

private:
  std::vector<WrittenValue> values() {
    std::vector<WrittenValue> all;
    array([&](std::size_t) { all.push_back(read_written_value(cursor_)); });
    return all;
  }

  TraceCall call() {
    TraceCall call;
    std::optional<WrittenValue> out;
    object(required("call", [&] { read_into(call.call); }),
           required("args", [&] { call.arguments = values(); }),
           optional("outcome", [&] { read_into(call.outcome); }),
           optional("result", [&] { call.result = read_written_value(cursor_); }),
           optional("out", [&] { out = read_written_value(cursor_); }));
    const auto written_through = [](const WrittenValue& value) {
      return value.kind == WrittenValue::Kind::Out;
    };
    if (out && std::ranges::count_if(call.arguments, written_through) == 1)
      std::ranges::find_if(call.arguments, written_through)->parts = {*out};
    // A call that did not return has no result, whatever stands there.
    if (call.outcome != "returns") call.result = std::nullopt;
    return call;
  }
};

class Follower {
public:
  Follower(const Walk& walk, const RecordedTrace& trace)
      : walk_(walk), interface_(walk.interface()), trace_(trace) {}

  TraceVerdict run() {
    if (!start()) return verdict_;
    for (std::size_t i = 0; i < trace_.calls.size(); ++i)
      if (!step(i)) break;
    return verdict_;
  }

private:
  bool start() {
    const auto* written = trace_.constructor_arguments ? &*trace_.constructor_arguments : nullptr;
    const auto constructor = walk_.calling().constructor(trace_.constructor, written);
    if (!constructor) return unknown(0);
    const std::string& name = interface_.constructors[*constructor];
    std::optional<std::vector<ClientValue>> arguments;
    if (written) arguments = walk_.calling().arguments(walk_.procedure(name), name, *written);
    Start begun = walk_.start(*constructor, arguments ? &*arguments : nullptr);
    // With calls on the object, there was one.
    if (!begun.allowed && trace_.calls.empty()) return unknown(0);
    if (begun.allowed == false) {
      verdict_.refused_at = 0;
      add_needs({interface_.find_refusal(std::nullopt, *constructor)});
      return false;
    }
    if (trace_.calls.empty() && may_also_err(name)) return unknown(0);
    places_ = std::move(begun.places);
    return true;
  }

  /// Nothing is claimed about sites that were set aside: what did not end may err there.
  bool may_also_err(const std::string& name) const {
    return std::ranges::any_of(interface_.aside,
                               [&](const SetAside& site) { return site.call == name; });
  }

  bool unknown(std::size_t at) {
    verdict_.unknown_at = at;
    return false;
  }

  bool step(std::size_t index) {
    const TraceCall& call = trace_.calls[index];
    const std::vector<ConcreteCall> meant = meanings(call);
    if (meant.empty()) return unknown(index + 1);
    bool some_allow = false, some_refuse = false, some_unknown = false;
    std::vector<const Refusal*> refusals;
    std::vector<Place> next;
    for (const Place& place : places_)
      for (const ConcreteCall& concrete : meant) {
        const auto allowed = walk_.allows(place, concrete);
        some_unknown |= !allowed;
        if (!allowed) continue;
        (*allowed ? some_allow : some_refuse) = true;
        if (!*allowed) {
          refusals.push_back(interface_.find_refusal(place.state, concrete.call));
          continue;
        }
        for (Place& after : walk_.step(place, concrete))
          if (std::ranges::none_of(next, [&](const Place& p) { return same_place(p, after); }))
            next.push_back(std::move(after));
      }
    if (some_unknown || (some_allow && some_refuse) || next.size() > max_places)
      return unknown(index + 1);
    if (some_refuse) {
      verdict_.refused_at = index + 1;
      add_needs(refusals);
      return false;
    }
    const bool told = !call.outcome.empty();
    if (!told && std::ranges::any_of(meant, [&](const ConcreteCall& concrete) {
          return may_also_err(interface_.calls[concrete.call].name);
        }))
      return unknown(index + 1);
    if (next.empty() && told) verdict_.impossible_at = index + 1;
    places_ = std::move(next);
    return !places_.empty();
  }

  /// What an out-parameter got, where that was written down.
  static WrittenValue written_through(const std::vector<WrittenValue>& arguments) {
    for (const WrittenValue& value : arguments)
      if (value.kind == WrittenValue::Kind::Out && !value.parts.empty()) return value.parts[0];
    return {};
  }

  /// The call with its values; several when it belongs to letters that were split by hand.
  std::vector<ConcreteCall> meanings(const TraceCall& call) const {
    const Calling& calling = walk_.calling();
    std::vector<std::size_t> calls = calling.calls(call.call, &call.arguments);
    if (calls.empty()) return {};
    const auto arguments = [&](std::size_t which) {
      return calling.arguments(walk_.procedure(interface_.calls[which].name), call.call,
                               call.arguments);
    };
    if (calls.size() > 1) calls = walk_.letters(calls, arguments(calls.front()));
    std::vector<ConcreteCall> all;
    for (const std::size_t which : calls) {
      const WrittenValue* result = call.result ? &*call.result : nullptr;
      ConcreteCall concrete{
          which, arguments(which), calling.outcomes(which, call.outcome, result), {}};
      const Procedure& body = walk_.procedure(interface_.calls[which].name);
      if (result && body.returns) concrete.result = calling.value(*result, *body.returns);
      if (const Variable* out = body.out_variable())
        concrete.out = calling.value(written_through(call.arguments), out->type);
      all.push_back(std::move(concrete));
    }
    return all;
  }

  /// A refusal rests on callees when it has needs without which no run errs; all have to.
  void add_needs(const std::vector<const Refusal*>& refusals) {
    std::set<std::string> callees;
    for (const Refusal* refusal : refusals) {
      const bool rests = refusal && std::ranges::any_of(refusal->needs, &OpaqueNeed::only);
      if (!rests) return;
      for (const OpaqueNeed& need : refusal->needs)
        if (need.only) callees.insert(need.callee);
    }
    verdict_.needs.assign(callees.begin(), callees.end());
  }

  const Walk& walk_;
  const Interface& interface_;
  const RecordedTrace& trace_;
  std::vector<Place> places_;
  TraceVerdict verdict_;
};

} // namespace

Result<RecordedTrace> read_trace(std::string_view line, const std::string& file, int number) {
  try {
    return TraceReader(line).read();
  } catch (const JsonError& error) {
    return fail(Location{file, number, static_cast<int>(error.offset) + 1}, "{}", error.message);
  }
}

TraceVerdict follow_trace(const Walk& walk, const RecordedTrace& trace) {
  return Follower(walk, trace).run();
}

std::string to_json(const TraceVerdict& verdict) {
  nlohmann::ordered_json line;
  const auto add = [&](const char* name, std::optional<std::size_t> at) {
    if (at)
      line[name] = *at;
    else
      line[name] = nullptr;
  };
  add("refused_at", verdict.refused_at);
  add("unknown_at", verdict.unknown_at);
  add("impossible_at", verdict.impossible_at);
  if (!verdict.needs.empty()) line["needs"] = verdict.needs;
  return line.dump();
}

std::string describe(const TraceVerdict& verdict, const RecordedTrace& trace) {
  const auto place = [&](std::size_t at) {
    if (at == 0) return fmt::format("the constructor, {}", trace.constructor);
    const TraceCall& call = trace.calls[at - 1];
    std::vector<std::string> arguments;
    for (const WrittenValue& value : call.arguments) arguments.push_back(to_string(value));
    return fmt::format("call {}, {}({})", at, call.call.substr(0, call.call.find('(')),
                       fmt::join(arguments, ", "));
  };
  if (verdict.unknown_at) return "unknown at " + place(*verdict.unknown_at);
  if (verdict.impossible_at) return "cannot happen at " + place(*verdict.impossible_at);
  if (!verdict.refused_at) return "legal";
  std::string text = "refused at " + place(*verdict.refused_at);
  if (!verdict.needs.empty())
    text += fmt::format(", if {} behaves so", fmt::join(verdict.needs, ", "));
  return text;
}

} // namespace tacit
