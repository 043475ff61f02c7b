// Zip archives by their central directory; entries stored or deflated.
#include "frontend/java/archive.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace tacit::java {

Result<std::shared_ptr<MappedFile>> MappedFile::open(const std::string& path) {
  const Location where{path};
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(where, "cannot be read: {}", std::strerror(errno));
  struct stat info{};
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    return fail(where, "cannot be read: not a file");
  }
  auto file = std::shared_ptr<MappedFile>(new MappedFile());
  if (info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    const int why = errno;
    ::close(fd);
    if (start == MAP_FAILED) return fail(where, "cannot be read: {}", std::strerror(why));
    file->bytes_ = {static_cast<const std::uint8_t*>(start), size};
  } else {
    ::close(fd);
  }
  return file;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

namespace {

constexpr std::string_view class_suffix = ".class";

struct ZipEntry {
  std::uint64_t offset = 0; // of the local header
  std::uint64_t packed = 0, size = 0;
  unsigned method = 0, flags = 0;
};

class ZipContainer : public Container {
public:
  ZipContainer(std::string path, std::shared_ptr<MappedFile> file)
      : path_(std::move(path)), file_(std::move(file)) {}

  Result<void> open() {
    Bytes data = file_->bytes();
    const Location where{path_};
    // A jmod is a zip behind four bytes of its own; offsets count from behind them.
    jmod_ = data.size() > 4 && data[0] == 'J' && data[1] == 'M';
    if (jmod_) data = data.subspan(4);
    data_ = data;
    if (data.size() < 22) return fail(where, "not an archive: too short");
    // The end record stands last, but for a comment of at most 65,535 bytes.
    const std::size_t lowest = data.size() > 22 + 0xffff ? data.size() - 22 - 0xffff : 0;
    std::size_t at = data.size() - 22;
    while (ByteReader(data, at).little4() != 0x06054b50) {
      if (at == lowest) return fail(where, "not an archive, or its end is missing");
      --at;
    }
    ByteReader end(data, at + 8);
    end.little2();
    std::uint64_t count = end.little2();
    end.little4();
    std::uint64_t start = end.little4();
    if (start == 0xffffffff || count == 0xffff) {
      ByteReader locator(data, at >= 20 ? at - 20 : data.size() + 1);
      if (locator.little4() == 0x07064b50) {
        locator.little4();
        ByteReader big(data, locator.little8());
        if (big.little4() != 0x06064b50) return fail(where, "the archive's directory is damaged");
        big.take(28);
        count = big.little8();
        big.little8();
        start = big.little8();
      }
    }
    return directory(start, count);
  }

  bool has(const std::string& name) const override { return entries_.contains(name); }

  Result<Bytes> read(const std::string& name, std::vector<std::uint8_t>& storage) const override {
    const ZipEntry& entry = entries_.at(name);
    const Location where{path_ + "!" + name + ".class"};
    if (entry.flags & 1u) return fail(where, "the entry is encrypted");
    if (entry.size > max_class_bytes)
      return fail(where, "the entry claims {} bytes; a class has at most {}", entry.size,
                  max_class_bytes);
    ByteReader header(data_, entry.offset);
    if (header.little4() != 0x04034b50) return fail(where, "the entry has no header");
    header.take(22);
    const unsigned name_size = header.little2(), extra_size = header.little2();
    header.take(name_size + extra_size);
    const Bytes packed = header.take(entry.packed);
    if (!header.ok()) return fail(where, "the archive ends inside the entry");
    if (entry.method == 0) return packed;
    if (entry.method != 8) return fail(where, "compressed by the unknown method {}", entry.method);
    return inflate_entry(packed, entry.size, storage, where);
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, entry] : entries_) all.push_back(name);
    return all;
  }

  const std::string& where() const override { return path_; }

private:
  Result<void> directory(std::uint64_t start, std::uint64_t count) {
    const Location where{path_};
    ByteReader in(data_, start);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (in.little4() != 0x02014b50 || !in.ok())
        return fail(where, "the archive's directory ends at entry {} of {}", i, count);
      in.take(4);
      ZipEntry entry;
      entry.flags = in.little2();
      entry.method = in.little2();
      in.take(8);
      entry.packed = in.little4();
      entry.size = in.little4();
      const unsigned name_size = in.little2(), extra_size = in.little2(), comment = in.little2();
      in.take(8);
      entry.offset = in.little4();
      const Bytes raw = in.take(name_size);
      ByteReader extra(in.take(extra_size));
      in.take(comment);
      if (!in.ok()) return fail(where, "the archive's directory ends at entry {} of {}", i, count);
      wide_sizes(extra, entry);
      add({reinterpret_cast<const char*>(raw.data()), raw.size()}, entry);
    }
    return {};
  }

  /// The zip64 extra field replaces what does not fit 32 bits.
  static void wide_sizes(ByteReader extra, ZipEntry& entry) {
    while (extra.left() >= 4) {
      const unsigned id = extra.little2(), size = extra.little2();
      ByteReader field(extra.take(size));
      if (id != 1) continue;
      if (entry.size == 0xffffffff) entry.size = field.little8();
      if (entry.packed == 0xffffffff) entry.packed = field.little8();
      if (entry.offset == 0xffffffff) entry.offset = field.little8();
    }
  }

  void add(std::string_view name, const ZipEntry& entry) {
    if (jmod_) {
      if (!name.starts_with("classes/")) return;
      name.remove_prefix(8);
    }
    if (!name.ends_with(class_suffix) || name.starts_with("META-INF/")) return;
    name.remove_suffix(class_suffix.size());
    entries_.emplace(std::string(name), entry);
  }

  static Result<Bytes> inflate_entry(Bytes packed, std::uint64_t size,
                                     std::vector<std::uint8_t>& storage, const Location& where) {
    storage.assign(size, 0);
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return fail(where, "zlib cannot be started");
    std::uint8_t spare = 0;
    stream.next_in = const_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = size > 0 ? storage.data() : &spare;
    stream.avail_out = static_cast<uInt>(size);
    const int status = inflate(&stream, Z_FINISH);
    const bool full = stream.total_out == size;
    inflateEnd(&stream);
    if (status != Z_STREAM_END || !full)
      return fail(where, "the entry is damaged, or larger than it claims");
    return Bytes(storage);
  }

  std::string path_;
  std::shared_ptr<MappedFile> file_;
  Bytes data_;
  bool jmod_ = false;
  std::map<std::string, ZipEntry> entries_;
};

} // namespace

Result<std::unique_ptr<Container>> open_archive(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return std::unexpected(file.error());
  auto made = std::make_unique<ZipContainer>(path, *file);
  if (auto opened = made->open(); !opened) return std::unexpected(opened.error());
  return made;
}

} // namespace tacit::java
