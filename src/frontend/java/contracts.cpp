#include "frontend/java/contracts.h"

#include <algorithm>

#include "logic/term/print.h"
#include "program/text/externs.h"

namespace tacit::java {

namespace {

struct Item {
  std::string name;
  std::string rest;     // behind the name
  std::size_t line = 0; // lines before it
};

/// An item starts with `extern` at the start of a line and ends before the next one.
std::vector<Item> items_of(const std::string& text) {
  std::vector<Item> items;
  std::size_t at = text.starts_with("extern ") ? 0 : text.find("\nextern ");
  while (at != std::string::npos && at < text.size()) {
    if (text[at] == '\n') ++at;
    const std::size_t next = text.find("\nextern ", at);
    std::string item = text.substr(at + 7, next == std::string::npos ? next : next + 1 - at - 7);
    Item made;
    made.line = static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    const std::size_t start = item.find_first_not_of(' ');
    if (start != std::string::npos && item[start] == '`') {
      const std::size_t end = item.find('`', start + 1);
      if (end != std::string::npos) {
        made.name = item.substr(start + 1, end - start - 1);
        made.rest = item.substr(end + 1);
      }
    } else if (start != std::string::npos) {
      const std::size_t end = std::min(item.find('('), item.size());
      made.name = item.substr(start, end - start);
      made.rest = item.substr(end);
    }
    if (!made.name.empty()) items.push_back(std::move(made));
    at = next;
  }
  return items;
}

/// The names under which a contract for this callee may stand: its own, then what it overrides.
std::vector<std::string> names_of(ClassPool& pool, const std::string& name,
                                  const Context::Opaque& callee) {
  const auto signature = parse_signature(callee.descriptor);
  std::vector<std::string> names{name};
  if (!signature) return names;
  std::vector<std::string> work{callee.owner};
  std::set<std::string> seen;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!seen.insert(work[i]).second) continue;
    const std::string shown = callee.name == "<init>" ? "new" : callee.name;
    names.push_back(dotted(work[i]) + "." + shown + signature->simple());
    if (callee.name == "<init>") break;
    const ClassFile* file = pool.find(work[i]);
    if (!file) continue;
    if (!file->super.empty()) work.push_back(file->super);
    work.insert(work.end(), file->interfaces.begin(), file->interfaces.end());
  }
  return names;
}

const Item* contract_for(ClassPool& pool, const std::vector<Item>& items, const std::string& name,
                         const Context::Opaque& callee) {
  for (const std::string& one : names_of(pool, name, callee))
    for (const Item& item : items)
      if (item.name == one) return &item;
  return nullptr;
}

/// A contract knows nothing of the component: a parameter or local of its own that bears the name
/// of a state variable gets another.
std::string without_clashes(const Module& module, const std::string& rest) {
  std::string made, word;
  bool quoted = false;
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '$' || c == '_';
  };
  for (const char c : rest + " ") {
    if (!quoted && is_part(c)) {
      word += c;
      continue;
    }
    made += word;
    if (!word.empty() && module.find_state(word)) made += "~";
    word.clear();
    if (c == '`') quoted = !quoted;
    made += c;
  }
  made.pop_back();
  return made;
}

} // namespace

std::string_view standard_contracts() {
  static constexpr std::string_view text =
#include "frontend/java/standard_contracts.inc"
      ;
  return text;
}

void declare_for_contracts(Context& context) {
  for (const std::string& text : context.options.contracts) {
    const auto items = items_of(text);
    for (const auto& [name, callee] : context.externs()) {
      const Item* item = contract_for(context.pool, items, name, callee);
      if (!item) continue;
      std::string word;
      for (const char c : item->rest + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '$' || c == '_') {
          word += c;
          continue;
        }
        if (word.find('.') != std::string::npos && word.back() != '.') {
          std::ranges::replace(word, '.', '/');
          if (context.pool.find(word) && context.pool.is_throwable(word))
            context.declare_exception(word);
        }
        word.clear();
      }
    }
  }
}

Result<void> apply_contracts(ClassPool& pool, Module& module,
                             const std::map<std::string, Context::Opaque>& externs,
                             const std::vector<std::string>& texts) {
  std::set<std::string> done; // the first contract that fits a callee is the one that counts
  for (const std::string& text : texts) {
    const auto items = items_of(text);
    for (const auto& [name, callee] : externs) {
      const Item* item = contract_for(pool, items, name, callee);
      if (!item || !done.insert(name).second) continue;
      const std::string clauses =
          module.find_procedure(item->name) ? item->rest : without_clashes(module, item->rest);
      const std::string one =
          std::string(item->line, '\n') + "extern " + quote_name(name) + clauses;
      if (auto added = add_contracts(module, one, "contract of " + item->name); !added)
        return std::unexpected(added.error());
    }
  }
  return {};
}

} // namespace tacit::java
