#!/bin/sh
# Installs eventreg for the person who runs this: no root, nothing outside of one folder.
#   sh install.sh [version]
#   EVENTREG_INSTALL_DIR   where to; ~/.local/bin unless set
#   EVENTREG_RELEASES      where from; a folder of archives and their SHA256SUMS for each version
set -eu

releases=${EVENTREG_RELEASES:-https://github.com/eventreg/eventreg/releases/download}
version=${1:-@VERSION@}
version=${version#v}
with_npm='npm install -g --ignore-scripts eventreg'

fail() { printf 'eventreg was not installed: %s\n' "$1" >&2; exit 1; }

fetch() {
  if command -v curl >/dev/null; then curl -fsSL --retry 2 -o "$2" "$1"
  elif command -v wget >/dev/null; then wget -q -O "$2" "$1"
  else fail 'neither curl nor wget is here.'; fi || fail "$1 cannot be fetched."
}

sum_of() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# All of it is read before any of it is done: a download that was cut off does nothing.
main() {
  case $version in
    [0-9]*) ;;
    *) fail 'usage: sh install.sh [version], such as 0.1.0' ;;
  esac
  [ -n "${EVENTREG_INSTALL_DIR:-${HOME:-}}" ] || fail 'HOME is not set. Set EVENTREG_INSTALL_DIR to the folder for the program.'
  folder=${EVENTREG_INSTALL_DIR:-$HOME/.local/bin}
  case $folder in
    /*) ;;
    *) folder=$PWD/${folder#./} ;;
  esac
  folder=${folder%/}
  # Beside its place, so that it is never half there, and what is there stays until the new one is known to run.
  new=$folder/.eventreg.$$
  command -v sha256sum >/dev/null || command -v shasum >/dev/null ||
    fail 'neither sha256sum nor shasum is here, so nothing could be checked.'
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) fail "there is no archive for $(uname -s) here. For Windows see install.ps1." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "there is no archive for the processor $(uname -m). With Node.js: $with_npm" ;;
  esac
  [ "$system-$processor" = macos-x64 ] && fail 'there is no archive for Intel Macs. With Node.js: '"$with_npm"
  needs='macOS 13.5 or later'
  [ $system = macos ] || needs='glibc 2.28 or later and libatomic'
  if [ $system = linux ] && ldd --version 2>&1 | grep -qi musl; then
    fail 'there is no archive for musl (Alpine). With Node.js: '"$with_npm"
  fi

  name=eventreg-$version-$system-$processor
  draft=$(mktemp -d) || fail "no folder can be made in ${TMPDIR:-/tmp}. Set TMPDIR to another one."
  trap 'rm -rf "$draft" "$new"' EXIT
  trap 'exit 1' HUP INT TERM
  fetch "$releases/v$version/SHA256SUMS" "$draft/SHA256SUMS"
  wanted=$(awk -v file="$name.tar.gz" '$2 == file { print $1 }' "$draft/SHA256SUMS")
  if [ -z "$wanted" ] && grep -q " $name-unsigned.tar.gz\$" "$draft/SHA256SUMS"; then
    fail 'its archive for macOS is not signed yet, and macOS ends programs like that. With Node.js: '"$with_npm"
  fi
  [ -n "$wanted" ] || fail "SHA256SUMS has no sum of $name.tar.gz."
  fetch "$releases/v$version/$name.tar.gz" "$draft/$name.tar.gz"
  found=$(sum_of "$draft/$name.tar.gz")
  [ "$found" = "$wanted" ] || fail "$name.tar.gz has the sum $found instead of $wanted: it is damaged, or was exchanged."

  tar -xzf "$draft/$name.tar.gz" -C "$draft" ||
    fail "the archive cannot be unpacked in ${TMPDIR:-/tmp}. Set TMPDIR to a folder with 200 MB free."
  [ -f "$draft/$name/eventreg" ] || fail "$name.tar.gz has no $name/eventreg inside: it was packed wrongly. Please report it."
  mkdir -p "$folder" || fail "the folder $folder cannot be made. Set EVENTREG_INSTALL_DIR to one of your own."
  [ ! -d "$folder/eventreg" ] || fail "$folder/eventreg is a folder. Set EVENTREG_INSTALL_DIR to another place."
  cp "$draft/$name/eventreg" "$new" ||
    fail "the program cannot be copied to $folder. Set EVENTREG_INSTALL_DIR to a folder of your own with 150 MB free."
  told=$("$new" --version 2>&1) || case $told in
    *libatomic*) fail 'the library libatomic is missing. Install it, then run this again: apt-get install libatomic1, or dnf install libatomic' ;;
    *) fail "the program does not run in $folder: $told
It needs $needs, and a folder from which programs may be run (EVENTREG_INSTALL_DIR). With Node.js: $with_npm" ;;
  esac
  mv -f "$new" "$folder/eventreg"
  printf 'eventreg %s is in %s/eventreg.\n' "$told" "$folder"
  case :$PATH: in
    *:"$folder":*) ;;
    *) printf 'That folder is not on your PATH yet. Add it, for example: export PATH="%s:$PATH"\n' "$folder" ;;
  esac
}

main
