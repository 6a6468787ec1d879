// Texts as files hold them; see the header.
#include "io/text_file.hpp"

#include "io/contents.hpp"

namespace wgprim::io {

Result<std::string> read_text(const std::string& path) {
  const auto contents = load(path, subject_of(path), {kMostTextBytes, kMostTextBytes});
  if (!contents) return pass_on(contents);
  const auto bytes = contents->bytes;
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace wgprim::io
