#include "src/cli/conversion.hpp"

#include "src/cli/npy.hpp"
#include "tests/cli/temporary_folder.hpp"

namespace relayout::cli {
namespace {

class Conversion : public TemporaryFolder {
 protected:
  /// Converts `in` to `out`.
  Status convert(const char* source_spec, const char* destination_spec,
                 std::optional<std::string> fill = {}) const {
    const auto source = Layout::parse(source_spec);
    if (!source) return source.error();
    const auto destination = Layout::parse_destination(destination_spec, *source);
    if (!destination) return destination.error();
    const auto report = convert_file({path("in"), path("out"), *source, *destination, {}, std::move(fill)});
    return report ? Status() : Status(report.error());
  }
  void write_array(const char* descr, const Shape& shape, const std::string& payload) const {
    write("in", npy_header(descr, shape) + payload);
  }
  std::string error_of(const char* source_spec, const char* destination_spec) const {
    const Status status = convert(source_spec, destination_spec);
    return status ? "no error" : status.error().message;
  }
};

/// What NumPy would write.
std::string npy(const char* descr, const Shape& shape, const std::string& payload) {
  return npy_header(descr, shape) + payload;
}

const std::string kNibbles("\x01\x02\x03\x04\x05\x06\x07\x00", 8);
const std::string kPackedNibbles("\x21\x43\x65\x07", 4);
const std::string kSpaced("a\0b\0c\0d\0", 8);

TEST_F(Conversion, example) {
  write_array("<i2", {2, 3}, "a.b.c.d.e.f.");
  ASSERT_TRUE(convert("s16[2,3]", "[1, 0]").ok());
  EXPECT_EQ(read("out"), npy("<i2", {3, 2}, "a.d.b.e.c.f."));
}

TEST_F(Conversion, packed_elements_are_written_as_one_dimension_of_whole_items) {
  write_array("|i1", {2, 4}, kNibbles);
  ASSERT_TRUE(convert("s4[2,4]", "{1,0:E(4)}").ok());
  EXPECT_EQ(read("out"), npy("|i1", {4}, kPackedNibbles));
}

TEST_F(Conversion, packed_elements_are_read_from_one_dimension_of_whole_items) {
  write_array("|i1", {4}, kPackedNibbles);
  ASSERT_TRUE(convert("s4[2,4]{1,0:E(4)}", "s4[2,4]").ok());
  EXPECT_EQ(read("out"), npy("|i1", {2, 4}, kNibbles));
}

TEST_F(Conversion, spaced_elements_are_written_as_one_dimension_of_whole_items) {
  write_array("|u1", {4}, "abcd");
  ASSERT_TRUE(convert("u8[4]", "{0:E(16)}").ok());
  EXPECT_EQ(read("out"), npy("|u1", {8}, kSpaced));
}

TEST_F(Conversion, spaced_elements_are_read_from_one_dimension_of_whole_items) {
  write_array("|u1", {8}, kSpaced);
  ASSERT_TRUE(convert("u8[4]{0:E(16)}", "u8[4]").ok());
  EXPECT_EQ(read("out"), npy("|u1", {4}, "abcd"));
}

TEST_F(Conversion, a_file_of_fewer_bytes_than_the_layout_is_refused_with_both_sizes) {
  write_array("|u1", {64}, std::string(64, 'x'));
  for (const char* spec : {"u8[64]{0:E(16)}", "u8[64]{0:T(128)}"}) {
    EXPECT_EQ(error_of(spec, "u8[64]"),
              path("in") + ": the array of shape (64) has 64 bytes, but --from takes 128");
  }
}

TEST_F(Conversion, a_file_of_more_bytes_than_the_layout_is_refused) {
  write_array("|i1", {2, 4}, kNibbles);
  EXPECT_NE(error_of("s4[2,4]{1,0:E(4)}", "s4[2,4]").find("8 bytes, but --from takes 4"), std::string::npos);
}

TEST_F(Conversion, an_array_of_whole_bytes_is_never_taken_for_packed_elements_of_its_shape) {
  write_array("|i1", {2, 3}, "abcdef");
  EXPECT_NE(error_of("s4[2,3]{1,0:T(4,3)E(4)}", "s4[2,3]").find("(2, 3)"), std::string::npos);
  write_array("|i1", {6}, "abcdef");
  EXPECT_EQ(error_of("s4[2,3]{1,0:T(4,3)E(4)}", "s4[2,3]"), "no error");
}

TEST_F(Conversion, padding_has_the_byte_order_of_the_file) {
  write_array(">f4", {2, 1}, "a...b...");
  ASSERT_TRUE(convert("f32[2,1]", "{1,0:T(1,2)}", "1.5").ok());
  EXPECT_EQ(read("out").substr(128), std::string("a...\x3f\xc0\0\0b...\x3f\xc0\0\0", 16));
}

TEST_F(Conversion, padding_is_little_endian_where_the_file_is) {
  write_array("<f4", {2, 1}, "a...b...");
  ASSERT_TRUE(convert("f32[2,1]", "{1,0:T(1,2)}", "1.5").ok());
  EXPECT_EQ(read("out").substr(128), std::string("a...\0\0\xc0\x3f"
                                                 "b...\0\0\xc0\x3f",
                                                 16));
}

TEST_F(Conversion, a_fill_that_the_type_cannot_hold_is_refused) {
  write_array("|u1", {4}, "abcd");
  const Status refused = convert("u8[4]", "u8[4]", "256");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "fill: \"256\" is no value of u8");
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace relayout::cli
