#include "export/html.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/should.h"
#include "export/assumptions.h"
#include "export/diagram.h"
#include "export/epa_text.h"
#include "export/explorer_assets.h"
#include "export/first_lines.h"
#include "export/guarded_text.h"
#include "export/html_data.h"
#include "export/labels.h"
#include "export/layout.h"
#include "export/markup.h"
#include "export/moves.h"
#include "export/review.h"
#include "export/run_text.h"
#include "export/svg.h"
#include "export/text.h"

namespace tacit {
namespace {

/// The hash as a content security policy wants it.
std::string base64(std::string_view hex) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  unsigned bits = 0, count = 0;
  for (const char c : hex) {
    bits = (bits << 4) | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
    count += 4;
    if (count < 6) continue;
    count -= 6;
    text += digits[(bits >> count) & 63];
    bits &= (1u << count) - 1;
  }
  if (count > 0) text += digits[(bits << (6 - count)) & 63];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

constexpr std::size_t longest_name = 160; // in tables; the details show all of it
constexpr std::size_t most_assumptions = 200;

std::string code(std::string_view text, std::size_t most = longest_name) {
  return "<code>" + markup_text(shorten(text, most)) + "</code>";
}

/// As encodeURIComponent does it.
std::string url_part(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.!~*()").find(c) != std::string_view::npos;
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

struct ClaimWords {
  const char* name;
  const char* proved;
  const char* open;
};
constexpr std::array<ClaimWords, 3> claim_words{{
    {"safe", "no sequence of calls that the automaton allows leads to an error",
     "whether some allowed sequence leads to an error"},
    {"permissive", "every sequence that cannot lead to an error is allowed",
     "whether some sequence is refused that could not lead to an error"},
    {"full", "the outcomes that are left out cannot happen, and all others can",
     "whether some outcome that is shown cannot happen"},
}};

class Page {
public:
  Page(std::ostream& out, std::vector<ExplorerSide> sides, const HtmlOptions& options)
      : out_(out), sides_(std::move(sides)), options_(options) {
    for (ExplorerSide& side : sides_) {
      side.drawing = drawing_of(*side.interface);
      side.states = std::min(side.interface->states.size(), options_.max_states);
    }
  }

  void run(const DiffReport* report) {
    const Interface& newest = *sides_.back().interface;
    if (report) mark_changes(*report);
    head(newest, report != nullptr);
    for (const ExplorerSide& side : sides_) verdict(side);
    if (report) changes(*report);
    stage();
    for (const ExplorerSide& side : sides_) meaning(side);
    for (const ExplorerSide& side : sides_) tables(side);
    for (const ExplorerSide& side : sides_) folded(side);
    foot();
  }

private:
  void put(std::string_view text) { out_ << text; }
  template <class... Args> void put(fmt::format_string<Args...> format, Args&&... args) {
    out_ << fmt::format(format, std::forward<Args>(args)...);
  }

  static std::string of_side(const ExplorerSide& side) {
    return side.key.empty() ? "" : fmt::format(" ({})", side.key);
  }

  void head(const Interface& newest, bool two) {
    const std::string name = markup_text(shorten(newest.component_name, longest_name));
    put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"tacit\">\n<title>{}: {}</title>\n<style>",
        base64(explorer_script.sha256), base64(explorer_style.sha256), name,
        two ? std::string("changes of the call protocol") : what_it_is(newest));
    put(explorer_style.text);
    put("</style>\n</head>\n<body>\n<header class=\"top\"><h1><code>{}</code> {}</h1>"
        "<div class=\"tools\"><button type=\"button\" id=\"theme\" "
        "title=\"light or dark (t)\">Light/dark</button></div></header>\n",
        name, two ? std::string("before and after") : what_it_is(newest));
    put("<noscript><p>Without scripts the tables below show everything but runs and "
        "replay.</p></noscript>\n<main>\n");
  }

  // What the diff says of a letter is drawn on the edge of the side that has it.
  void mark_changes(const DiffReport& report) {
    should(sides_.size() == 2, "a diff should have two sides");
    for (const CallChange& change : report.calls) {
      ExplorerSide& side = sides_[change.allowed_now ? 1 : 0];
      const State state = change.allowed_now ? change.new_state : change.old_state;
      const auto call = side.interface->find_call(change.call);
      if (!call) continue;
      for (std::size_t e = 0; e < side.drawing.edges.size(); ++e) {
        const DrawnEdge& edge = side.drawing.edges[e];
        if (edge.from != state) continue;
        for (const DrawnLetter& letter : edge.letters)
          if (side.interface->transitions[letter.transitions.front()].call == *call)
            side.marks.emplace_back(fmt::format("e{}", e),
                                    change.allowed_now ? "added" : "removed");
      }
    }
  }

  std::string word_link(const std::vector<std::string>& word,
                        const std::string& constructor) const {
    std::string href = "#word=", text;
    constexpr std::size_t longest = 60;
    for (std::size_t i = 0; i < word.size(); ++i) {
      href += (i > 0 ? "," : "") + url_part(word[i]);
      if (i < longest) text += (i > 0 ? " · " : "") + code(word[i]);
    }
    if (word.size() > longest) text += fmt::format(" … ({} calls)", word.size());
    const bool several = std::ranges::any_of(
        sides_, [](const ExplorerSide& side) { return side.interface->initial.size() > 1; });
    if (several && !constructor.empty()) href += "&amp;constructor=" + url_part(constructor);
    return fmt::format("<a href=\"{}\">{}</a>", href, text);
  }

  void changes(const DiffReport& report) {
    put("<section aria-labelledby=\"changes-title\"><h2 id=\"changes-title\">What changed</h2>\n");
    if (report.empty()) {
      put("<p>Nothing: both results allow the same sequences of calls{}.</p></section>\n",
          report.bounded.empty() ? "" : ", " + markup_text(report.bounded));
      return;
    }
    put("<p class=\"soft\">Click a sequence to replay it in both.</p>\n<ul class=\"changes\">\n");
    const auto item = [&](bool added, const std::string& text) {
      put("<li class=\"{}\">{}</li>\n", added ? "added" : "removed", text);
    };
    const auto because = [](const std::string& error, const std::string& at) {
      std::string text;
      if (!error.empty()) text += ": " + code(error);
      if (!at.empty()) text += " at " + markup_text(shorten(at, longest_name));
      return text;
    };
    for (const auto& name : report.calls_removed) item(false, "call " + code(name) + " is gone");
    for (const auto& name : report.calls_added) item(true, "call " + code(name) + " is new");
    for (const auto& name : report.constructors_removed)
      item(false, "constructor " + code(name) + " is gone");
    for (const auto& name : report.constructors_added)
      item(true, "constructor " + code(name) + " is new");
    for (const ConstructorChange& change : report.constructors)
      item(change.allowed_now,
           "constructor " + code(change.constructor) +
               (change.allowed_now ? " may be used now" : " may not be used any more") +
               because(change.error, change.at));
    for (const CallChange& change : report.calls)
      item(change.allowed_now,
           code(change.call) +
               (change.allowed_now ? " is allowed now after " : " is refused now after ") +
               word_link(change.word, change.constructor) + (change.allowed_now ? "; before" : "") +
               because(change.error, change.at));
    for (const OutcomeChange& change : report.outcomes)
      item(change.possible_now,
           code(change.call) + (change.possible_now ? " can end with " : " cannot end with ") +
               code(change.outcome) + " now: " + word_link(change.word, change.constructor));
    put("</ul>\n");
    if (!report.bounded.empty()) put("<p class=\"soft\">{}.</p>\n", markup_text(report.bounded));
    put("</section>\n");
  }

  /// What fits above the picture: how strong the answer is, and what counted.
  void verdict(const ExplorerSide& side) {
    const Interface& interface = *side.interface;
    put("<section class=\"verdict\"><p class=\"lead\">{}<strong>{}</strong>",
        side.key.empty() ? "" : side.key + ": ", markup_text(verdict_sentence(interface)));
    if (side.key.empty())
      put(" <a href=\"#meaning\" class=\"soft\">what this means</a></p>\n");
    else
      put("</p>\n");
    constexpr std::size_t longest = 240;
    if (side.key.empty())
      for (const std::string& line : first_lines(interface))
        put("<p class=\"soft first\">{}</p>\n", markup_text(shorten(line, longest)));
    put("</section>\n");
  }

  void meaning(const ExplorerSide& side) {
    const Interface& interface = *side.interface;
    const Verdict& verdict = interface.verdict;
    put("<section class=\"meaning\" id=\"{}meaning\"><h2>What is claimed{}</h2>\n", side.prefix,
        of_side(side));
    if (interface.kind == "interface") {
      put("<ul class=\"claims\">\n");
      const std::array claims{verdict.safe, verdict.permissive, verdict.full};
      for (std::size_t i = 0; i < claims.size(); ++i) {
        const ClaimWords& words = claim_words[i];
        std::string text = claims[i] == Claim::Proved                 ? words.proved
                           : i == 0 && interface.safe_but_for_sites() ? words.proved
                           : claims[i] == Claim::Bounded
                               ? std::string("up to a bound, ") + words.proved
                           : claims[i] == Claim::Refuted ? "this does not hold"
                                                         : std::string("it is open ") + words.open;
        if (const auto detail = verdict.details.find(words.name); detail != verdict.details.end())
          text += "; " + detail->second;
        put("<li class=\"{}\"><strong>{}</strong> {}: {}.</li>\n", to_string(claims[i]), words.name,
            to_string(claims[i]), markup_text(text));
      }
      put("</ul>\n");
    }
    assumptions(interface);
    put("</section>\n");
  }

  /// What is about the user's own code first; what says the same of many is one line that opens.
  void assumptions(const Interface& interface) {
    const auto groups = assumption_groups(interface);
    if (groups.empty()) return;
    put("<h3>Under {}</h3>\n<ul class=\"list\">\n",
        count_of(interface.verdict.assumptions.size(), "assumption"));
    for (const AssumptionGroup& group : groups) {
      const std::size_t all = group.members.size(), shown = std::min(all, most_assumptions);
      if (all < 2) {
        put("<li>{}</li>\n", markup_text(shorten(group.text, 1000)));
        continue;
      }
      put("<li><details><summary>{}</summary><ul class=\"list\">\n",
          markup_text(shorten(group.text, 1000)));
      for (std::size_t i = 0; i < shown; ++i)
        put("<li>{}</li>\n", markup_text(shorten(group.members[i], 1000)));
      if (shown < all) put("<li>… and {} more</li>\n", all - shown);
      put("</ul></details></li>\n");
    }
    put("</ul>\n");
  }

  /// What a reviewer would stop at; of an enabledness abstraction, its findings.
  void findings(const ExplorerSide& side) {
    constexpr std::size_t most = 5;
    std::vector<std::string> lines = surprises(*side.interface);
    if (side.interface->epa) lines = remark_lines(*side.interface);
    if (lines.empty()) return;
    put("<section class=\"panel findings\" aria-labelledby=\"{0}findings-title\">"
        "<h2 id=\"{0}findings-title\">To look at{1}</h2>\n<ul class=\"list\">\n",
        side.prefix, of_side(side));
    for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
      put("<li>{}</li>\n", markup_text(shorten(lines[i], 1000)));
    if (lines.size() > most) put("<li class=\"soft\">… and {} more</li>\n", lines.size() - most);
    put("</ul></section>\n");
  }

  void stage() {
    put("<div class=\"layout\" id=\"stage\">\n<div class=\"left\">\n<div class=\"pictures\">\n");
    for (ExplorerSide& side : sides_) picture(side);
    put("</div>\n<section class=\"panel replay\" aria-labelledby=\"replay-title\">"
        "<h2 id=\"replay-title\" class=\"sr\">Replay</h2>\n<form id=\"replay\">\n");
    constructors();
    put("<label for=\"word\" class=\"sr\">Call sequence</label>"
        "<input id=\"word\" autocomplete=\"off\" spellcheck=\"false\" "
        "placeholder=\"type a call sequence, or click below\">\n"
        "<button type=\"submit\">Replay</button>\n"
        "<span class=\"steppers\"><button type=\"button\" id=\"first\" title=\"to the start "
        "(Home)\">|◀</button>"
        "<button type=\"button\" id=\"back\" title=\"a step back (←)\">◀</button>"
        "<button type=\"button\" id=\"forward\" title=\"a step forward (→)\">▶</button>"
        "<button type=\"button\" id=\"last\" title=\"to the end (End)\">▶|</button></span>"
        "<button type=\"button\" id=\"clear\">Clear</button>\n"
        "</form>\n<ol id=\"steps\" aria-label=\"steps\"></ol>\n"
        "<div id=\"status\" role=\"status\"></div>\n"
        "<div class=\"choices\"><p id=\"next-label\" class=\"soft\">Next:</p>"
        "<div id=\"next\"></div></div>\n</section>\n</div>\n<div class=\"right\">\n");
    for (const ExplorerSide& side : sides_) findings(side);
    put("<section id=\"details\" class=\"panel\" aria-label=\"details\">"
        "<div id=\"details-body\" aria-live=\"polite\"></div></section>\n"
        "<p class=\"soft keys\"><kbd>/</kbd> type, <kbd>←</kbd> <kbd>→</kbd> step, <kbd>Tab</kbd> "
        "through states and arrows, <kbd>Enter</kbd> choose, <kbd>Esc</kbd> back, <kbd>t</kbd> "
        "light or dark</p>\n</div>\n</div>\n");
  }

  void constructors() {
    std::vector<std::string> names;
    for (const ExplorerSide& side : sides_)
      for (const InitialState& start : side.interface->initial)
        if (std::ranges::find(names, start.constructor) == names.end())
          names.push_back(start.constructor);
    if (names.size() < 2) return;
    put("<label for=\"constructor\" class=\"sr\">Constructor</label><select id=\"constructor\">");
    for (const std::string& name : names)
      put("<option value=\"{}\">{}</option>", markup_text(name), markup_text(shorten(name, 60)));
    put("<option value=\"\">any constructor</option></select>\n");
  }

  void picture(ExplorerSide& side) {
    SvgOptions how{.standalone = false, .prefix = side.prefix};
    if (side.interface->states.size() > 24) how.max_label = 0;
    if (auto drawn = draw_svg(side.drawing, how)) {
      side.drawn = true;
      put("<figure>{}<div class=\"view\">{}</div></figure>\n",
          side.key.empty() ? "" : fmt::format("<figcaption>{}</figcaption>", side.key), *drawn);
      return;
    }
    put("<p class=\"soft\">{}</p>\n",
        side.interface->states.empty()
            ? "The interface is empty: no constructor can be used."
            : fmt::format("{} and {} are too many for a picture; the table lists them.",
                          count_of(side.drawing.nodes.size(), "state"),
                          count_of(side.drawing.edges.size(), "edge")));
  }

  std::string target(const ExplorerSide& side, std::string_view kind, std::size_t index) const {
    return fmt::format("#{}={}{}", kind, index, side.key.empty() ? "" : "&amp;side=" + side.key);
  }

  void rules(const ExplorerSide& side) {
    const Interface& interface = *side.interface;
    if (interface.calls.size() > 200 || interface.initial.empty()) return;
    put("<section><h2>Rules{}</h2>\n<ul class=\"list\">\n", of_side(side));
    const auto name = [](std::string_view letter) { return code(letter); };
    for (const CallRule& rule : call_rules(interface, name))
      put("<li>{}: {}</li>\n", code(rule.call), rule.sentence.empty() ? "always" : rule.sentence);
    put("</ul></section>\n");
  }

  void tables(const ExplorerSide& side) {
    const Interface& interface = *side.interface;
    rules(side);
    put("<section><h2>States{}</h2>\n<div class=\"scroll\"><table><caption class=\"sr\">States, "
        "what "
        "they allow and what they refuse</caption><thead><tr><th scope=\"col\">state</th>"
        "<th scope=\"col\">holds there</th><th scope=\"col\">allows</th>"
        "<th scope=\"col\">refuses</th></tr></thead>\n<tbody>\n",
        of_side(side));
    std::size_t edge = 0, refusal = 0;
    const GuardedText texts(interface);
    const ShownLabels labels = shown_labels(interface);
    for (State q = 0; q < side.states; ++q) {
      std::string starts;
      for (const InitialState& start : interface.initial)
        if (start.state == q)
          starts += "<br><span class=\"soft\">from " + code(texts.start(start)) + "</span>";
      put("<tr id=\"{}row{}\"><th scope=\"row\"><a href=\"{}\">{}</a>{}</th><td>{}</td><td>",
          side.prefix, q, target(side, "state", q), q, starts,
          labels.whole(q).empty() ? "" : code(labels.whole(q), 2000));
      bool first = true;
      for (; edge < side.drawing.edges.size() && side.drawing.edges[edge].from == q; ++edge) {
        const DrawnEdge& drawn = side.drawing.edges[edge];
        std::string letters;
        for (const DrawnLetter& letter : drawn.letters)
          letters += (letters.empty() ? "" : ", ") + code(letter.text);
        put("{}<a href=\"{}\">{}</a> → {}", first ? "" : "<br>", target(side, "edge", edge),
            letters, drawn.to);
        first = false;
      }
      if (first) put("nothing");
      put("</td><td>");
      first = true;
      for (; refusal < interface.forbidden.size(); ++refusal) {
        const Refusal& entry = interface.forbidden[refusal];
        if (entry.state && *entry.state > q) break;
        if (!entry.state || *entry.state != q) continue;
        put("{}<a href=\"{}\">{}</a>", first ? "" : ", ",
            target(side, "refusal", shown_refusal(entry, side)),
            code(interface.refused_name(entry)));
        first = false;
      }
      put("</td></tr>\n");
    }
    put("</tbody></table></div>\n");
    if (side.states < interface.states.size())
      put("<p class=\"soft\">The first {} of {} states; the others are in the result file.</p>\n",
          side.states, interface.states.size());
    put("</section>\n");
    refusals(side);
    further(side);
  }

  /// Argument guards, visible nondeterminism and the bounds of an unsettled result.
  void further(const ExplorerSide& side) {
    const Interface& interface = *side.interface;
    constexpr std::size_t most = 500;
    const auto list = [&](std::string_view title, const std::vector<std::string>& lines) {
      if (lines.empty()) return;
      put("<section><h2>{}{}</h2>\n<ul class=\"list\">\n", title, of_side(side));
      for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
        put("<li>{}</li>\n", code(lines[i], 2000));
      if (lines.size() > most) put("<li>… and {} more</li>\n", lines.size() - most);
      put("</ul></section>\n");
    };
    list("Enabled when", clause_lines(interface));
    list("Marks", mark_lines(interface));
    list("Tracked values", tracked_lines(interface));
    list("Set aside", aside_lines(interface));
    if (interface.guarded()) list("Never allowed", never_names(interface));
    list("Left out", left_out_lines(interface));
    if (!interface.guards.empty() && !interface.guarded()) {
      put("<section><h2>Good arguments{}</h2>\n<ul class=\"list\">\n", of_side(side));
      for (std::size_t i = 0; i < std::min(interface.guards.size(), most); ++i) {
        const ArgumentGuard& guard = interface.guards[i];
        put("<li>{} in state {}: {}</li>\n", code(interface.calls[guard.call].name), guard.state,
            code(guard.condition, 2000));
      }
      put("</ul></section>\n");
    }
    if (!interface.nondeterminism.empty()) {
      put("<section><h2>Not visibly deterministic{}</h2>\n<p>The same sequence errs in one run and "
          "works in another:</p>\n<ul class=\"list\">\n",
          of_side(side));
      const RunText runs(interface);
      for (std::size_t i = 0; i < std::min(interface.nondeterminism.size(), most); ++i) {
        const Disagreement& found = interface.nondeterminism[i];
        put("<li>{}<br>errs: {}<br>works: {}", word_link(found.word, found.errs.constructor),
            code(runs.steps(found.errs), 400), code(runs.steps(found.works), 400));
        if (const std::string state = runs.differing_state(found); !state.empty())
          put("<br>before the last call: {}", markup_text(state));
        put("</li>\n");
      }
      put("</ul></section>\n");
    }
    if (interface.permissive_bound) {
      put("<section><h2>Bounds{}</h2>\n<p>The wanted interface lies between this one, which is "
          "safe, "
          "and one with {} that refuses only what surely errs.",
          of_side(side), count_of(interface.permissive_bound->states.size(), "state"));
      if (!interface.open_word.empty())
        put(" The shortest sequence between them: {}.", word_link(interface.open_word, ""));
      put("</p></section>\n");
    }
  }

  /// Refusals of states that the page does not list come last, so the numbers agree.
  static std::size_t shown_refusal(const Refusal& refusal, const ExplorerSide& side) {
    return static_cast<std::size_t>(&refusal - side.interface->forbidden.data());
  }

  void refusals(const ExplorerSide& side) {
    const auto groups = refusal_groups(*side.interface);
    if (groups.empty()) return;
    put("<section><h2>Refused calls{}</h2>\n<div class=\"scroll\"><table><thead><tr>"
        "<th scope=\"col\">call</th><th scope=\"col\">in</th><th scope=\"col\">because</th>"
        "<th scope=\"col\">shortest sequence</th></tr></thead>\n<tbody>\n",
        of_side(side));
    const std::size_t most = std::min<std::size_t>(groups.size(), 2000);
    for (std::size_t i = 0; i < most; ++i) {
      const RefusalGroup& group = groups[i];
      const std::string states = numbers_text(group.states);
      std::string needs;
      for (const OpaqueNeed& need : group.needs) needs += "; " + markup_text(to_string(need));
      put("<tr><td>{}</td><td>{}</td><td>{}{}{}</td><td>{}</td></tr>\n", code(group.name),
          group.constructor ? "constructor" : states,
          group.error.empty() ? "no reason given" : code(group.error),
          group.at.empty() ? "" : " at " + markup_text(shorten(group.at, longest_name)), needs,
          group.word.empty() || group.constructor ? "" : word_link(group.word, ""));
    }
    put("</tbody></table></div>\n");
    if (most < groups.size()) put("<p class=\"soft\">… and {} more</p>\n", groups.size() - most);
    put("</section>\n");
  }

  void folded(const ExplorerSide& side) {
    const Interface& interface = *side.interface;
    put("<section><h2>Evidence and figures{}</h2>\n", of_side(side));
    put("<details><summary>Evidence</summary>\n");
    const Interface& proof = interface.before_pruning ? *interface.before_pruning : interface;
    if (interface.before_pruning)
      put("<p>States without an infinite continuation were removed; the evidence speaks of the {} "
          "before that.</p>\n",
          count_of(proof.states.size(), "state"));
    if (proof.evidence.omitted) {
      put("<p>Left out for size.</p>\n");
    } else {
      put("<p>Every claim above follows from a predicate per state; <code>tacit verify</code> "
          "checks "
          "them again.</p>\n<ul class=\"list\">\n");
      const std::size_t most = std::min<std::size_t>(proof.states.size(), 300);
      for (State q = 0; q < most; ++q) {
        const std::string& label =
            q < proof.evidence.safe.size() ? proof.evidence.safe[q] : proof.states[q].label;
        if (!label.empty()) put("<li>state {}: {}</li>\n", q, code(label, 2000));
      }
      for (const MustNode& node : proof.evidence.must)
        put("<li>every word into state {} can reach {}</li>\n", node.state,
            code(node.predicate, 2000));
      put("</ul>\n");
      if (most < proof.states.size())
        put("<p class=\"soft\">… and {} more</p>\n", proof.states.size() - most);
    }
    put("</details>\n<details><summary>Figures</summary><table><tbody>\n");
    const auto row = [&](std::string_view key, std::string_view value) {
      if (!value.empty())
        put("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", markup_text(key),
            markup_text(shorten(value, 2000)));
    };
    row("language", interface.language);
    row("engine", interface.engine);
    for (const std::string& error : error_lines(interface)) row("error", error);
    for (const std::string& source : interface.sources) row("source", source);
    for (const Statistics::Entry& entry : interface.stats) row(entry.key, figure_text(entry.value));
    for (const std::string& predicate : interface.predicates) row("predicate", predicate);
    for (const std::string& what : interface.omitted) row("left out for size", what);
    put("</tbody></table></details>\n");
    if (!interface.tir.empty()) {
      constexpr std::size_t most = 400'000;
      put("<details><summary>The program it was computed from</summary>\n<pre class=\"listing\" "
          "tabindex=\"0\">{}{}</pre></details>\n",
          markup_text(std::string_view(interface.tir).substr(0, most)),
          interface.tir.size() > most ? "\n…" : "");
    }
    put("</section>\n");
  }

  void foot() {
    nlohmann::ordered_json data;
    data["sides"] = nlohmann::ordered_json::array();
    for (const ExplorerSide& side : sides_) data["sides"].push_back(explorer_data(side, options_));
    put("</main>\n<script type=\"application/json\" id=\"data\">");
    put(script_json(data));
    put("</script>\n<script>");
    put(explorer_script.text);
    put("</script>\n</body>\n</html>\n");
  }

  std::ostream& out_;
  std::vector<ExplorerSide> sides_;
  const HtmlOptions& options_;
};

} // namespace

void write_html(std::ostream& out, const Interface& interface, const HtmlOptions& options) {
  std::vector<ExplorerSide> sides(1);
  sides[0].interface = &interface;
  Page(out, std::move(sides), options).run(nullptr);
}

void write_html_diff(std::ostream& out, const Interface& older, const Interface& newer,
                     const DiffReport& report, const HtmlOptions& options) {
  std::vector<ExplorerSide> sides(2);
  sides[0].interface = &older;
  sides[0].key = "old";
  sides[0].prefix = "old-";
  sides[1].interface = &newer;
  sides[1].key = "new";
  sides[1].prefix = "new-";
  Page(out, std::move(sides), options).run(&report);
}

} // namespace tacit
