#include "src/cli/npy.hpp"

#include <gtest/gtest.h>

namespace relayout::cli {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

/// A file of version `major` with `text` as its header, the way NumPy's format document lays it out.
std::string file(int major, const std::string& text, std::size_t data_bytes) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) out += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return out + text + std::string(data_bytes, 'x');
}

std::string error_of(const std::string& content) {
  const auto header = parse_npy_header(bytes_of(content));
  return header ? "no error" : header.error().message;
}

TEST(Npy, example) {
  const std::string content = npy_header("<f4", {6, 8}) + std::string(192, 'x');
  const auto header = parse_npy_header(bytes_of(content));
  ASSERT_TRUE(header.ok()) << header.error().message;
  EXPECT_EQ(header->descr, "<f4");
  EXPECT_FALSE(header->fortran_order);
  EXPECT_EQ(header->shape, (Shape{6, 8}));
  EXPECT_EQ(header->item_bytes, 4);
  EXPECT_EQ(header->data_offset, 128u);
}

TEST(Npy, header_is_what_numpy_writes) {
  const std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (6, 8), }";
  const std::string numpy =
      std::string("\x93NUMPY\x01\x00v\x00", 10) + text + std::string(117 - text.size(), ' ') + "\n";
  EXPECT_EQ(npy_header("<f4", {6, 8}), numpy);
}

TEST(Npy, tuples_of_one_and_none_are_written_as_python_does) {
  EXPECT_NE(npy_header("|u1", {5}).find("'shape': (5,), }"), std::string::npos);
  EXPECT_NE(npy_header("|u1", {}).find("'shape': (), }"), std::string::npos);
}

TEST(Npy, headers_end_on_a_multiple_of_64_bytes) {
  for (int rank = 0; rank < 40; ++rank) {
    const std::string header = npy_header("<f4", Shape(static_cast<std::size_t>(rank), 1000));
    EXPECT_EQ(header.size() % 64, 0u) << rank;
    EXPECT_EQ(header.back(), '\n') << rank;
  }
}

TEST(Npy, versions_1_2_and_3_are_read) {
  for (const int major : {1, 2, 3}) {
    const std::string content = file(major, "{'descr': '<i2', 'fortran_order': True, 'shape': (3,), }\n", 6);
    const auto header = parse_npy_header(bytes_of(content));
    ASSERT_TRUE(header.ok()) << header.error().message;
    EXPECT_TRUE(header->fortran_order);
    EXPECT_EQ(header->shape, Shape{3});
  }
}

TEST(Npy, keys_come_in_any_order_and_spacing) {
  const std::string content = file(1, "{\"shape\":(2L,3L),'fortran_order':False , 'descr':'|u1'}", 6);
  const auto header = parse_npy_header(bytes_of(content));
  ASSERT_TRUE(header.ok()) << header.error().message;
  EXPECT_EQ(header->shape, (Shape{2, 3}));
}

TEST(Npy, item_sizes_follow_numpys_type_letters) {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"<f4", 4},     {">i2", 2}, {"|b1", 1}, {"<c16", 16},     {"|V2", 2}, {"<U5", 20},
      {"<M8[ns]", 8}, {"|S7", 7}, {"=u8", 8}, {"<m8[25us]", 8}, {"f8", 8}};
  for (const auto& [descr, bytes] : cases) {
    const auto size = npy_item_bytes(descr);
    ASSERT_TRUE(size.ok()) << descr;
    EXPECT_EQ(*size, bytes) << descr;
  }
}

TEST(Npy, types_without_a_fixed_width_are_refused) {
  for (const char* descr : {"|O", "O8", "", "<", "<f", "<f0", "<f-4", "<f4x", "<f99999999999", "<f4[ns]",
                            "<M8[']x", "<M8[']", "<M8[]", "<M8[ns", "<M8[ns]x", "<M8[n\\]"}) {
    EXPECT_FALSE(npy_item_bytes(descr).ok()) << descr;
  }
}

TEST(Npy, other_files_are_named_as_such) {
  EXPECT_EQ(error_of(""), "not a .npy file");
  EXPECT_EQ(error_of("PK\x03\x04 this is a zip archive"), "not a .npy file");
}

TEST(Npy, a_cut_off_file_is_refused) {
  const std::string whole = npy_header("<f4", {2}) + "12345678";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(parse_npy_header(bytes_of(whole.substr(0, size))).ok()) << size;
  }
}

TEST(Npy, errors_say_what_is_wrong) {
  const std::string order = "'fortran_order': False, ";
  EXPECT_NE(error_of(file(1, "{'descr': [('a', '<f4')], " + order + "'shape': (1,)}", 4)).find("structured"),
            std::string::npos);
  EXPECT_NE(error_of(file(1, "{'descr': '<f4', " + order + "'shape': (-1,)}", 4)).find("shape"),
            std::string::npos);
  EXPECT_NE(error_of(file(1, "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", 4)).find("fortran_order"),
            std::string::npos);
  EXPECT_NE(error_of(file(1, "{'descr': '<f4', 'shape': (1,)}", 4)).find("expected descr"),
            std::string::npos);
  EXPECT_NE(error_of(file(9, "{}", 0)).find("version 9"), std::string::npos);
}

TEST(Npy, a_key_that_is_there_twice_does_not_stand_for_another) {
  EXPECT_NE(error_of(file(1, "{'descr': '<f4', 'shape': (1,), 'shape': (1,)}", 4)).find("'shape' twice"),
            std::string::npos);
  EXPECT_NE(error_of(file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (9,), 'shape': (1,)}", 4))
                .find("'shape' twice"),
            std::string::npos);
}

TEST(Npy, a_shape_past_64_bits_is_refused) {
  const std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }";
  EXPECT_NE(error_of(file(1, text, 8)).find("64 bits"), std::string::npos);
}

}  // namespace
}  // namespace relayout::cli
