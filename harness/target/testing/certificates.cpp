#include "harness/target/testing/certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

namespace assay::target::testing {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

struct Identity {
  Key key{nullptr, EVP_PKEY_free};
  Certificate certificate{nullptr, X509_free};
};

void add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  if (extension == nullptr) {
    throw std::runtime_error("no extension " + value);
  }
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

/// Signed by `issuer`, or by itself and an authority where there is none.
Identity make(const std::string& name, const std::string& alternative_names,
              const Identity* issuer) {
  static long serial = 0;
  Identity made;
  made.key.reset(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  made.certificate.reset(X509_new());
  X509* const certificate = made.certificate.get();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3'600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 86'400);
  X509_set_pubkey(certificate, made.key.get());
  const std::basic_string<unsigned char> bytes(name.begin(), name.end());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, bytes.c_str(),
                             -1, -1, 0);
  X509* const signer = issuer == nullptr ? certificate : issuer->certificate.get();
  X509_set_issuer_name(certificate, X509_get_subject_name(signer));
  if (issuer == nullptr) {
    add_extension(certificate, signer, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(certificate, signer, NID_key_usage, "critical,keyCertSign");
  }
  if (!alternative_names.empty()) {
    add_extension(certificate, signer, NID_subject_alt_name, alternative_names);
  }
  X509_sign(certificate, issuer == nullptr ? made.key.get() : issuer->key.get(), EVP_sha256());
  return made;
}

void write(const Identity& identity, const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"),
                                                             std::fclose);
  if (file == nullptr || PEM_write_X509(file.get(), identity.certificate.get()) != 1 ||
      PEM_write_PrivateKey(file.get(), identity.key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1) {
    throw std::runtime_error("cannot write " + path);
  }
}

}  // namespace

Certificates::Certificates() {
  const Identity authority = make("assay test authority", "", nullptr);
  write(authority, ca_file());
  write(make("localhost", "DNS:localhost,IP:127.0.0.1", &authority), server_file());
  write(make("elsewhere.test", "DNS:elsewhere.test", &authority), other_server_file());
  write(make("assay test client", "", &authority), client_file());
}

}  // namespace assay::target::testing
