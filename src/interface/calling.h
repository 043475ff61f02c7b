// How what a client wrote or a driver recorded meets the calls of an interface: which call,
// constructor and outcome is meant, and what its values are once the types of parameters are known.
//
// Enumerators go by name, qualified or not, or by number; in Java numbers and characters may be
// texts. `$self` is the receiver, which is no parameter; a structure is spread over the parameters
// that it was lowered to. What does not fit is Unknown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interface/client_value.h"
#include "interface/interface.h"
#include "interface/written_value.h"
#include "program/ir/module.h"
#include "program/observe/split.h"

namespace tacit {

/// Keeps references to interface and module.
class Calling {
public:
  Calling(const Interface& interface, const Module& module);

  /// The procedure behind a call or constructor, that of the split method for a letter; null when
  /// the module has none.
  const Procedure* procedure(std::string_view call) const;

  /// The calls that a name with these arguments may mean, letters of one method all of them. Empty:
  /// none, or it cannot be told which overload.
  std::vector<std::size_t> calls(std::string_view name,
                                 const std::vector<WrittenValue>* arguments) const;

  /// Likewise for constructors; a name that is none means the only one there is.
  std::optional<std::size_t> constructor(std::string_view name,
                                         const std::vector<WrittenValue>* arguments) const;

  /// The outcomes of a call that it may have been, by index. `outcome` is empty when it was not
  /// told; `returns=V` or a result tells the value.
  std::vector<std::size_t> outcomes(std::size_t call, std::string_view outcome,
                                    const WrittenValue* result) const;

  /// Per parameter. `name` may carry the types of parameters, as `put(java.lang.String,int)`.
  std::vector<ClientValue> arguments(const Procedure& procedure, std::string_view name,
                                     const std::vector<WrittenValue>& written) const;

  /// A value of that type; `declared` is the type as the source has it, "" when it is not known.
  ClientValue value(const WrittenValue& written, const Type& type,
                    std::string_view declared = {}) const;

private:
  /// How well arguments fit the types of an overload; nullopt: not at all.
  std::optional<int> fit(std::string_view signature,
                         const std::vector<WrittenValue>& arguments) const;
  std::optional<std::size_t> choose(const std::vector<std::string>& names, std::string_view name,
                                    const std::vector<WrittenValue>* arguments) const;
  std::optional<Integer> constant(std::string_view name, Sort wanted) const;
  ClientValue integer(const WrittenValue& written, const Type& type,
                      std::string_view declared) const;
  ClientValue enumerator(const WrittenValue& written, Sort sort) const;
  ClientValue reference(const WrittenValue& written, const Type& type,
                        std::string_view declared) const;
  std::optional<bool> returns_value(std::size_t call, std::string_view value,
                                    const WrittenValue& result) const;

  bool java() const { return interface_.language == "java"; }

  const Interface& interface_;
  const Module& module_;
  std::vector<std::string> names_; // of calls
  std::vector<LetterSpec> letters_;
};

/// `put(java.lang.String,int[])` as `put(String,int[])`.
std::string simple_signature(std::string_view name);
/// The types in a name, commas within brackets kept: `map<K,V>` is one.
std::vector<std::string> types_in(std::string_view name);

} // namespace tacit
