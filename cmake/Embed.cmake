# assay_embed(TARGET NAME BASE FILES...): compiles files into TARGET, reached through
#   #include "assay_embed/NAME.h"  →  std::span<const assay::embed::File> assay::embed::NAME();
# Paths are relative to BASE. The program must run from any directory.
function(assay_embed TARGET NAME BASE)
  set(folder ${CMAKE_BINARY_DIR}/embed/assay_embed)
  set(assembly ".section .rodata\n")
  set(declarations "")
  set(entries "")
  set(paths "")
  set(index 0)
  foreach(file IN LISTS ARGN)
    file(REAL_PATH ${file} path BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND paths ${path})
    file(RELATIVE_PATH name ${BASE} ${path})
    set(symbol "assay_embed_${NAME}_${index}")
    string(APPEND assembly ".global ${symbol}_begin\n.global ${symbol}_end\n"
      "${symbol}_begin:\n.incbin \"${path}\"\n${symbol}_end:\n.byte 0\n")
    string(APPEND declarations "extern const char ${symbol}_begin[];\nextern const char ${symbol}_end[];\n")
    string(APPEND entries "    {\"${name}\", {${symbol}_begin, static_cast<std::size_t>(${symbol}_end - ${symbol}_begin)}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND assembly ".section .note.GNU-stack,\"\",%progbits\n")
  file(CONFIGURE OUTPUT ${folder}/${NAME}.S CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT ${folder}/file.h CONTENT
"#pragma once

#include <string_view>

namespace assay::embed {

/// A file compiled into the program.
struct File {
  std::string_view path;
  std::string_view content;
};

}  // namespace assay::embed
" @ONLY)
  file(CONFIGURE OUTPUT ${folder}/${NAME}.h CONTENT
"#pragma once

#include <span>

#include \"assay_embed/file.h\"

namespace assay::embed {

std::span<const File> ${NAME}();

}  // namespace assay::embed
" @ONLY)
  file(CONFIGURE OUTPUT ${folder}/${NAME}.cpp CONTENT
"#include \"assay_embed/${NAME}.h\"

#include <array>
#include <cstddef>

extern \"C\" {
${declarations}}

namespace assay::embed {

std::span<const File> ${NAME}() {
  static const std::array<File, ${index}> files = {{
${entries}  }};
  return files;
}

}  // namespace assay::embed
" @ONLY)
  set_source_files_properties(${folder}/${NAME}.S PROPERTIES OBJECT_DEPENDS "${paths}")
  target_sources(${TARGET} PRIVATE ${folder}/${NAME}.S ${folder}/${NAME}.cpp)
  target_include_directories(${TARGET} PUBLIC ${CMAKE_BINARY_DIR}/embed)
endfunction()
