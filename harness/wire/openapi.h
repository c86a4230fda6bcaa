#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "harness/core/source.h"

namespace assay::wire {

/// A value in a request or an answer, as an OpenAPI document describes it.
struct ApiField {
  /// Its last member's name: "status".
  std::string name;
  /// Where it is, from the body (of an element: from that).
  std::string pointer;
  /// The words of its enum.
  std::vector<std::string> words;
  bool is_required = false;
  /// Its example or default; null where the document has none.
  Value example;
  /// "string", "integer", "boolean", "object", "array"; empty where the document does not say.
  std::string type;
};

/// A list in an answer.
struct ApiList {
  std::string pointer;
  /// Of each element.
  std::vector<ApiField> fields;
};

/// One method of one path.
struct ApiCall {
  std::string method;
  /// "/runs/{run_id}", below the server's own path.
  std::string path;
  std::vector<ApiField> query;
  std::vector<ApiField> body;
  /// Of the first success that has a JSON body.
  std::vector<ApiField> answer;
  std::vector<ApiList> lists;
  std::vector<int> statuses;
};

struct ApiDocument {
  std::string title;
  std::string version;
  /// Of the first server, "" or without a slash at its end; empty where there is none.
  std::string base_url;
  std::vector<ApiCall> calls;
};

/// Reads an OpenAPI 3 or Swagger 2 document, JSON or YAML. References into the document are
/// followed, other ones are not; what it says beyond paths, parameters and JSON bodies is left out.
/// Deep or endless schemas are cut. Never throws for anything that the text contains.
[[nodiscard]] Result<ApiDocument, core::Diagnostic> read_openapi(std::string_view text,
                                                                 const std::string& file_name);

}  // namespace assay::wire
