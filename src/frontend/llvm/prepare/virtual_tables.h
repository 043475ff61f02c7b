// Virtual tables: which places of them are put into objects, and what a call through them means.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace tacit {

/// Where a pointer to a virtual table points, in bytes from its start.
struct VirtualTable {
  const llvm::GlobalVariable* table = nullptr;
  std::int64_t offset = 0;
  bool operator==(const VirtualTable&) const = default;
};

/// A call of the function that stands `slot` bytes into the table that `table` reads.
struct VirtualCall {
  const llvm::LoadInst* table = nullptr;
  std::int64_t slot = 0;
};

/// The type by which memory is read or written, as the type tree calls it: `bool`. Empty: not
/// known.
llvm::StringRef accessed_type(const llvm::Instruction& access);
/// That of the place in an object where its table is said.
inline constexpr llvm::StringRef table_pointer = "vtable pointer";

std::optional<VirtualTable> virtual_table(const llvm::Value* value, const llvm::DataLayout& layout);

/// The table of an object that is there from the start; null for others.
const llvm::Constant* initial_table(const llvm::GlobalVariable& object);

/// Those that code of a module puts into objects, or that are defined in it.
std::vector<VirtualTable> known_tables(const llvm::Module& code);

const llvm::Function* function_at(const VirtualTable& table, std::int64_t slot);

std::optional<VirtualCall> virtual_call(const llvm::CallBase& call);

/// Asks for the table before a virtual call and calls what stands in it, so that it can be inlined;
/// the call stays for tables that are not known. Calls of `methods` on their own object are left
/// alone. Returns whether anything was done.
bool promote_virtual_calls(llvm::Module& code, const std::set<const llvm::Function*>& methods);

} // namespace tacit
