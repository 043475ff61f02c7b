// How people ask for what library objects are made of. Names that begin with `_M_` or `__` are the
// library's own: nobody who uses it has written them.
#pragma once

#include <string>
#include <string_view>

namespace tacit {

/// `user_._M_payload._M_engaged` is `user_.has_value()`, `state_._M_payload._M_payload._M_value` is
/// `*state_`, `motor_._M_t._M_t._M_head_impl` is `motor_`.
std::string shown_path(std::string_view path);

/// A fact that a contract keeps about an object: `items_.size` is `items_.size()`, `keys_.has`
/// is `keys_.contains`, and what a text says is the text.
std::string shown_fact(std::string_view object, std::string_view fact);

} // namespace tacit
