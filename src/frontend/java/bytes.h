// Bounds-checked reading of binary data: a read past the end yields zero and leaves the reader
// failed, so that parsers can test once per structure instead of once per number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tacit::java {

using Bytes = std::span<const std::uint8_t>;

class ByteReader {
public:
  explicit ByteReader(Bytes data, std::size_t position = 0) : data_(data), position_(position) {
    failed_ = position > data.size();
  }

  bool ok() const { return !failed_; }
  std::size_t position() const { return position_; }
  std::size_t left() const { return failed_ ? 0 : data_.size() - position_; }

  std::uint8_t u1() { return static_cast<std::uint8_t>(big(1)); }
  std::uint16_t u2() { return static_cast<std::uint16_t>(big(2)); }
  std::uint32_t u4() { return static_cast<std::uint32_t>(big(4)); }
  std::uint64_t u8() { return big(8); }
  std::int8_t s1() { return static_cast<std::int8_t>(u1()); }
  std::int16_t s2() { return static_cast<std::int16_t>(u2()); }
  std::int32_t s4() { return static_cast<std::int32_t>(u4()); }
  std::uint16_t little2() { return static_cast<std::uint16_t>(little(2)); }
  std::uint32_t little4() { return static_cast<std::uint32_t>(little(4)); }
  std::uint64_t little8() { return little(8); }

  /// The next `count` bytes; empty when there are fewer.
  Bytes take(std::size_t count) {
    if (count > left()) {
      failed_ = true;
      return {};
    }
    const Bytes part = data_.subspan(position_, count);
    position_ += count;
    return part;
  }

private:
  std::uint64_t big(std::size_t count) {
    std::uint64_t value = 0;
    for (const std::uint8_t byte : take(count)) value = value << 8 | byte;
    return value;
  }

  std::uint64_t little(std::size_t count) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const std::uint8_t byte : take(count)) {
      value |= std::uint64_t{byte} << shift;
      shift += 8;
    }
    return value;
  }

  Bytes data_;
  std::size_t position_;
  bool failed_ = false;
};

} // namespace tacit::java
