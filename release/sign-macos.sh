#!/bin/sh
# On a Mac: signs the program in what `npm run release` has made, has Apple notarise it, and packs it again.
#   sh release/sign-macos.sh FOLDER 'Developer ID Application: NAME (TEAM)' KEYCHAIN-PROFILE
# The profile is made once: xcrun notarytool store-credentials. This script was never run on a Mac.
set -eu
rights=$(cd "$(dirname "$0")" && pwd)/macos.entitlements
identity=$2
profile=$3
cd "$1"
unsigned=$(ls eventreg-*-macos-arm64-unsigned.tar.gz)
name=${unsigned%-unsigned.tar.gz}

grep " $unsigned\$" SHA256SUMS | shasum -a 256 -c -
rm -rf "$name" "$name-unsigned"
tar -xzf "$unsigned"
# install.sh looks for the program in a folder that is named as the archive.
mv "$name-unsigned" "$name"
codesign --sign "$identity" --force --options runtime --timestamp --entitlements "$rights" "$name/eventreg"
codesign --verify --strict "$name/eventreg"
"$name/eventreg" --version
ditto -c -k --keepParent "$name" "$name.zip"
told=$(xcrun notarytool submit "$name.zip" --keychain-profile "$profile" --wait)
printf '%s\n' "$told"
printf '%s\n' "$told" | grep -q 'status: Accepted'

tar -czf "$name.tar.gz" "$name"
sum=$(shasum -a 256 "$name.tar.gz")
grep -v " $unsigned\$" SHA256SUMS >SHA256SUMS.new
printf '%s\n' "$sum" >>SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
rm -rf "$name" "$name.zip" "$unsigned"
