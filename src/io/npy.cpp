// Layout of a .npy file: magic, version (2 bytes), length of the dictionary (2 bytes little-endian
// in version 1.0, else 4), the dictionary as text, the data.
#include "io/npy.hpp"

#include <charconv>
#include <limits>
#include <vector>

#include "io/npy_dictionary.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = kMagic.size() + 2;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::unexpected<Error> refuse(std::string_view subject, std::string_view predicate) {
  return fail(ErrorCode::invalid_file, concat(subject, " ", predicate, "."));
}

std::unexpected<Error> refuse_truncated(std::string_view subject) {
  return refuse(subject, "is truncated: it ends within its .npy header");
}

// The place of the dictionary within the file.
struct Extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Result<Extent> find_dictionary(std::span<const std::byte> file, std::string_view subject) {
  if (file.size() < kVersionEnd) return refuse_truncated(subject);
  const auto major = std::to_integer<unsigned>(file[kMagic.size()]);
  const auto minor = std::to_integer<unsigned>(file[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    return refuse(subject, concat("has .npy version ", major, ".", minor,
                                  "; versions 1.0, 2.0 and 3.0 are read"));
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t begin = kVersionEnd + length_bytes;
  if (file.size() < begin) return refuse_truncated(subject);
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= std::to_integer<std::size_t>(file[kVersionEnd + i]) << (8 * i);
  }
  if (length > file.size() - begin) return refuse_truncated(subject);
  return Extent{begin, begin + length};
}

// What kinds of elements that are no plain number are called in an error.
std::string_view kind_name(char kind) {
  switch (kind) {
    case 'c': return "complex numbers";
    case 'S':
    case 'a':
    case 'U': return "strings";
    case 'O': return "Python objects";
    case 'M': return "dates";
    case 'm': return "time differences";
    case 'V': return "structures or opaque bytes";
    default: return "elements of an unsupported type";
  }
}

// A type string taken apart: "<u4" is {'<', 'u', 4}. No size (dates have units instead) is 0.
struct TypeString {
  char order = '=';
  char kind = ' ';
  std::size_t bytes = 0;
};

TypeString take_apart(std::string_view descr) {
  TypeString type;
  if (std::string_view("<>=|").contains(descr.front())) {
    type.order = descr.front();
    descr.remove_prefix(1);
  }
  if (descr.empty()) return type;
  type.kind = descr.front();
  const char* const end = descr.data() + descr.size();
  const auto parsed = std::from_chars(descr.data() + 1, end, type.bytes);
  if (parsed.ec != std::errc() || parsed.ptr != end) type.bytes = 0;
  return type;
}

using DataTypes = std::span<const DataType>;

Result<DataType> parse_descr(std::string_view descr, DataTypes accepted, std::string_view subject) {
  const auto refuse_elements = [&](ErrorCode code, std::string_view elements) {
    return fail(code, concat(subject, " holds ", elements, "; ", describe_accepted(accepted), "."));
  };
  if (descr.empty()) return refuse_elements(ErrorCode::invalid_file, "structured elements");
  const TypeString type = take_apart(descr);
  const auto dtype = data_type_from_kind(type.kind, type.bytes);
  if (!dtype) {
    const auto elements = concat(kind_name(type.kind), " ('", descr, "')");
    return refuse_elements(ErrorCode::invalid_file, elements);
  }
  if (type.order == '>' && type.bytes > 1) {
    return refuse_elements(ErrorCode::invalid_file, concat("big-endian elements ('", descr, "')"));
  }
  if (!is_among(accepted, *dtype)) {
    return refuse_elements(ErrorCode::unsupported, concat(to_string(*dtype), " elements"));
  }
  return *dtype;
}

std::string shape_text(const std::vector<std::string_view>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += concat(i > 0 ? ", " : "", shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// The number of elements: 1 for no dimension. Error: what is wrong with the shape.
Result<std::uint64_t> parse_elements(const NpyDictionary& dictionary, DataType dtype,
                                     std::string_view subject) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / item_bytes(dtype);
  std::uint64_t elements = 1;
  bool is_countable = true;
  for (const std::string_view length : dictionary.shape) {
    if (length.starts_with('-')) {
      return refuse(subject, concat("has a negative length, shape ", shape_text(dictionary.shape)));
    }
    std::uint64_t count = 0;
    const auto parsed = std::from_chars(length.data(), length.data() + length.size(), count);
    is_countable &= parsed.ec == std::errc() && (count == 0 || elements <= most / count);
    elements *= count;
  }
  if (is_countable) return elements;
  return refuse(subject, concat("has shape ", shape_text(dictionary.shape), " of ",
                                to_string(dtype), ", more bytes than 64 bits can count"));
}

Result<std::uint64_t> parse_rows(const NpyDictionary& dictionary, DataType dtype,
                                 DataTypes accepted, std::string_view subject) {
  if (dictionary.shape.size() != 1) {
    const std::string_view order =
        dictionary.is_fortran_order ? " array in Fortran order" : " array";
    return refuse(subject, concat("is a ", dictionary.shape.size(), "-D", order, " of shape ",
                                  shape_text(dictionary.shape), "; ", describe_accepted(accepted)));
  }
  return parse_elements(dictionary, dtype, subject);
}

/// The dictionary of a header, and where the data begin.
struct HeaderText {
  NpyDictionary dictionary;
  std::uint64_t data_offset = 0;
};

Result<HeaderText> parse_header_text(std::span<const std::byte> file, std::string_view subject) {
  const auto extent = find_dictionary(file, subject);
  if (!extent) return pass_on(extent);
  const auto text = as_text(file).substr(extent->begin, extent->end - extent->begin);
  auto dictionary = parse_npy_dictionary(text);
  if (dictionary) return HeaderText{std::move(*dictionary), extent->end};
  return refuse(subject, concat("has a .npy header that is no dictionary of 'descr', "
                                "'fortran_order' and 'shape' alone, from character ",
                                dictionary.error(), " of ", text.size(), " on"));
}

}  // namespace

bool has_npy_magic(std::span<const std::byte> file) { return as_text(file).starts_with(kMagic); }

Result<NpyHeader> parse_npy_header(std::span<const std::byte> file, std::string_view subject,
                                   std::span<const DataType> accepted) {
  const auto header = parse_header_text(file, subject);
  if (!header) return pass_on(header);
  const auto dtype = parse_descr(header->dictionary.descr, accepted, subject);
  if (!dtype) return pass_on(dtype);
  const auto rows = parse_rows(header->dictionary, *dtype, accepted, subject);
  if (!rows) return pass_on(rows);
  return NpyHeader{*dtype, *rows, header->data_offset};
}

Result<NpyPayload> parse_npy_payload(std::span<const std::byte> file, std::string_view subject) {
  const auto header = parse_header_text(file, subject);
  if (!header) return pass_on(header);
  const NpyDictionary& dictionary = header->dictionary;
  const auto dtype = parse_descr(dictionary.descr, kAllDataTypes, subject);
  if (!dtype) return pass_on(dtype);
  if (dictionary.is_fortran_order && dictionary.shape.size() > 1) {
    return refuse(subject, concat("is in Fortran order, shape ", shape_text(dictionary.shape),
                                  "; arrays in C order are accepted"));
  }
  const auto elements = parse_elements(dictionary, *dtype, subject);
  if (!elements) return pass_on(elements);
  return NpyPayload{header->data_offset, *elements * item_bytes(*dtype)};
}

std::string make_npy_header(DataType dtype, std::uint64_t rows, std::uint64_t columns) {
  // NumPy leaves room for a length of 21 digits, then pads to a multiple of 64 bytes, and for 1-D
  // arrays of these types, and 2-D ones of a few columns, always arrives at 128.
  constexpr std::size_t kHeaderBytes = 128;
  constexpr std::size_t kPrefixBytes = kVersionEnd + 2;
  constexpr char kDictionaryBytes = kHeaderBytes - kPrefixBytes;

  std::string header(kMagic);
  header += {'\x01', '\x00', kDictionaryBytes, '\x00'};
  header += concat("{'descr': '", npy_descr(dtype), "', 'fortran_order': False, 'shape': (", rows,
                   ",", columns == 1 ? "" : concat(" ", columns), "), }");
  header.resize(kHeaderBytes - 1, ' ');
  return header + '\n';
}

}  // namespace wgprim::io
