#include "harness/audit/postgres.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::audit {
namespace {

// What needs a server is tested by scripts/test-audit-postgres.
TEST(Postgres, AServerThatIsNotThereIsSaidInOneLine) {
  try {
    static_cast<void>(postgres_source("host=/missing dbname=x", "SELECT 1"));
    FAIL() << "connected to a folder that is not there";
  } catch (const ReadError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("PostgreSQL: ")) << message;
    EXPECT_NE(message.find("/missing"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace assay::audit
