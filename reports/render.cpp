#include "reports/render.h"

#include <algorithm>

namespace assay::reports {

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {"text", "for people, on a terminal or in a log", render_text},
      {"json", "for programs", render_json},
      {"junit", "JUnit XML, for CI servers", render_junit},
      {"markdown", "for the summary of a CI step", render_markdown},
      {"html", "one page that works offline", render_html, true},
      {"statement", "compliance statement, in Markdown or, in a file *.html, as a page",
       render_statement},
      {"ctrf", "Common Test Report Format", render_ctrf},
      {"sarif", "SARIF 2.1.0, for code scanning", render_sarif},
      {"github", "annotations of GitHub Actions", render_github},
      {"gitlab", "GitLab code quality", render_gitlab},
      {"tap", "Test Anything Protocol 14", render_tap},
      {"earl", "W3C EARL as JSON-LD, clause by clause", render_earl},
      {"badge", "SVG for a README", render_badge},
  };
  return all;
}

bool is_page(std::string_view file) { return file.ends_with(".html") || file.ends_with(".htm"); }

const Format* find_format(std::string_view name) {
  const auto found = std::find_if(formats().begin(), formats().end(),
                                  [name](const Format& each) { return each.name == name; });
  return found == formats().end() ? nullptr : &*found;
}

}  // namespace assay::reports
