#include "harness/target/adapter_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "harness/core/adapter_line.h"
#include "harness/target/adapter_answer.h"
#include "harness/target/adapter_process.h"
#include "harness/target/turns.h"

namespace assay::target {
namespace asio = boost::asio;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;

namespace {

/// What a line has beside the answer.
constexpr std::size_t frame_bytes = std::size_t{64} * 1024;
constexpr std::chrono::milliseconds conversation_end_known_within{200};

core::HttpResult no_answer(std::string why) {
  return unexpected(core::TransportError{core::TransportFault::adapter, std::move(why), true});
}

}  // namespace

/// What is under way with the program. Handlers hold on to it, since one may run after the target
/// is gone.
class AdapterTarget::Conversation : public std::enable_shared_from_this<Conversation> {
 public:
  Conversation(asio::io_context& io, const core::Profile& profile)
      : io_(io),
        limits_(profile.limits),
        request_ms_(std::min(limits_.request_ms, limits_.case_ms)),
        process_(profile),
        input_(io, process_.take_input()),
        output_(io, process_.take_output()),
        unread_(process_.take_unread()),
        turns_(io, limits_.rate) {}

  asio::awaitable<core::HttpResult> ask(core::HttpRequest request);

  /// Nobody waits any longer for the answers to what was asked before that moment.
  void give_up(SteadyClock::time_point begun_before) {
    for (const auto& [id, question] : open_) {
      if (question->begun < begun_before) question->wake.cancel();
    }
  }

  /// Lets go of the program's input and output.
  void close() {
    error_code ignored;
    std::ignore = input_.close(ignored);
    std::ignore = output_.close(ignored);
  }

  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] const std::string& identity() const { return process_.identity(); }
  [[nodiscard]] std::string output() const { return process_.output(); }

 private:
  /// One who waits for an answer.
  struct Question {
    explicit Question(asio::io_context& io) : wake(io) {}

    SteadyClock::time_point begun = SteadyClock::now();
    asio::steady_timer wake;
    std::optional<core::HttpResult> result;
  };

  /// Takes a question back, also where its coroutine is abandoned.
  class Open {
   public:
    Open(std::shared_ptr<Conversation> conversation, std::uint64_t id)
        : conversation_(std::move(conversation)), id_(id) {}
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    ~Open() { conversation_->take_back(id_); }

   private:
    std::shared_ptr<Conversation> conversation_;
    std::uint64_t id_;
  };

  void take_back(std::uint64_t id);
  /// Reads and writes only while somebody waits: else the I/O context would never run out of work.
  void go_on();
  void take_written(const error_code& error);
  void take_read(const error_code& error, std::size_t count);
  void take_lines();
  void take_line(std::string_view text);
  /// Nothing that comes from now on is believed.
  void end(std::string why);

  asio::io_context& io_;
  core::Limits limits_;
  /// No question outlasts a case.
  std::int64_t request_ms_;
  AdapterProcess process_;
  asio::posix::stream_descriptor input_;
  asio::posix::stream_descriptor output_;
  std::array<char, std::size_t{64} * 1024> bytes_{};
  std::string unread_;
  /// How much of it is known to have no end of a line.
  std::size_t searched_ = 0;
  Turns turns_;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Question>> open_;
  /// Questions whose time was over: their answers may still come.
  std::set<std::uint64_t> given_up_;
  /// A list: what is being written must stay where it is.
  std::list<std::pair<std::uint64_t, std::string>> unwritten_;
  bool is_writing_ = false;
  bool is_reading_ = false;
  std::string trouble_;
};

asio::awaitable<core::HttpResult> AdapterTarget::Conversation::ask(core::HttpRequest request) {
  co_await turns_.wait();
  if (!trouble_.empty()) co_return no_answer(trouble_);
  const std::uint64_t id = ++last_id_;
  const auto question = std::make_shared<Question>(io_);
  const Open open(shared_from_this(), id);
  open_.emplace(id, question);
  unwritten_.emplace_back(id, core::adapter_line(id, request) + "\n");
  question->wake.expires_after(
      std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double, std::milli>(
          static_cast<double>(request_ms_) * limits_.wait_factor)));
  go_on();
  error_code ignored;
  if (!question->result) {
    co_await question->wake.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  if (question->result) co_return *std::move(question->result);
  const auto line = std::find_if(unwritten_.begin(), unwritten_.end(),
                                 [id](const auto& each) { return each.first == id; });
  const bool is_begun = line == unwritten_.end() || (is_writing_ && line == unwritten_.begin());
  if (!is_begun) unwritten_.erase(line);
  if (is_begun) given_up_.insert(id);
  co_return unexpected(core::TransportError{core::TransportFault::request_timeout, "", is_begun});
}

void AdapterTarget::Conversation::take_back(std::uint64_t id) {
  open_.erase(id);
  if (!open_.empty()) return;
  error_code ignored;
  if (is_reading_) std::ignore = output_.cancel(ignored);
  if (!is_writing_) return;
  // A line that is half written can't be taken back.
  std::ignore = input_.cancel(ignored);
  end("it does not read its standard input");
}

