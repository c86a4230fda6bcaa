#include "harness/wire/text_pattern.h"

/// How many steps a search may take: some 100 ms. Boost's own bound is fifty times that, and a
/// target's text would hold up the others for as long.
#define BOOST_REGEX_MAX_STATE_COUNT 2000000
// Boost casts the bound by its own hand.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <boost/regex.hpp>
#pragma GCC diagnostic pop
#include <cstddef>
#include <map>
#include <stdexcept>

namespace assay::wire {
namespace {

/// A target may answer with a text of any length.
constexpr std::size_t most_searched_bytes = std::size_t{64} * 1024;

/// Answers may be read beside one another, so that each thread keeps its own.
const boost::regex& compiled(const std::string& pattern) {
  thread_local std::map<std::string, boost::regex> patterns;
  const auto found = patterns.find(pattern);
  if (found != patterns.end()) return found->second;
  return patterns.emplace(pattern, boost::regex(pattern)).first->second;
}

}  // namespace

std::string pattern_fault(const std::string& pattern) {
  try {
    (void)compiled(pattern);
    return "";
  } catch (const std::runtime_error& fault) {
    const std::string text = fault.what();
    return text.substr(0, text.find(".  The error occurred"));
  }
}

std::optional<std::string> found_by(const std::string& pattern, std::string_view text) {
  if (text.size() > most_searched_bytes) return std::nullopt;
  boost::match_results<std::string_view::const_iterator> match;
  try {
    if (!boost::regex_search(text.begin(), text.end(), match, compiled(pattern))) {
      return std::nullopt;
    }
  } catch (const std::runtime_error&) {
    // Boost gives up on a search whose steps grow beyond all bounds with the text.
    return std::nullopt;
  }
  return match.size() > 1 ? match[1].str() : match[0].str();
}

}  // namespace assay::wire
