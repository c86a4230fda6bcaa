#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// Any bytes as a path segment or a query's value: all but the unreserved characters of RFC 3986
/// become %XX.
[[nodiscard]] std::string percent_encoded(std::string_view bytes);

/// Decodes percent-encoding once; nothing where an escape is malformed.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

/// Any bytes as one word of a shell command, as they are where no shell would read more into them.
[[nodiscard]] std::string shell_word(std::string_view bytes);

/// & < > " ' as character references, for HTML, XML and SVG.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// A number in upper-case hexadecimal, padded with zeros to at least `width` digits.
[[nodiscard]] std::string hexadecimal(std::uint32_t number, std::size_t width);

/// ASCII without case: names of HTTP header fields compare so (RFC 9110, 5.1).
[[nodiscard]] bool same_without_case(std::string_view left, std::string_view right);

}  // namespace assay
