// The JDK's module image, `lib/modules`: a header, a perfect hash table of locations, and
// resources. Packages name their modules through the resources below /packages; we list all
// locations once instead and keep the class names, which also serves wildcards and near names.

#include "frontend/java/archive.h"

namespace tacit::java {

namespace {

struct Place {
  std::uint64_t offset = 0, packed = 0, size = 0;
};

class ImageContainer : public Container {
public:
  ImageContainer(std::string path, std::shared_ptr<MappedFile> file)
      : path_(std::move(path)), file_(std::move(file)) {}

  Result<void> open() {
    const Bytes data = file_->bytes();
    const Location where{path_};
    ByteReader in(data);
    if (in.little4() != 0xcafedada) return fail(where, "not a module image of a little-endian JDK");
    const std::uint32_t version = in.little4();
    if (version != 0x00010000) return fail(where, "module image version {:#x} is unknown", version);
    in.little4(); // flags
    in.little4(); // number of resources
    const std::uint64_t length = in.little4(), locations = in.little4(), strings = in.little4();
    const std::uint64_t offsets_at = 28 + length * 4, locations_at = offsets_at + length * 4,
                        strings_at = locations_at + locations;
    resources_at_ = strings_at + strings;
    if (!in.ok() || resources_at_ > data.size())
      return fail(where, "the module image is cut short");
    const Bytes location_part = data.subspan(locations_at, locations),
                string_part = data.subspan(strings_at, strings);
    ByteReader offsets(data, offsets_at);
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::uint32_t offset = offsets.little4();
      if (offset >= locations) return fail(where, "the module image is damaged");
      add(location_part, string_part, offset);
    }
    return {};
  }

  bool has(const std::string& name) const override { return places_.contains(name); }

  Result<Bytes> read(const std::string& name, std::vector<std::uint8_t>&) const override {
    const Place& place = places_.at(name);
    const Location where{path_ + "!" + name + ".class"};
    if (place.packed != 0)
      return fail(where, "the module image is compressed, which is not understood");
    ByteReader in(file_->bytes(), resources_at_);
    in.take(place.offset);
    const Bytes found = in.take(place.size);
    if (!in.ok() || place.size > max_class_bytes) return fail(where, "the module image is damaged");
    return found;
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, place] : places_) all.push_back(name);
    return all;
  }

  const std::string& where() const override { return path_; }

private:
  static std::string_view string_at(Bytes strings, std::uint64_t offset) {
    std::size_t end = offset;
    while (end < strings.size() && strings[end] != 0) ++end;
    if (offset >= strings.size()) return {};
    return {reinterpret_cast<const char*>(strings.data()) + offset, end - offset};
  }

  /// A location is a list of (kind and length, big-endian value), ended by kind 0.
  void add(Bytes locations, Bytes strings, std::uint32_t offset) {
    std::uint64_t value[8] = {};
    ByteReader in(locations, offset);
    while (in.ok()) {
      const unsigned head = in.u1(), kind = head >> 3, size = (head & 7) + 1;
      if (kind == 0) break;
      std::uint64_t number = 0;
      for (unsigned i = 0; i < size; ++i) number = number << 8 | in.u1();
      if (kind < 8) value[kind] = number;
    }
    if (string_at(strings, value[4]) != "class") return;
    const std::string_view module = string_at(strings, value[1]),
                           parent = string_at(strings, value[2]),
                           base = string_at(strings, value[3]);
    if (module.empty() || module == "modules" || module == "packages" || base == "module-info")
      return;
    std::string name(parent);
    if (!name.empty()) name += '/';
    name += base;
    places_.emplace(std::move(name), Place{value[5], value[6], value[7]});
  }

  std::string path_;
  std::shared_ptr<MappedFile> file_;
  std::uint64_t resources_at_ = 0;
  std::map<std::string, Place> places_;
};

} // namespace

Result<std::unique_ptr<Container>> open_image(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return std::unexpected(file.error());
  auto made = std::make_unique<ImageContainer>(path, *file);
  if (auto opened = made->open(); !opened) return std::unexpected(opened.error());
  return made;
}

} // namespace tacit::java
