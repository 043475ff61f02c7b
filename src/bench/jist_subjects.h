// The subjects of JIST as text, put into the program by the build from examples/.
#pragma once

#include <string_view>

namespace tacit {

extern const std::string_view jist_signature, jist_signature_seeded, jist_server_table_entry,
    jist_list_iterator, jist_piped_output_stream;

} // namespace tacit
