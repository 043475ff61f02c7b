#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace transfer {

enum class UploadState { Idle, Negotiating, Sending, Paused, Done, Failed };

/// Sends a known number of bytes in chunks, and may be tried again three times.
class Upload {
public:
  explicit Upload(std::uint64_t total);
  void begin(const std::string& url);
  void accepted(int max_chunk);
  std::size_t send_chunk(std::size_t bytes);
  void pause();
  void resume();
  void fail(const std::string& why);
  void retry();
  bool done() const { return state_ == UploadState::Done; }
  const std::string& error() const;

private:
  void expect(UploadState state, const char* what) const;

  UploadState state_ = UploadState::Idle;
  std::uint64_t total_, sent_ = 0;
  int max_chunk_ = 0;
  int retries_ = 0;
  std::string error_, url_;
};

} // namespace transfer
