#include "harness/run/login.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "harness/run/hooks.h"
#include "harness/run/session.h"
#include "harness/wire/template.h"

namespace assay::run {
namespace {

constexpr std::string_view login_mark = "${login.";
/// How long the others wait between two looks whether a login is over.
constexpr double look_again_ms = 5;

/// False where it names what the login did not give.
bool put_in(std::string& text, const Login& login) {
  for (std::size_t at = text.find(login_mark); at != std::string::npos;) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos) return false;
    const std::size_t begin = at + login_mark.size();
    const auto found = login.captured.find(text.substr(begin, end - begin));
    if (found == login.captured.end()) return false;
    const std::string value = wire::text_of_value(found->second);
    text.replace(at, end + 1 - at, value);
    at = text.find(login_mark, at + value.size());
  }
  return true;
}

void add_texts(const Value& value, core::Secrets& secrets) {
  if (value.is_string()) secrets.add(value.as_string());
  if (value.is_list()) {
    for (const Value& item : value.as_list()) add_texts(item, secrets);
  }
  if (!value.is_object()) return;
  for (const auto& [name, member] : value.as_object()) add_texts(member, secrets);
}

/// Says that a login is under way for as long as it lives.
class UnderWay {
 public:
  explicit UnderWay(Login& login) : login_(login) { login_.is_under_way = true; }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  ~UnderWay() { login_.is_under_way = false; }

 private:
  Login& login_;
};

}  // namespace

bool needs_login(const core::HttpRequest& request) {
  return std::ranges::any_of(request.headers, [](const core::Header& header) {
    return header.value.find(login_mark) != std::string::npos;
  });
}

core::HttpRequest with_login(core::HttpRequest request, const Login& login) {
  std::erase_if(request.headers,
                [&login](core::Header& header) { return !put_in(header.value, login); });
  return request;
}

boost::asio::awaitable<HooksEnd> log_in(const RunContext& context, std::uint64_t seen) {
  Login& login = *context.login;
  while (login.is_under_way) co_await context.waiter.wait(look_again_ms);
  if (login.times != seen) co_return HooksEnd{};
  const UnderWay under_way(login);
  Session session(context, context.prefix + "-login");
  Object named = context.ambient;
  HooksEnd end = co_await run_hooks(session, context.profile.login, named);
  if (end.acceptance != core::Acceptance::accepted) co_return end;
  for (const core::Hook& hook : context.profile.login) {
    for (const auto& [name, where] : hook.captures) {
      const auto value = named.find(name);
      if (value == named.end()) continue;
      add_texts(value->second, login.secrets);
      login.captured.insert_or_assign(name, value->second);
    }
  }
  ++login.times;
  co_return end;
}

}  // namespace assay::run
