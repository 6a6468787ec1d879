// JSON as text; see the header.
#include "document/json_writer.hpp"

#include <algorithm>

#include "document/json.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53;

bool needs_no_escape(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

}  // namespace

void append_json(std::string& out, std::string_view text) {
  if (std::ranges::all_of(text, needs_no_escape)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += Json(text).dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
  }
}

void append_json(std::string& out, std::uint64_t number) {
  const char* quote = number > kMaxExact ? "\"" : "";
  out += concat(quote, number, quote);
}

void JsonWriter::flags(const char* key, std::uint32_t flags,
                       std::span<const BufferUsageName> names) {
  std::vector<std::string> given;
  for (const auto& [flag, name] : names) {
    if ((flags & flag) != 0) given.emplace_back(name);
  }
  texts(key, given);
}

std::string& JsonWriter::begin(std::string_view key) {
  if (!std::exchange(is_first_, false)) out_ += ',';
  append_json(out_, key);
  out_ += ':';
  return out_;
}

std::string begin_document(std::string_view format, std::uint64_t version) {
  return concat("{\n  \"", format, "\": ", version);
}

std::string& begin_member(std::string& out, std::string_view key) {
  out += ",\n  ";
  append_json(out, key);
  out += ": ";
  return out;
}

}  // namespace wgprim
