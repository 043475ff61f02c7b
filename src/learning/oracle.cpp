#include "learning/oracle.h"

#include "base/should.h"

namespace tacit {

std::string_view to_string(Answer answer) {
  switch (answer) {
  case Answer::Legal: return "legal";
  case Answer::Illegal: return "illegal";
  case Answer::CannotHappen: return "cannot happen";
  }
  should_not_be_reached("an answer should be one of three");
}

std::vector<Answer> WordOracle::ask_all(std::span<const Word> words) {
  std::vector<Answer> answers;
  answers.reserve(words.size());
  for (const Word& word : words) answers.push_back(ask(word));
  return answers;
}

} // namespace tacit
