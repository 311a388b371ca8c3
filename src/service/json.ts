/** A whole JSON token: a string, or a number. Everything else is left alone. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** 15 digits always survive a round trip through a double. A leading zero is no JSON. */
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;

/**
 * `JSON.parse`, but integers too long for a double come out as strings with all their digits:
 * barcodes and ids must never be rounded. A byte order mark in front is dropped, as some services
 * send one. Throws SyntaxError on anything that is not JSON.
 */
export function parseJson(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (!/\d{16}/.test(json)) return JSON.parse(json);
  return JSON.parse(json.replace(TOKEN, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token)));
}
