#include "reference_impl/liberties/catalogue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reference_impl/faults/intercepted.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/reference.h"

namespace assay::liberties {
namespace {

std::vector<Liberty> all_kinds() {
  std::vector<Liberty> all;
  for (const auto kind :
       {form_liberties, list_liberties, request_liberties, layer_liberties, driven_liberties,
        net_liberties, playbook_liberties, stand_in_liberties, run_liberties, workflow_liberties}) {
    std::vector<Liberty> some = kind();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

/// Changes answers as several liberties have it; each body is read and written once for all.
class Free final : public service::Service {
 public:
  Free(std::unique_ptr<service::Service> below, std::span<const Liberty* const> taken)
      : below_(std::move(below)) {
    for (const Liberty* liberty : taken) {
      for (const AnswerChange& change : liberty->changes) {
        changes_.push_back({&change, index_of_route(change.route)});
      }
      if (liberty->form != nullptr) forms_.push_back(liberty->form);
      if (liberty->reading != nullptr) reading_.*(liberty->reading) = true;
    }
  }

  service::Reply handle(const service::Request& request) override {
    service::Reply reply = below_->handle(request);
    change(request, reply);
    for (const auto form : forms_) form(reply);
    return reply;
  }

 private:
  struct RoutedChange {
    const AnswerChange* change;
    /// Index into routes_: many changes have one, which is asked for once.
    std::size_t route;
  };

  std::size_t index_of_route(std::string_view route) {
    const auto found = std::find(routes_.begin(), routes_.end(), route);
    const auto index = static_cast<std::size_t>(found - routes_.begin());
    if (found == routes_.end()) routes_.push_back(route);
    return index;
  }

  void change(const service::Request& request, service::Reply& reply) {
    std::vector<bool> is_on(routes_.size());
    for (std::size_t index = 0; index < routes_.size(); ++index) {
      is_on[index] = routes_[index].empty() || faults::is_on_route(request, routes_[index]);
    }
    std::vector<const AnswerChange*> wanted;
    for (const RoutedChange& routed : changes_) {
      if (is_on[routed.route]) wanted.push_back(routed.change);
    }
    const bool reads_again = !reading_.is_plain() && reply.status == 200 &&
                             faults::is_on_route(request, faults::detail_route);
    if (wanted.empty() && !reads_again) return;
    auto body = service::parse_json(reply.body);
    if (!body) return;
    Answering answering{*below_, request, reply, *body};
    if (reads_again) read_again(reading_, answering.log(), *body);
    for (const AnswerChange* change : wanted) change->change(answering);
    reply.body = service::write_json(*body);
  }

  std::unique_ptr<service::Service> below_;
  std::vector<std::string_view> routes_;
  std::vector<RoutedChange> changes_;
  std::vector<void (*)(service::Reply&)> forms_;
  LayerReading reading_;
};

}  // namespace

std::span<const Liberty> liberties() {
  static const std::vector<Liberty> all = all_kinds();
  return all;
}

const Liberty* find_liberty(std::string_view id) {
  const std::span<const Liberty> all = liberties();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [id](const Liberty& liberty) { return liberty.id == id; });
  return found == all.end() ? nullptr : &*found;
}

std::unique_ptr<service::Service> make_free(std::span<const Liberty* const> taken,
                                            service::ServiceOptions options) {
  for (const Liberty* liberty : taken) {
    if (liberty->configure != nullptr) liberty->configure(options);
  }
  std::unique_ptr<service::Service> service = service::make_reference(std::move(options));
  for (const Liberty* liberty : taken) {
    faults::Intercept intercept = liberty->make != nullptr ? liberty->make() : liberty->intercept;
    if (intercept) service = faults::intercepted(std::move(service), std::move(intercept));
  }
  return std::make_unique<Free>(std::move(service), taken);
}

std::unique_ptr<service::Service> make_free(service::ServiceOptions options) {
  std::vector<const Liberty*> all;
  for (const Liberty& liberty : liberties()) all.push_back(&liberty);
  return make_free(all, std::move(options));
}

}  // namespace assay::liberties
