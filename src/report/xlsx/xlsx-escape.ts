/** What XML cannot hold or would change, and what would be read as an escape of such a character. */
const ESCAPED = /[^\P{Cc}\t\n]|[\uFFFE\uFFFF\p{Cs}]|_(?=x[0-9A-Fa-f]{4})/gu;
/** Text in which there is nothing to escape. */
const PLAIN = /^[ -%'-;=?-^`-~]*$/;
const MARKUP = /[&<>]/g;
const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Escapes of our own export: the importer takes one `'` off these. */
const LIKE_ESCAPED_FORMULA = /^'+[=+\-@\t\r]/;

/**
 * A text as the content of an XML element of a workbook. Characters that XML cannot hold become
 * `_x0001_`, as the format has it, and texts that look like this are escaped themselves.
 */
export function xmlText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(ESCAPED, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase();
      return `_x${code.padStart(4, '0')}_`;
    })
    .replace(MARKUP, (character) => NAMED[character] ?? '');
}

/** A text in an XML attribute, in double quotes; characters that XML cannot hold are left out. */
export function xmlAttribute(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF\p{Cs}]/gu, '')
    .replace(/[&<>"]/g, (character) => NAMED[character] ?? '')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}

/** A value as the text of a cell, such that the importer, which takes one `'` off escapes, reads the value. */
export function escapeQuotes(value: string): string {
  return LIKE_ESCAPED_FORMULA.test(value) ? `'${value}` : value;
}
