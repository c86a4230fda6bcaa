#include "harness/audit/postgres.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace assay::audit {
namespace {

constexpr int rows_at_once = 5'000;

/// What is called of libpq (libpq-fe.h, version 5). It is loaded when it is asked for, so that the
/// program runs where it is not installed.
class Libpq {
 public:
  struct Connection;
  struct Result;

  Libpq() {
    constexpr const char* name = "libpq.so.5";
    library_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
      throw ReadError(fmt::format(
          "{} is not installed, without which no PostgreSQL can be read (Debian: libpq5)", name));
    }
    find("PQconnectdb", connect);
    find("PQstatus", status);
    find("PQerrorMessage", error_message);
    find("PQfinish", finish);
    find("PQexec", execute);
    find("PQresultStatus", result_status);
    find("PQresultErrorMessage", result_error_message);
    find("PQclear", clear);
    find("PQntuples", row_count);
    find("PQgetvalue", value);
    find("PQgetlength", length);
  }
  Libpq(const Libpq&) = delete;
  Libpq& operator=(const Libpq&) = delete;
  ~Libpq() { ::dlclose(library_); }

  static constexpr int connection_ok = 0;
  static constexpr int command_ok = 1;
  static constexpr int tuples_ok = 2;

  Connection* (*connect)(const char*) = nullptr;
  int (*status)(const Connection*) = nullptr;
  char* (*error_message)(const Connection*) = nullptr;
  void (*finish)(Connection*) = nullptr;
  Result* (*execute)(Connection*, const char*) = nullptr;
  int (*result_status)(const Result*) = nullptr;
  char* (*result_error_message)(const Result*) = nullptr;
  void (*clear)(Result*) = nullptr;
  int (*row_count)(const Result*) = nullptr;
  char* (*value)(const Result*, int, int) = nullptr;
  int (*length)(const Result*, int, int) = nullptr;

 private:
  template <typename Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    if (function == nullptr) throw ReadError(fmt::format("libpq has no {}", name));
  }

  void* library_ = nullptr;
};

/// A message of libpq, which may have several lines, as one.
std::string one_line(std::string_view message) {
  while (!message.empty() && message.back() == '\n') message.remove_suffix(1);
  std::string line;
  for (const char letter : message)
    line += letter == '\n' ? std::string("; ") : std::string(1, letter);
  return line;
}

/// A query without what may stand behind it: it becomes part of another.
std::string_view without_end(std::string_view query) {
  const std::size_t end = query.find_last_not_of(" \t\r\n;");
  return query.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

class PostgresSource : public ByteSource {
 public:
  PostgresSource(const std::string& conninfo, const std::string& query)
      : connection_(libpq_.connect(conninfo.c_str())) {
    try {
      if (libpq_.status(connection_) != Libpq::connection_ok) {
        throw ReadError("PostgreSQL: " + one_line(libpq_.error_message(connection_)));
      }
      run("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
      // A line comment at the query's end must not hide what follows it.
      run(
          fmt::format("DECLARE events NO SCROLL CURSOR FOR "
                      "SELECT row_to_json(event) FROM ({}\n) AS event",
                      without_end(query)));
    } catch (...) {
      libpq_.finish(connection_);
      throw;
    }
  }
  ~PostgresSource() override { libpq_.finish(connection_); }

  std::size_t read(std::span<char> buffer) override {
    if (at_ == lines_.size() && !is_over_) fetch();
    const std::size_t count = std::min(buffer.size(), lines_.size() - at_);
    std::copy_n(lines_.begin() + static_cast<std::ptrdiff_t>(at_), count, buffer.begin());
    at_ += count;
    return count;
  }

 private:
  using Answer = std::unique_ptr<Libpq::Result, void (*)(Libpq::Result*)>;

  Answer ask(const std::string& command, int due) {
    Answer answer(libpq_.execute(connection_, command.c_str()), libpq_.clear);
    if (libpq_.result_status(answer.get()) != due) {
      const std::string_view own = libpq_.result_error_message(answer.get());
      throw ReadError("PostgreSQL: " +
                      one_line(own.empty() ? libpq_.error_message(connection_) : own));
    }
    return answer;
  }

  void run(const std::string& command) { static_cast<void>(ask(command, Libpq::command_ok)); }

  void fetch() {
    const Answer rows =
        ask(fmt::format("FETCH FORWARD {} FROM events", rows_at_once), Libpq::tuples_ok);
    const int count = libpq_.row_count(rows.get());
    is_over_ = count == 0;
    lines_.clear();
    at_ = 0;
    for (int row = 0; row < count; ++row) {
      append_row({libpq_.value(rows.get(), row, 0),
                  static_cast<std::size_t>(libpq_.length(rows.get(), row, 0))},
                 lines_);
    }
  }

  Libpq libpq_;
  Libpq::Connection* connection_;
  std::string lines_;
  std::size_t at_ = 0;
  bool is_over_ = false;
};

}  // namespace

void append_row(std::string_view row, std::string& lines) {
  const std::size_t begin = lines.size();
  lines.append(row);
  std::replace(lines.begin() + static_cast<std::ptrdiff_t>(begin), lines.end(), '\n', ' ');
  lines += '\n';
}

std::unique_ptr<ByteSource> postgres_source(const std::string& conninfo, const std::string& query) {
  return std::make_unique<PostgresSource>(conninfo, query);
}

}  // namespace assay::audit
