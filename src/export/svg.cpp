#include "export/svg.h"

#include <graphviz/gvc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/ranges.h>

#include "base/should.h"
#include "export/layout.h"
#include "export/markup.h"
#include "export/picture_text.h"
#include "interface/utf8.h"

// The one plug-in that is needed, linked in: without demand loading there is no font library whose
// fonts would decide about the layout, and nothing to configure at run time.
extern "C" gvplugin_library_t gvplugin_dot_layout_LTX_library;

namespace tacit {
namespace {

constexpr double node_font = 13, edge_font = 12, legend_step = edge_font * 1.5;
constexpr double legend_column = 0.56; // of the size of the font, on average
constexpr std::size_t longest_title = 600;
/// Room for fonts that are wider than the one whose measures Graphviz knows.
constexpr double reserve = 1.16;

struct Point {
  double x = 0, y = 0;
};

/// Labels of Graphviz have escapes that start with a backslash and entities that start with `&`.
std::string graphviz_label(const std::vector<std::string>& lines, std::string_view beside = "") {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += "\\n";
    text += beside;
    for (const char c : lines[i]) {
      if (c == '\\')
        text += "\\\\";
      else if (c == '&')
        text += "&amp;";
      else
        text += c;
    }
    text += beside;
  }
  return text;
}

void set(void* object, const char* name, const std::string& value) {
  // The API takes what it only reads as writable.
  agsafeset(object, const_cast<char*>(name), const_cast<char*>(value.c_str()),
            const_cast<char*>(""));
}

class Picture {
public:
  Picture(const Drawing& drawing, const SvgOptions& options, const char* direction)
      : drawing_(drawing), options_(options), direction_(direction) {
    static lt_symlist_t plugins[] = {
        {"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library}, {nullptr, nullptr}};
    agseterr(AGMAX);
    if (!drawing.everywhere.empty())
      legend_.push_back(fmt::format("in every state: {} ↺", fmt::join(drawing.everywhere, ", ")));
    legend_.insert(legend_.end(), drawing.legend.begin(), drawing.legend.end());
    context_ = gvContextPlugins(plugins, 0);
    graph_ = agopen(const_cast<char*>("g"), Agdirected, nullptr);
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;
  ~Picture() {
    if (laid_out_) gvFreeLayout(context_, graph_);
    agclose(graph_);
    gvFreeContext(context_);
  }

  void lay_out() {
    gather();
    laid_out_ = gvLayout(context_, graph_, "dot") == 0;
    should(laid_out_, "Graphviz should lay out a graph within the limits");
  }

  /// How many times larger than a page it is; both sides of a picture have to fit.
  double excess() const {
    const boxf box = GD_bb(graph_);
    return std::max((box.UR.x - box.LL.x) / 900, (box.UR.y - box.LL.y) / 700);
  }

  std::string write() { return written(); }

private:
  Agnode_t* add_node(const std::string& name) {
    return agnode(graph_, const_cast<char*>(name.c_str()), 1);
  }

  std::vector<std::string> entry_lines(const DrawnStart& start) const {
    std::vector<std::string> lines;
    for (const std::string& constructor : start_lines(start, options_.max_letters, longest_title))
      for (std::string& line : letter_lines(constructor, arrow_width))
        lines.push_back(std::move(line));
    return lines;
  }

  static bool is_arrow(const DrawnEdge& edge) {
    return !std::ranges::all_of(edge.letters, &DrawnLetter::everywhere);
  }

  void gather() {
    set(graph_, "rankdir", direction_);
    set(graph_, "nodesep", "0.35");
    set(graph_, "ranksep", "0.45");
    // On dense graphs the network simplex and the search for few crossings would take minutes.
    if (drawing_.edges.size() > 100) {
      set(graph_, "nslimit", "0.5");
      set(graph_, "nslimit1", "0.5");
      set(graph_, "mclimit", "0.1");
    }
    if (drawing_.edges.size() > 400) set(graph_, "splines", "line");
    for (std::size_t i = 0; i < drawing_.starts.size(); ++i) {
      Agnode_t* node = add_node(fmt::format("i{}", i));
      set(node, "shape", "circle");
      set(node, "label", "");
      set(node, "width", "0.12");
      set(node, "fixedsize", "true");
      starts_.push_back(node);
    }
    for (const DrawnNode& node : drawing_.nodes) {
      Agnode_t* drawn = add_node(fmt::format("s{}", node.state));
      set(drawn, "shape", "box");
      set(drawn, "fontname", "Helvetica");
      set(drawn, "fontsize", fmt::format("{:.2f}", node_font * reserve));
      set(drawn, "margin", "0.16,0.08");
      set(drawn, "width", "0.5");
      set(drawn, "label", graphviz_label(node_lines(node, options_.max_label)));
      nodes_.push_back(drawn);
    }
    const auto connect = [&](Agnode_t* from, Agnode_t* to, const std::vector<std::string>& lines) {
      Agedge_t* edge = agedge(graph_, from, to, nullptr, 1);
      set(edge, "fontname", "Helvetica");
      set(edge, "fontsize", fmt::format("{:.2f}", edge_font * reserve));
      set(edge, "label", graphviz_label(lines, "  ")); // away from its own line
      return edge;
    };
    for (std::size_t i = 0; i < drawing_.starts.size(); ++i) {
      const DrawnStart& start = drawing_.starts[i];
      entries_.push_back(connect(starts_[i], nodes_.at(start.state), entry_lines(start)));
    }
    for (const DrawnEdge& edge : drawing_.edges)
      edges_.push_back(is_arrow(edge) ? connect(nodes_.at(edge.from), nodes_.at(edge.to),
                                                arrow_lines(edge, options_.max_letters))
                                      : nullptr);
  }

  /// From points with the origin below to pixels with the origin above.
  Point place(double x, double y) const { return {x - left_ + 8, top_ - y + 8}; }
  Point place(pointf p) const { return place(p.x, p.y); }

  std::string written() {
    const boxf box = GD_bb(graph_);
    left_ = box.LL.x;
    top_ = box.UR.y;
    std::size_t columns = 0;
    for (std::string& line : legend_) {
      line = shorten(line, drawing_.letter_width);
      columns = std::max(columns, utf8_width(line));
    }
    const double width = std::ceil(std::max(
        box.UR.x - box.LL.x + 16, static_cast<double>(columns) * edge_font * legend_column + 16));
    const double picture = std::ceil(box.UR.y - box.LL.y + 16);
    const double height = picture + std::ceil(static_cast<double>(legend_.size()) * legend_step);
    out_ +=
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" id=\"{}picture\" "
                    "viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"group\" "
                    "aria-label=\"{}\">\n",
                    options_.prefix, width, height, width, height,
                    markup_text("The automaton of " + shorten(drawing_.name, 80)));
    if (options_.standalone) out_ += style();
    for (std::size_t i = 0; i < drawing_.starts.size(); ++i) {
      open_group("start", fmt::format("i{}", i));
      const Point at = place(ND_coord(starts_[i]));
      out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", at.x, at.y);
      curve(entries_[i], entry_lines(drawing_.starts[i]));
      out_ += "</g>\n";
    }
    for (std::size_t i = 0; i < drawing_.edges.size(); ++i) {
      if (!edges_[i]) continue;
      open_group("edge", fmt::format("e{}", i));
      curve(edges_[i], arrow_lines(drawing_.edges[i], options_.max_letters));
      title(drawing_.edges[i]);
      out_ += "</g>\n";
    }
    for (const DrawnNode& node : drawing_.nodes) {
      open_group("node", fmt::format("s{}", node.state));
      box_of(nodes_[node.state], node_lines(node, options_.max_label));
      if (!node.label.empty()) title(node.label);
      out_ += "</g>\n";
    }
    for (std::size_t i = 0; i < legend_.size(); ++i)
      out_ +=
          fmt::format("<text class=\"legend\" x=\"8\" y=\"{:.1f}\" font-size=\"{}\">{}</text>\n",
                      picture + legend_step * (static_cast<double>(i) + 0.5), edge_font,
                      markup_text(legend_[i]));
    return std::move(out_) + "</svg>\n";
  }

  static std::string style() {
    return "<style>\n"
           ".picture{background:#fff;color:#1b1f24;font-family:Helvetica,Arial,sans-serif}\n"
           ".node rect{fill:#eef3fa;stroke:#39598a;stroke-width:1.3}\n"
           ".line{fill:none;stroke:currentColor;stroke-width:1.1}.hit{fill:none;stroke:none}\n"
           ".head,.start circle,text{fill:currentColor}.label{opacity:.8}\n"
           ".letter{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}\n"
           "@media(prefers-color-scheme:dark){.picture{background:#14171c;color:#e4e7ec}"
           ".node rect{fill:#1f2a3a;stroke:#83a5d8}.letter{stroke:#14171c}}\n"
           "</style>\n";
  }

  void open_group(std::string_view kind, std::string_view id) {
    out_ += fmt::format("<g class=\"{}\" id=\"{}{}\">", kind, options_.prefix, id);
  }

  /// What a viewer shows on demand: there may be no room for all of it.
  void title(const std::string& text) {
    out_ += fmt::format("<title>{}</title>", markup_text(shorten(text, longest_title)));
  }
  void title(const DrawnEdge& edge) {
    std::vector<std::string> texts;
    for (const DrawnLetter& letter : edge.letters)
      if (!letter.everywhere) texts.push_back(letter.text);
    title(fmt::format("{}", fmt::join(texts, "; ")));
  }

  void lines(const std::vector<std::string>& texts, Point centre, double size,
             const std::vector<std::string_view>& classes) {
    const double step = size * 1.3;
    double y = centre.y - step * (static_cast<double>(texts.size()) - 1) / 2 + size * 0.35;
    for (std::size_t i = 0; i < texts.size(); ++i, y += step)
      out_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" "
                          "text-anchor=\"middle\">{}</text>\n",
                          classes[std::min(i, classes.size() - 1)], centre.x, y, size,
                          markup_text(texts[i]));
  }

  void box_of(Agnode_t* node, const std::vector<std::string>& texts) {
    const Point at = place(ND_coord(node));
    const double width = ND_width(node) * 72, height = ND_height(node) * 72;
    out_ +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"9\"/>",
                    at.x - width / 2, at.y - height / 2, width, height);
    lines(texts, at, node_font, {"number", "label"});
  }

