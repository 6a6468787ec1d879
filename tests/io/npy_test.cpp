// The .npy header, without files: what NumPy writes, what it reads, and each refusal's sentence.
#include "io/npy.hpp"

#include <gtest/gtest.h>

#include <string>

namespace wgprim::io {
namespace {

using namespace std::string_literals;

// A header of the given version around any dictionary text.
std::string npy_header(const std::string& dictionary, char version = 1) {
  std::string header = "\x93NUMPY"s + version + '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2u : 4u); ++i) {
    header += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
  }
  return header + dictionary;
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

Result<NpyHeader> parse(const std::string& file) {
  return parse_npy_header(std::as_bytes(std::span(file)), "Input 'a.npy'");
}

std::string refusal(const std::string& file) {
  const auto header = parse(file);
  if (header) return "accepted";
  EXPECT_EQ(header.error().code, ErrorCode::invalid_file);
  return header.error().message;
}

constexpr const char* kAccepted =
    "; 1-D little-endian arrays of bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, "
    "float16, float32 or float64 are accepted.";

TEST(NpyHeaderTest, writes_the_bytes_that_numpy_writes) {
  const std::string padding(128 - 10 - 59 - 1, ' ');
  EXPECT_EQ(make_npy_header(DataType::uint32, 5),
            "\x93NUMPY\x01\0v\0"s + "{'descr': '<u4', 'fortran_order': False, 'shape': (5,), }" +
                "  " + padding + "\n");
  EXPECT_EQ(make_npy_header(DataType::boolean, 1u << 26).substr(10, 65),
            "{'descr': '|b1', 'fortran_order': False, 'shape': (67108864,), } ");
  EXPECT_EQ(make_npy_header(DataType::float64, UINT64_MAX).size(), 128u);
}

TEST(NpyHeaderTest, reads_what_it_writes) {
  for (const char* name : {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
                           "uint64", "float16", "float32", "float64"}) {
    const auto dtype = data_type_from_name(name);
    ASSERT_TRUE(dtype) << name;
    EXPECT_STREQ(to_string(*dtype), name);
    const auto header = parse(make_npy_header(*dtype, 1000));
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_EQ(header->dtype, *dtype);
    EXPECT_EQ(header->rows, 1000u);
    EXPECT_EQ(header->data_offset, 128u);
  }
  EXPECT_FALSE(data_type_from_name("complex64"));
}

TEST(NpyHeaderTest, reads_every_version_and_any_spelling) {
  for (const char version : {'\1', '\2', '\3'}) {
    const auto header = parse(npy_header(dictionary("'<u4'", "(7,)"), version));
    ASSERT_TRUE(header) << header.error().message;
    EXPECT_EQ(header->rows, 7u);
  }
  for (const char* text : {
           "{'shape':(7,),'fortran_order':False,'descr':'<u4'}",
           "  {\"shape\" : ( 7 , ) ,\n \"descr\" : \"<u4\" , \"fortran_order\" : True }  \n",
           "{'descr': '=u4', 'fortran_order': False, 'shape': (7L,)}",
           "{'descr': 'u4', 'fortran_order': False, 'shape': (007,), }\n",
       }) {
    const auto header = parse(npy_header(text));
    ASSERT_TRUE(header) << text << header.error().message;
    EXPECT_EQ(header->dtype, DataType::uint32);
    EXPECT_EQ(header->rows, 7u);
  }
}

TEST(NpyHeaderTest, reads_single_bytes_of_either_order) {
  EXPECT_TRUE(parse(npy_header(dictionary("'>u1'", "(7,)"))));
  EXPECT_TRUE(parse(npy_header(dictionary("'|i1'", "(0,)"))));
}

TEST(NpyHeaderTest, refuses_truncated_headers) {
  const std::string whole = make_npy_header(DataType::uint32, 5);
  for (std::size_t length = 6; length < whole.size(); ++length) {
    EXPECT_EQ(refusal(whole.substr(0, length)),
              "Input 'a.npy' is truncated: it ends within its .npy header.");
  }
  EXPECT_EQ(refusal("\x93NUMPY\x02\0\xff\xff\xff\xff{}"s),
            "Input 'a.npy' is truncated: it ends within its .npy header.");
}

TEST(NpyHeaderTest, refuses_other_versions) {
  EXPECT_EQ(refusal("\x93NUMPY\x04\x01\0\0"s),
            "Input 'a.npy' has .npy version 4.1; versions 1.0, 2.0 and 3.0 are read.");
  EXPECT_EQ(refusal("\x93NUMPY\x01\x01\0\0"s),
            "Input 'a.npy' has .npy version 1.1; versions 1.0, 2.0 and 3.0 are read.");
}

TEST(NpyHeaderTest, refuses_malformed_dictionaries) {
  EXPECT_EQ(refusal(npy_header("{'descr': '<u4', 'shape': (7,), 'colour': 1}")),
            "Input 'a.npy' has a .npy header that is no dictionary of 'descr', 'fortran_order' and "
            "'shape' alone, from character 32 of 44 on.");
  for (const char* text : {
           "",
           " ",
           "{",
           "}",
           "{}",
           "[]",
           "{'descr'}",
           "{'descr': '<u4",
           "{'descr': ''}",
           "{'descr': '<u4', 'fortran_order': False}",
           "{'descr': '<u4', 'fortran_order': 0, 'shape': (7,)}",
           "{'descr': '<u4', 'fortran_order': False, 'shape': 7}",
           "{'descr': '<u4', 'fortran_order': False, 'shape': (7)}",
           "{'descr': '<u4', 'fortran_order': False, 'shape': (,)}",
           "{'descr': '<u4', 'fortran_order': False, 'shape': (7,,)}",
           "{'descr': '<u4', 'fortran_order': False, 'shape': (7 8)}",
           "{'descr': '<u4', 'fortran_order': False, 'shape': (-,)}",
           "{'descr': '<u4', 'fortran_order': False, 'shape': (7.0,)}",
           "{'descr': '<u4', 'fortran_order': False, 'shape': (7,)",
           "{'descr': '<u4', 'fortran_order': False, 'shape': (7,)} x",
           "{'descr': '<u4' 'fortran_order': False, 'shape': (7,)}",
           "{'descr': '<u4', , 'fortran_order': False, 'shape': (7,)}",
       }) {
    EXPECT_NE(refusal(npy_header(text)).find("is no dictionary of"), std::string::npos) << text;
  }
  std::string endless = "(";
  for (int i = 0; i < 65; ++i)
    endless += "1,";
  EXPECT_NE(refusal(npy_header(dictionary("'<u4'", endless + ")"))).find("is no dictionary of"),
            std::string::npos);
}

TEST(NpyHeaderTest, refuses_other_elements_and_says_what_is_accepted) {
  const auto refusal_of = [](const std::string& descr) {
    return refusal(npy_header(dictionary(descr, "(7,)")));
  };
  const std::string holds = "Input 'a.npy' holds ";
  EXPECT_EQ(refusal_of("'>u4'"), holds + "big-endian elements ('>u4')" + kAccepted);
  EXPECT_EQ(refusal_of("'<c8'"), holds + "complex numbers ('<c8')" + kAccepted);
  EXPECT_EQ(refusal_of("'<U5'"), holds + "strings ('<U5')" + kAccepted);
  EXPECT_EQ(refusal_of("'|S5'"), holds + "strings ('|S5')" + kAccepted);
  EXPECT_EQ(refusal_of("'|O'"), holds + "Python objects ('|O')" + kAccepted);
  EXPECT_EQ(refusal_of("'<M8[ns]'"), holds + "dates ('<M8[ns]')" + kAccepted);
  EXPECT_EQ(refusal_of("'<m8[s]'"), holds + "time differences ('<m8[s]')" + kAccepted);
  EXPECT_EQ(refusal_of("'|V2'"), holds + "structures or opaque bytes ('|V2')" + kAccepted);
  EXPECT_EQ(refusal_of("[('x', '<f4'), ('y', '<f4')]"), holds + "structured elements" + kAccepted);
  EXPECT_EQ(refusal_of("('<f4', (2,))"), holds + "structured elements" + kAccepted);
  for (const char* descr :
       {"'<f16'", "'<u3'", "'u'", "'<'", "'uint32'", "'<u99999999999999999999'"}) {
    EXPECT_NE(refusal_of(descr).find("elements of an unsupported type ("), std::string::npos);
  }
}

TEST(NpyHeaderTest, refuses_types_that_the_caller_does_not_accept) {
  const std::string file = make_npy_header(DataType::float64, 7);
  const auto header = parse_npy_header(std::as_bytes(std::span(file)), "Input 'a.npy'",
                                       std::array{DataType::uint32, DataType::int32});
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, ErrorCode::unsupported);
  EXPECT_EQ(header.error().message,
            "Input 'a.npy' holds float64 elements; 1-D little-endian arrays of uint32 or int32 are "
            "accepted.");
}

TEST(NpyHeaderTest, refuses_other_shapes) {
  const auto refusal_of = [](const std::string& shape, const std::string& order = "False") {
    return refusal(npy_header(dictionary("'<u4'", shape, order)));
  };
  EXPECT_EQ(refusal_of("(3, 4)"), "Input 'a.npy' is a 2-D array of shape (3, 4)"s + kAccepted);
  EXPECT_EQ(refusal_of("(3,4,)", "True"),
            "Input 'a.npy' is a 2-D array in Fortran order of shape (3, 4)"s + kAccepted);
  EXPECT_EQ(refusal_of("()"), "Input 'a.npy' is a 0-D array of shape ()"s + kAccepted);
  EXPECT_EQ(refusal_of("(-5,)"), "Input 'a.npy' has a negative length, shape (-5,).");
  EXPECT_EQ(refusal_of("(99999999999999999999999,)"),
            "Input 'a.npy' has shape (99999999999999999999999,) of uint32, more bytes than 64 bits "
            "can count.");
  EXPECT_EQ(refusal_of("(4611686018427387904,)"),
            "Input 'a.npy' has shape (4611686018427387904,) of uint32, more bytes than 64 bits can "
            "count.");
  EXPECT_EQ(refusal_of("(4611686018427387903,)"), "accepted");
}

TEST(NpyHeaderTest, writes_the_bytes_that_numpy_writes_for_records) {
  const std::string padding(128 - 10 - 59 - 1, ' ');
  EXPECT_EQ(make_npy_header(DataType::uint32, 5, 3),
            "\x93NUMPY\x01\0v\0"s + "{'descr': '<u4', 'fortran_order': False, 'shape': (5, 3), }" +
                padding + "\n");
}

TEST(NpyPayloadTest, takes_every_shape_in_c_order) {
  const auto bytes_of_shape = [](const std::string& shape, const std::string& descr = "'<u4'",
                                 const std::string& order = "False") {
    const std::string file = npy_header(dictionary(descr, shape, order));
    const auto payload = parse_npy_payload(std::as_bytes(std::span(file)), "Input 'a.npy'");
    EXPECT_TRUE(payload) << payload.error().message;
    EXPECT_EQ(payload->data_offset, file.size());
    return payload->bytes;
  };
  EXPECT_EQ(bytes_of_shape("(5,)"), 20u);
  EXPECT_EQ(bytes_of_shape("(5, 3)"), 60u);
  EXPECT_EQ(bytes_of_shape("(5, 3, 2)", "'<u8'"), 240u);
  EXPECT_EQ(bytes_of_shape("()", "'<f4'"), 4u);
  EXPECT_EQ(bytes_of_shape("(5, 0, 99999999999)"), 0u);
  EXPECT_EQ(bytes_of_shape("(7,)", "'|b1'", "True"), 7u);
}

TEST(NpyPayloadTest, refuses_other_orders_and_sizes) {
  const auto refusal_of = [](const std::string& shape, const std::string& descr = "'<u4'",
                             const std::string& order = "False") {
    const std::string file = npy_header(dictionary(descr, shape, order));
    const auto payload = parse_npy_payload(std::as_bytes(std::span(file)), "Input 'a.npy'");
    return payload ? "accepted" : payload.error().message;
  };
  EXPECT_EQ(refusal_of("(5, 3)", "'<u4'", "True"),
            "Input 'a.npy' is in Fortran order, shape (5, 3); arrays in C order are accepted.");
  EXPECT_EQ(refusal_of("(5, -3)"), "Input 'a.npy' has a negative length, shape (5, -3).");
  EXPECT_EQ(refusal_of("(4294967296, 4294967296)"),
            "Input 'a.npy' has shape (4294967296, 4294967296) of uint32, more bytes than 64 bits "
            "can count.");
  EXPECT_EQ(refusal_of("(5,)", "'>u4'"),
            "Input 'a.npy' holds big-endian elements ('>u4')"s + kAccepted);
  EXPECT_EQ(refusal_of("(5,)", "'<c8'"),
            "Input 'a.npy' holds complex numbers ('<c8')"s + kAccepted);
}

}  // namespace
}  // namespace wgprim::io
