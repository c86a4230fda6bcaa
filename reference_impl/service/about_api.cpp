#include "reference_impl/service/about_api.h"

#include <string>

#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

void write_counter(std::string& out, std::string_view name, std::string_view help,
                   std::uint64_t value) {
  const std::string metric = "assay_" + std::string(name);
  out += "# TYPE " + metric + " counter\n# HELP " + metric + " " + std::string(help) + "\n";
  out += metric + "_total " + std::to_string(value) + "\n";
}

std::string metrics_text(const Counters& counters) {
  std::string out;
  write_counter(out, "executions", "Executions created.", counters.executions);
  write_counter(out, "events", "Events stored.", counters.events);
  write_counter(out, "event_duplicates", "Posted events that were stored before.",
                counters.duplicates);
  write_counter(out, "event_conflicts", "Posted events whose id is stored with other content.",
                counters.conflicts);
  out += "# TYPE assay_replies counter\n# HELP assay_replies Replies by class of status.\n";
  for (std::size_t digit = 2; digit <= 5; ++digit) {
    out += "assay_replies_total{class=\"" + std::to_string(digit) + "xx\"} " +
           std::to_string(counters.replies[digit]) + "\n";
  }
  return out + "# EOF\n";
}

}  // namespace

void add_about_routes(Router& router, Environment& environment) {
  router.add("GET", "/healthz", BodyRule::ignored, 0, [&environment](const Call&) {
    return json_reply(200, Object{{"status", "ok"},
                                  {"name", environment.options.name},
                                  {"version", environment.options.version}});
  });
  router.add("GET", "/openapi.json", BodyRule::ignored, 0, [](const Call&) {
    return Reply{200, "application/json", std::string(openapi_document()), {}};
  });
  router.add("GET", "/metrics", BodyRule::ignored, 0, [&environment](const Call&) {
    return Reply{200,
                 "application/openmetrics-text; version=1.0.0; charset=utf-8",
                 metrics_text(environment.counters),
                 {}};
  });
}

}  // namespace assay::service
