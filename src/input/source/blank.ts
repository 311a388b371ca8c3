/** Space, tab, LF or CR. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Index of the first byte from `from` on that is not white space, or the length. */
export function firstNonBlank(bytes: Uint8Array, from = 0): number {
  let at = from;
  while (at < bytes.length && isBlank(bytes[at])) at++;
  return at;
}
