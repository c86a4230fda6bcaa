#pragma once

#include <string>
#include <vector>

namespace assay::cli {

/// The files that a verb is to write. Each is opened and emptied before anything is judged, so that
/// no run is lost to a file that cannot be written; those that were not written in the end are
/// deleted, so that no report of an earlier run is taken for this one's.
class OutputFiles {
 public:
  /// Empty paths are left out. Throws UsageError where one cannot be written, or is one of the
  /// files that are read.
  OutputFiles(const std::vector<std::string>& paths, const std::vector<std::string>& inputs);
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  ~OutputFiles();

  /// All that is there from now on is this run's.
  void keep() { unwritten_.clear(); }

 private:
  std::vector<std::string> unwritten_;
};

/// Of a command line that could not be understood: deletes the reports and the record that it names
/// (--report FORMAT=FILE, --record FILE).
void delete_named_outputs(const std::vector<std::string>& arguments);

}  // namespace assay::cli
