#include "src/profile/elf_image.hpp"

#include <array>
#include <elf.h>
#include <string_view>

#include "src/profile/byte_writer.hpp"
#include "src/profile/frame_table.hpp"

namespace relayout::profile {
namespace {

enum Section : std::uint16_t { kNone, kText, kFrames, kSymbols, kStrings, kSectionNames, kSections };
constexpr std::array<std::string_view, kSections> kNames = {"",        ".text",   ".eh_frame",
                                                            ".symtab", ".strtab", ".shstrtab"};

Elf64_Ehdr file_header() {
  Elf64_Ehdr header{};
  const std::array<unsigned char, EI_NIDENT> identity = {ELFMAG0,    ELFMAG1,     ELFMAG2,    ELFMAG3,
                                                         ELFCLASS64, ELFDATA2LSB, EV_CURRENT, ELFOSABI_NONE};
  std::copy(identity.begin(), identity.end(), header.e_ident);
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kSections;
  header.e_shstrndx = kSectionNames;
  return header;
}

class Image {
 public:
  explicit Image(const CodeDescription& description) : description_(description) {}

  std::vector<std::uint8_t> build() {
    Elf64_Ehdr header = file_header();
    file_.put(header);
    add_text();
    add_frames();
    add_symbols();
    add_section_names();
    file_.pad_to(alignof(Elf64_Shdr));
    header.e_shoff = file_.size();
    for (const Elf64_Shdr& section : sections_) file_.put(section);
    file_.overwrite(0, header);
    return file_.take();
  }

 private:
  Elf64_Shdr& add(Section section, std::uint32_t type, std::span<const std::uint8_t> contents) {
    file_.pad_to(8);
    Elf64_Shdr& added = sections_[section];
    added.sh_type = type;
    added.sh_offset = file_.size();
    added.sh_size = contents.size();
    added.sh_addralign = 8;
    file_.put_bytes(contents);
    return added;
  }

  void add_text() {
    Elf64_Shdr& text = add(kText, SHT_NOBITS, {});
    text.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    text.sh_addr = address_of(description_.code);
    text.sh_size = description_.code.size();
    text.sh_addralign = 1;
  }

  void add_frames() {
    add(kFrames, SHT_PROGBITS, absolute_frame_table(description_.functions)).sh_flags = SHF_ALLOC;
  }

  void add_symbols() {
    ByteWriter strings;
    strings.put_text("");
    ByteWriter symbols;
    symbols.put(Elf64_Sym{});
    for (const FunctionDescription& function : description_.functions) {
      Elf64_Sym symbol{};
      symbol.st_name = static_cast<Elf64_Word>(strings.size());
      symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
      symbol.st_shndx = kText;
      symbol.st_value = address_of(function.code) - address_of(description_.code);
      symbol.st_size = function.code.size();
      symbols.put(symbol);
      strings.put_text(function.name);
    }
    Elf64_Shdr& table = add(kSymbols, SHT_SYMTAB, symbols.bytes());
    table.sh_entsize = sizeof(Elf64_Sym);
    table.sh_link = kStrings;
    table.sh_info = 1;  // the first symbol that is not local
    add(kStrings, SHT_STRTAB, strings.bytes()).sh_addralign = 1;
  }

  void add_section_names() {
    ByteWriter names;
    for (std::size_t section = 0; section < kSections; ++section) {
      sections_[section].sh_name = static_cast<Elf64_Word>(names.size());
      names.put_text(kNames[section]);
    }
    add(kSectionNames, SHT_STRTAB, names.bytes()).sh_addralign = 1;
  }

  const CodeDescription& description_;
  ByteWriter file_;
  std::array<Elf64_Shdr, kSections> sections_{};
};

}  // namespace

std::vector<std::uint8_t> elf_image(const CodeDescription& description) {
  return Image(description).build();
}

}  // namespace relayout::profile
