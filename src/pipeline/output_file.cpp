#include "pipeline/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tacit {

namespace {

namespace fs = std::filesystem;

std::unexpected<Diagnostic> cannot(const std::string& path, int why) {
  return fail(Location{path}, "cannot be written: {}", std::strerror(why));
}

bool written_in_place(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
}

/// The file behind links, so that a link stays one.
fs::path behind_links(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  fs::path target = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : target;
}

} // namespace

Result<void> check_output(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code error;
  if (path.empty()) return fail("the name of a file to write is empty");
  for (const std::string& input : inputs)
    if (fs::equivalent(path, input, error) && !error)
      return fail(Location{path}, "is read: it cannot be written as well");
  const fs::path target = behind_links(path);
  if (fs::is_directory(target, error)) return cannot(path, EISDIR);
  if (written_in_place(target)) {
    if (access(target.c_str(), W_OK) != 0) return cannot(path, errno);
    return {};
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::exists(folder, error)) return cannot(path, ENOENT);
  if (!fs::is_directory(folder, error)) return cannot(path, ENOTDIR);
  if (access(folder.c_str(), W_OK | X_OK) != 0) return cannot(path, errno);
  return {};
}

Result<void> write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  const fs::path target = behind_links(path);
  const bool in_place = written_in_place(target);
  const fs::path file =
      in_place ? target : fs::path(target.string() + ".tacit-" + std::to_string(getpid()));
  const auto drop = [&] {
    if (!in_place) std::remove(file.c_str());
  };
  std::ofstream out(file, std::ios::binary);
  if (!out) return cannot(path, errno);
  try {
    write(out);
  } catch (...) {
    out.close();
    drop();
    throw;
  }
  out.close();
  if (!out || (!in_place && std::rename(file.c_str(), target.c_str()) != 0)) {
    const int why = errno;
    drop();
    return cannot(path, why);
  }
  return {};
}

} // namespace tacit
