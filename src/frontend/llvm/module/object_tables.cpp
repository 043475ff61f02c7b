// The variable `vtable`, which maps the address of an object to that of its virtual table
// (body/object_tables.cpp).
#include <llvm/Demangle/Demangle.h>

#include "frontend/llvm/module/lowering.h"

namespace tacit {

Term Lowering::table_map() {
  Term& known = fields_[{StateKey::Kind::Tables, "", ""}];
  if (known) return known;
  Type map{.sort = arena().map_sort(arena().ref_sort(), arena().ref_sort())};
  map.key = std::make_shared<Type>(Type{.sort = arena().ref_sort()});
  map.value = std::make_shared<Type>(Type{.sort = arena().ref_sort()});
  return known = add_state("vtable", map).term;
}

Term Lowering::table_address(const VirtualTable& table) {
  std::string name = llvm::demangle(table.table->getName().str());
  if (constexpr std::string_view prefix = "vtable for "; name.starts_with(prefix))
    name.erase(0, prefix.size());
  const bool first = table.offset == 16;
  return constant_address("vtable." + name + (first ? "" : "_" + std::to_string(table.offset)),
                          Address::Object);
}

const std::vector<VirtualTable>& Lowering::tables() {
  if (!tables_) tables_ = known_tables(code_);
  return *tables_;
}

void Lowering::set_up_tables() {
  if (!fields_.contains({StateKey::Kind::Tables, "", ""})) return;
  for (const llvm::GlobalVariable& object : code_.globals()) {
    const auto address = fields_.find({StateKey::Kind::Address, object.getName().str(), ""});
    const llvm::Constant* initial = initial_table(object);
    if (address == fields_.end() || !initial) continue;
    const Term at = address->second, map = table_map();
    const Term table = table_address(*virtual_table(initial, layout()));
    first_.push_back(
        {.kind = StatementKind::Assign, .target = map, .value = arena().store(map, at, table)});
  }
}

} // namespace tacit
