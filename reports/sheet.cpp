#include "reports/sheet.h"

#include <fmt/format.h>

#include <stdexcept>

#include "assay_embed/report_page.h"
#include "base/encoding.h"

namespace assay::reports {

std::string_view page_file(std::string_view name) {
  for (const embed::File& file : embed::report_page()) {
    if (file.path == name) return file.content;
  }
  throw std::logic_error(fmt::format("no such part of the page: {}", name));
}

std::string sheet_html(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
      "name=\"color-scheme\" content=\"light dark\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<title>{}</title>\n<style>\n{}"
      "</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      escape_markup(title), page_file("sheet.css"), body);
}

}  // namespace assay::reports