  void curve(Agedge_t* edge, const std::vector<std::string>& texts) {
    const splines* spline = ED_spl(edge);
    std::string path, head;
    for (int i = 0; spline && i < static_cast<int>(spline->size); ++i) {
      const bezier& part = spline->list[i];
      const int count = static_cast<int>(part.size);
      if (count == 0) continue;
      const Point first = place(part.sflag ? part.sp : part.list[0]);
      path += fmt::format("M{:.1f},{:.1f}", first.x, first.y);
      for (int k = 1; k < count; ++k) {
        const Point p = place(part.list[k]);
        path += fmt::format("{}{:.1f},{:.1f}", k == 1 ? "C" : " ", p.x, p.y);
      }
      if (part.eflag) head += arrow(place(part.list[count - 1]), place(part.ep));
    }
    out_ += fmt::format("<path class=\"hit\" d=\"{}\"/><path class=\"line\" d=\"{}\"/>"
                        "<path class=\"head\" d=\"{}\"/>",
                        path, path, head);
    if (const textlabel_t* label = ED_label(edge); label && label->set)
      lines(texts, place(label->pos), edge_font, {"letter"});
  }

  static std::string arrow(Point from, Point tip) {
    const double length = std::hypot(tip.x - from.x, tip.y - from.y);
    if (length < 1e-6) return "";
    const double x = (tip.x - from.x) / length, y = (tip.y - from.y) / length;
    return fmt::format("M{:.1f},{:.1f}L{:.1f},{:.1f}L{:.1f},{:.1f}Z", tip.x, tip.y,
                       from.x - 3.6 * y, from.y + 3.6 * x, from.x + 3.6 * y, from.y - 3.6 * x);
  }

