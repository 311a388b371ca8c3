/** A whole JSON token: a string, or a number. Everything else is left alone. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** 15 digits always survive a round trip through a double. */
const LONG_INTEGER = /^-?\d{16,}$/;

/**
 * `JSON.parse`, but integers too long for a double come out as strings with all their digits:
 * barcodes and ids must never be rounded. Throws SyntaxError on anything that is not JSON.
 */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(TOKEN, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token)));
}
