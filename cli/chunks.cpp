// Lists of row counts; see the header.
#include "chunks.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "io/text_file.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::cli {
namespace {

using Chunks = std::vector<std::uint64_t>;

constexpr std::string_view kBetween = ", \t\r\n";

std::unexpected<Error> refuse(std::string sentence) {
  return fail(ErrorCode::invalid_argument, std::move(sentence));
}

/// "1,2,3". Errors: anything else, an empty list included.
Result<Chunks> parse_list(const char* option, std::string_view text) {
  Chunks chunks;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = text.find(',');
    is_last = comma == std::string_view::npos;
    const auto rows = parse_number<std::uint64_t>(text.substr(0, comma));
    if (!rows) {
      return refuse(fmt::format("{}: '{}' is no number of rows.", option, text.substr(0, comma)));
    }
    chunks.push_back(*rows);
    if (!is_last) text.remove_prefix(comma + 1);
  }
  return chunks;
}

/// The list in a file, whose numbers may also stand apart by white space.
Result<Chunks> read_list(const char* option, const std::string& path) {
  auto text = io::read_text(path);
  if (!text) return pass_on(text);
  std::string list;
  for (std::size_t at = text->find_first_not_of(kBetween); at != std::string::npos;) {
    const std::size_t end = std::min(text->find_first_of(kBetween, at), text->size());
    if (!list.empty()) list += ',';
    list.append(*text, at, end - at);
    at = text->find_first_not_of(kBetween, end);
  }
  return parse_list(option, list);
}

Result<void> take(const char* option, const std::optional<std::string>& words, std::uint64_t rows,
                  Chunks& chunks) {
  if (!words) return {};
  auto list =
      words->starts_with('@') ? read_list(option, words->substr(1)) : parse_list(option, *words);
  if (!list) return pass_on(list);
  std::uint64_t sum = 0;
  for (const std::uint64_t chunk : *list) {
    if (chunk > kMaxRows) {
      return refuse(fmt::format("{}: A chunk of {} rows is above the {} that one operation takes.",
                                option, chunk, kMaxRows));
    }
    sum += chunk;
  }
  if (sum != rows) {
    return refuse(fmt::format("The chunks of {} add up to {} rows, but the input has {}.", option,
                              sum, rows));
  }
  chunks = std::move(*list);
  return {};
}

}  // namespace

Result<void> ChunkChoices::apply_to(ScanOptions& options, std::uint64_t rows) const {
  if (flags && !options.is_segmented) {
    return refuse("--chunks-flags splits the flags of --segments, which is not given.");
  }
  if (auto ok = take("--chunks", all, rows, options.input.chunks); !ok) return ok;
  options.output.chunks = options.input.chunks;
  if (options.is_segmented) options.flags.chunks = options.input.chunks;
  if (auto ok = take("--chunks-out", output, rows, options.output.chunks); !ok) return ok;
  if (auto ok = take("--chunks-flags", flags, rows, options.flags.chunks); !ok) return ok;
  if (!options.is_in_place || options.output.chunks == options.input.chunks) return {};
  return refuse(
      "--chunks-out differs from --chunks, but with --in-place the output has the input's chunks.");
}

void add_chunks(CLI::App& verb, ChunkChoices& choices) {
  verb.add_option("--chunks", choices.all,
                  "Rows of each chunk of input, flags and output, which become device buffers of "
                  "their own (above 1,024 chunks share buffers); @FILE reads the list from a file")
      ->type_name("R,R,...");
  verb.add_option("--chunks-flags", choices.flags, "Other chunks for the flags")
      ->type_name("R,R,...");
  verb.add_option("--chunks-out", choices.output, "Other chunks for the output")
      ->type_name("R,R,...");
}

}  // namespace wgprim::cli
