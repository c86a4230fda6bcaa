#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_impl/service/service_fixture.h"

namespace assay::service {
namespace {

class OpenApi : public ServiceTest {
 protected:
  OpenApi() { document_ = get("/openapi.json").body; }

  /// Every "$ref" of the document.
  static void collect_references(const Value& value, std::vector<std::string>& references) {
    if (value.is_list()) {
      for (const Value& item : value.as_list()) collect_references(item, references);
    } else if (value.is_object()) {
      for (const auto& [key, member] : value.as_object()) {
        if (key == "$ref") references.push_back(member.as_string());
        collect_references(member, references);
      }
    }
  }

  Value document_;
};

TEST_F(OpenApi, IsVersion31) {
  EXPECT_EQ(document_.string_at("openapi"), "3.1.0");
  EXPECT_GE(document_.find("paths")->as_object().size(), 10U);
}

TEST_F(OpenApi, DescribesOnlyCallsThatThereAre) {
  for (const auto& [path, operations] : document_.find("paths")->as_object()) {
    std::string target = path;
    for (std::size_t brace = 0; (brace = target.find('{')) != std::string::npos;) {
      target.replace(brace, target.find('}') - brace + 1, "a");
    }
    for (const auto& [method, operation] : operations.as_object()) {
      std::string upper = method;
      for (char& letter : upper) letter = static_cast<char>(letter - 'a' + 'A');
      const Answer answer = send({upper, target, {}, ""});
      EXPECT_NE(answer.status, 405) << upper << " " << path;
      EXPECT_NE(answer.at("/detail"), "\"no such path\"") << upper << " " << path;
    }
  }
}

TEST_F(OpenApi, RefersOnlyToWhatItDefines) {
  std::vector<std::string> references;
  collect_references(document_, references);
  EXPECT_GT(references.size(), 100U);
  for (const std::string& reference : references) {
    ASSERT_TRUE(reference.starts_with("#/"));
    EXPECT_NE(document_.at_pointer(reference.substr(1)), nullptr) << reference;
  }
}

}  // namespace
}  // namespace assay::service
