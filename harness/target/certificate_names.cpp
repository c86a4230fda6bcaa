#include "harness/target/certificate_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/visible.h"

namespace assay::target {
namespace {

constexpr std::size_t most_names = 8;
/// The longest host name that DNS has.
constexpr std::size_t name_bytes = 253;

std::string_view bytes_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string address_of(std::string_view bytes) {
  boost::asio::ip::address_v4::bytes_type four{};
  boost::asio::ip::address_v6::bytes_type sixteen{};
  if (bytes.size() == four.size()) {
    std::copy(bytes.begin(), bytes.end(), four.begin());
    return boost::asio::ip::address_v4(four).to_string();
  }
  if (bytes.size() != sixteen.size()) return visible(bytes, name_bytes);
  std::copy(bytes.begin(), bytes.end(), sixteen.begin());
  return boost::asio::ip::address_v6(sixteen).to_string();
}

std::vector<std::string> alternative_names(const X509* certificate) {
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> all(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      &GENERAL_NAMES_free);
  std::vector<std::string> names;
  for (int index = 0; all && index < sk_GENERAL_NAME_num(all.get()); ++index) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(all.get(), index);
    if (name->type == GEN_DNS) {
      names.push_back(visible(bytes_of(name->d.dNSName), name_bytes));
    } else if (name->type == GEN_IPADD) {
      names.push_back(address_of(bytes_of(name->d.iPAddress)));
    }
  }
  return names;
}

std::string common_name(const X509* certificate) {
  const X509_NAME* const subject = X509_get_subject_name(certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0) return "";
  return visible(bytes_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))), name_bytes);
}

}  // namespace

std::string certificate_names(const X509* certificate) {
  std::vector<std::string> names = alternative_names(certificate);
  if (names.empty()) names.push_back(common_name(certificate));
  std::erase(names, "");
  if (names.empty()) return "no host";
  if (names.size() > most_names) {
    const std::size_t left_out = names.size() - most_names;
    names.resize(most_names);
    names.push_back(fmt::format("{} more", left_out));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace assay::target
