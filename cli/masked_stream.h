#pragma once

#include <ostream>
#include <streambuf>
#include <string>

#include "harness/core/secrets.h"

namespace assay::cli {

/// Passes what is written on to another stream, line by line, with every secret masked that is
/// known by then. What the other stream refuses, this one does.
class MaskedStream : public std::ostream {
 public:
  /// Both outlive it.
  MaskedStream(std::ostream& out, const core::Secrets& secrets)
      : std::ostream(nullptr), buffer_(out, secrets) {
    rdbuf(&buffer_);
  }
  MaskedStream(const MaskedStream&) = delete;
  MaskedStream& operator=(const MaskedStream&) = delete;
  ~MaskedStream() override { flush(); }

 private:
  class Buffer : public std::streambuf {
   public:
    Buffer(std::ostream& out, const core::Secrets& secrets) : out_(out), secrets_(secrets) {}

   protected:
    int_type overflow(int_type letter) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

   private:
    /// Writes what is pending up to and with its byte `size`.
    bool pass_on(std::size_t size);

    std::ostream& out_;
    const core::Secrets& secrets_;
    std::string pending_;
  };

  Buffer buffer_;
};

}  // namespace assay::cli
