#!/bin/sh
# Usage: check_weak_symbols.sh FILE...   (object files or archives)
# Fails when a unit built for a wider instruction set (lanes_*) defines a weak symbol or anything global besides its
# one entry point: the linker may pick a weak copy for every machine, and it would fault on older ones.
set -u
status=0
checked=0

check_object() {
  expected=evaluate_$(basename "$1" | sed 's/\.cpp\..*$//; s/\.o$//')
  globals=$(nm --defined-only --extern-only --demangle "$1")
  if [ "$(printf '%s\n' "$globals" | wc -l)" -ne 1 ] || ! printf '%s\n' "$globals" | grep -q " T .*::$expected("; then
    printf '%s: must define %s and nothing else, but defines\n%s\n' "$1" "$expected" "$globals" >&2
    status=1
  fi
  checked=$((checked + 1))
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for file in "$@"; do
  case $file in
    *.a) for member in $(ar t "$file" | grep '^lanes_'); do
           ar p "$file" "$member" > "$folder/$member" && check_object "$folder/$member"
         done ;;
    *) check_object "$file" ;;
  esac
done
if [ "$checked" -eq 0 ]; then
  echo "no lanes_* object among: $*" >&2
  exit 1
fi
exit $status
