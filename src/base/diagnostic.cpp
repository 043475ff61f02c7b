#include "base/diagnostic.h"

namespace tacit {

std::string to_string(const Location& where) {
  std::string text = where.file;
  for (int part : {where.line, where.column}) {
    if (part <= 0) break; // a column without a line says nothing
    if (!text.empty()) text += ':';
    text += std::to_string(part);
  }
  return text;
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  if (diagnostic.where.known()) text = to_string(diagnostic.where) + ": ";
  text += "error: " + diagnostic.message;
  for (const std::string& note : diagnostic.notes) text += "\n  note: " + note;
  return text;
}

} // namespace tacit
