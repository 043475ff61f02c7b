// `tacit bench jist`: Table 1 of "Synthesis of Interface Specifications for Java Classes", its
// figures beside ours, on our own versions of the subjects: as `.tir`, and as Java classes where
// these are given (examples/java, compiled; jdk: for the installed JDK's own).
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace tacit {

struct JistBench {
  double seconds_allowed = 60;      // per row
  std::vector<std::string> classes; // files, jars, `jdk:`
};

void bench_jist(std::ostream& out, const JistBench& options);

} // namespace tacit