void AdapterTarget::Conversation::go_on() {
  if (open_.empty() || !trouble_.empty()) return;
  take_lines();
  if (open_.empty() || !trouble_.empty()) return;
  if (!is_reading_) {
    is_reading_ = true;
    output_.async_read_some(asio::buffer(bytes_), [self = shared_from_this()](
                                                      const error_code& error, std::size_t count) {
      self->is_reading_ = false;
      self->take_read(error, count);
    });
  }
  if (!is_writing_ && !unwritten_.empty()) {
    is_writing_ = true;
    asio::async_write(input_, asio::buffer(unwritten_.front().second),
                      [self = shared_from_this()](const error_code& error, std::size_t) {
                        self->is_writing_ = false;
                        self->take_written(error);
                      });
  }
}

void AdapterTarget::Conversation::take_written(const error_code& error) {
  // That it is gone shows in what it writes, with how it ended.
  if (error) return;
  unwritten_.pop_front();
  go_on();
}

void AdapterTarget::Conversation::take_read(const error_code& error, std::size_t count) {
  unread_.append(bytes_.data(), count);
  if (error == asio::error::operation_aborted) {
    go_on();
    return;
  }
  if (error) {
    take_lines();
    end(process_.end_text(conversation_end_known_within));
    return;
  }
  go_on();
}

void AdapterTarget::Conversation::take_lines() {
  std::size_t begin = 0;
  while (trouble_.empty()) {
    const std::size_t end_of_line = unread_.find('\n', std::max(begin, searched_));
    if (end_of_line == std::string::npos) break;
    take_line(std::string_view(unread_).substr(begin, end_of_line - begin));
    begin = end_of_line + 1;
  }
  unread_.erase(0, begin);
  searched_ = unread_.size();
  const std::size_t longest = limits_.max_body_bytes + frame_bytes;
  if (searched_ > longest) end(fmt::format("it wrote a line of more than {} bytes", longest));
}

void AdapterTarget::Conversation::take_line(std::string_view text) {
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  auto read = read_adapter_answer(text);
  if (!read) {
    end(fmt::format("it wrote a line that is not an answer: {}", read.error()));
    return;
  }
  auto& answer = *read;
  const auto id = answer.id;
  const auto known = open_.find(static_cast<std::uint64_t>(id.value_or(0)));
  if (!id || known == open_.end() || known->second->result) {
    if (id && given_up_.erase(static_cast<std::uint64_t>(*id)) != 0) return;
    end(fmt::format("it answered the id {}, which is not open", answer.shown_id));
    return;
  }
  known->second->result = std::move(answer.result);
  known->second->wake.cancel();
}

void AdapterTarget::Conversation::end(std::string why) {
  if (!trouble_.empty()) return;
  trouble_ = std::move(why);
  unread_.clear();
  searched_ = 0;
  for (const auto& [id, question] : open_) {
    if (question->result) continue;
    question->result = no_answer(trouble_);
    question->wake.cancel();
  }
}

AdapterTarget::AdapterTarget(asio::io_context& io, const core::Profile& profile,
                             std::unique_ptr<Target> http)
    : http_(std::move(http)) {
  std::vector<std::string> words;
  for (const std::string& word : profile.adapter.value().command) words.push_back(shell_word(word));
  command_ = fmt::format("{}", fmt::join(words, " "));
  conversation_ = std::make_shared<Conversation>(io, profile);
  identity_ = conversation_->identity();
}

AdapterTarget::~AdapterTarget() { conversation_->close(); }

asio::awaitable<core::HttpResult> AdapterTarget::perform(core::HttpRequest request) {
  core::HttpResult result = unexpected(core::TransportError{
      core::TransportFault::unsendable, "the profile has an adapter and no base_url", false});
  if (core::is_adapter_line(request)) {
    result = co_await conversation_->ask(std::move(request));
  } else if (http_) {
    result = co_await http_->perform(std::move(request));
  }
  co_return result;
}

asio::awaitable<core::HttpResult> AdapterTarget::perform_with_delivery(core::HttpRequest request,
                                                                       Delivery delivery) {
  core::HttpResult result;
  if (!core::is_adapter_line(request) && http_) {
    result = co_await http_->perform_with_delivery(std::move(request), delivery);
  } else {
    result = co_await Target::perform_with_delivery(std::move(request), delivery);
  }
  co_return result;
}

asio::awaitable<bool> AdapterTarget::pairs_answers(SteadyClock::time_point since,
                                                   std::chrono::milliseconds longest_wait) {
  // The conversation's own lines are numbered.
  if (!http_) co_return true;
  co_return co_await http_->pairs_answers(since, longest_wait);
}

void AdapterTarget::give_up(SteadyClock::time_point begun_before) {
  conversation_->give_up(begun_before);
  if (http_) http_->give_up(begun_before);
}

std::string AdapterTarget::identity() const { return identity_; }

std::string AdapterTarget::location() const {
  return http_ ? http_->location() : std::string(core::adapter_location) + command_;
}

std::string AdapterTarget::trouble() const { return conversation_->trouble(); }

std::string AdapterTarget::output() const { return conversation_->output(); }

}  // namespace assay::target
