#include "frontend/java/lambda_harm.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "frontend/java/instructions.h"

namespace tacit::java {

namespace {

enum : std::uint8_t {
  get_static = 178,
  put_static = 179,
  get_field = 180,
  put_field = 181,
  invoke_virtual = 182,
  invoke_interface = 185,
  invoke_dynamic = 186
};

std::string nest_of(const std::string& name) { return name.substr(0, name.find('$')); }

/// Goes through all code of the nest that a lambda expression can get to by name.
class Search {
public:
  Search(ClassPool& pool, const std::function<bool(const JavaType&)>& touches)
      : pool_(pool), touches_(touches) {}

  void add(const ClassFile& file, const ClassFile::DynamicRef& site) {
    const auto signature = parse_signature(site.descriptor);
    if (!signature || !site.bootstrap) {
      everything_ = true;
      return;
    }
    captured_ |= std::ranges::any_of(signature->parameters, touches_);
    for (const std::uint16_t argument : site.bootstrap->arguments)
      if (argument < file.pool.size() && file.pool[argument].tag == ConstantTag::MethodHandle)
        if (const auto target = file.member_at(file.pool[argument].second))
          follow(nest_of(file.name), *target);
  }

  LambdaHarm run() {
    while (!work_.empty() && !everything_) {
      const auto [owner, name, descriptor] = work_.back();
      work_.pop_back();
      look_at(owner, name, descriptor);
    }
    if (everything_) return LambdaHarm::Everything;
    return captured_ ? LambdaHarm::Captured : LambdaHarm::None;
  }

private:
  using Place = std::tuple<std::string, std::string, std::string>;

  void follow(const std::string& nest, const MemberRef& target) {
    if (nest_of(target.owner) != nest) return;
    const Place place{target.owner, target.name, target.descriptor};
    if (seen_.insert(place).second) work_.push_back(place);
  }

  void look_at(const std::string& owner, const std::string& name, const std::string& descriptor) {
    const auto found = pool_.find_method(owner, name, descriptor);
    if (!found.method || !found.method->code) return;
    const auto graph = decode(*found.method->code, found.owner->name);
    if (!graph) {
      everything_ = true;
      return;
    }
    for (const Instruction& i : graph->instructions) instruction(*found.owner, i);
  }

  void instruction(const ClassFile& file, const Instruction& i) {
    const auto operand = static_cast<unsigned>(i.operand);
    if (i.op == put_static || i.op == put_field) {
      everything_ = true;
    } else if (i.op == get_static || i.op == get_field) {
      const auto field = file.member_at(operand);
      const auto type = field ? parse_type(field->descriptor) : std::nullopt;
      everything_ |= !type || touches_(*type);
    } else if (i.op >= invoke_virtual && i.op <= invoke_interface) {
      if (const auto target = file.member_at(operand)) follow(nest_of(file.name), *target);
    } else if (i.op == invoke_dynamic) {
      if (const auto site = file.dynamic_at(operand)) add(file, *site);
    }
  }

  ClassPool& pool_;
  const std::function<bool(const JavaType&)>& touches_;
  std::set<Place> seen_;
  std::vector<Place> work_;
  bool captured_ = false, everything_ = false;
};

} // namespace

LambdaHarm lambda_harm(ClassPool& pool, const ClassFile& file, const ClassFile::DynamicRef& site,
                       const std::function<bool(const JavaType&)>& touches) {
  Search search(pool, touches);
  search.add(file, site);
  return search.run();
}

} // namespace tacit::java
