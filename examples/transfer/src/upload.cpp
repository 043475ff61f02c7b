#include "transfer/upload.h"

#include <stdexcept>

namespace transfer {

Upload::Upload(std::uint64_t total) : total_(total) {
  if (total == 0) throw std::invalid_argument("nothing to send");
}

void Upload::expect(UploadState s, const char* what) const {
  if (state_ != s) throw std::logic_error(what);
}

void Upload::begin(const std::string& url) {
  expect(UploadState::Idle, "begin");
  if (url.empty()) throw std::invalid_argument("url");
  url_ = url;
  state_ = UploadState::Negotiating;
}

void Upload::accepted(int max_chunk) {
  expect(UploadState::Negotiating, "accepted");
  if (max_chunk <= 0) throw std::invalid_argument("chunk");
  max_chunk_ = max_chunk;
  state_ = UploadState::Sending;
}

std::size_t Upload::send_chunk(std::size_t bytes) {
  expect(UploadState::Sending, "send_chunk");
  if (bytes == 0 || bytes > static_cast<std::size_t>(max_chunk_))
    throw std::out_of_range("chunk size");
  if (bytes > total_ - sent_) bytes = total_ - sent_;
  sent_ += bytes;
  if (sent_ == total_) state_ = UploadState::Done;
  return bytes;
}

void Upload::pause() {
  expect(UploadState::Sending, "pause");
  state_ = UploadState::Paused;
}

void Upload::resume() {
  expect(UploadState::Paused, "resume");
  state_ = UploadState::Sending;
}

void Upload::fail(const std::string& why) {
  if (state_ == UploadState::Done || state_ == UploadState::Idle) throw std::logic_error("fail");
  error_ = why;
  state_ = UploadState::Failed;
}

void Upload::retry() {
  expect(UploadState::Failed, "retry");
  if (++retries_ > 3) throw std::runtime_error("too many retries");
  state_ = UploadState::Negotiating; // what was sent is kept
}

const std::string& Upload::error() const {
  expect(UploadState::Failed, "error");
  return error_;
}

} // namespace transfer