  const Drawing& drawing_;
  const SvgOptions& options_;
  const char* direction_;
  GVC_t* context_ = nullptr;
  Agraph_t* graph_ = nullptr;
  bool laid_out_ = false;
  std::vector<Agnode_t*> starts_, nodes_;
  std::vector<Agedge_t*> entries_, edges_;
  std::vector<std::string> legend_;
  double left_ = 0, top_ = 0;
  std::string out_;
};

} // namespace

std::optional<std::string> draw_svg(const Drawing& drawing, const SvgOptions& options) {
  if (!fits(drawing, options.limits) || drawing.nodes.empty()) return std::nullopt;
  // From left to right reads best, until it gets too wide.
  Picture across(drawing, options, "LR");
  across.lay_out();
  if (across.excess() <= 1 || drawing.edges.size() > 200) return across.write();
  Picture down(drawing, options, "TB");
  down.lay_out();
  return down.excess() < across.excess() ? down.write() : across.write();
}

std::string show_svg(const Interface& interface, const SvgOptions& options) {
  const Drawing drawing = drawing_of(interface);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  if (auto picture = draw_svg(drawing, options)) return text + *picture;
  const std::string why = drawing.nodes.empty()
                              ? "The interface is empty: no constructor can be used."
                              : fmt::format("{} and {} are too many for a picture.",
                                            count_of(drawing.nodes.size(), "state"),
                                            count_of(drawing.edges.size(), "edge"));
  return text +
         fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 60\" "
                     "width=\"560\" height=\"60\" role=\"img\">\n"
                     "<text x=\"20\" y=\"36\" font-family=\"sans-serif\">{}</text>\n</svg>\n",
                     markup_text(why));
}

} // namespace tacit
