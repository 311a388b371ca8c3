/**
 * Everything that spreadsheets do to data, and the folders of `fixtures/damage` that show it: every row of
 * the table has some, and every folder stands in one row.
 */
export const DAMAGE_TABLE: ReadonlyMap<string, readonly string[]> = new Map([
  ['barcode `5.90123E+12` in CSV', ['barcode-in-scientific-notation']],
  ['numeric cell in a barcode or phone column, ≤ 15 digits', ['numeric-barcode-cell']],
  ['more than 15 digits, numeric', ['more-than-15-digits']],
  ['`="4711"` in CSV', ['text-as-formula']],
  ['lost leading zeros', ['lost-leading-zeros', 'zeros-by-number-format']],
  ['`12345.0`', ['zero-decimals', 'decimals-of-a-barcode']],
  ['phone without + or 00', ['phone-without-prefix', 'phone-country']],
  [
    'date serials (1900 and 1904 systems)',
    ['date-serials-1900', 'date-serials-1904', 'serial-60', 'serial-in-csv', 'time-of-a-date'],
  ],
  [
    'dd/mm or mm/dd',
    ['day-first-dates', 'month-first-dates', 'both-date-orders', 'undecided-dates', 'two-digit-years'],
  ],
  [
    'no-break and zero-width spaces, soft hyphen, bidi marks',
    ['no-break-spaces', 'no-break-space-inside-email', 'zero-width-characters'],
  ],
  ['leading, trailing spaces', ['spaces-at-ends', 'duplicates-after-trimming']],
  ['full-width digits, `＠`', ['full-width-digits', 'mixed-script-email']],
  [
    'header not in row 1, merged or two-row header, preamble',
    [
      'preamble-above-header',
      'title-above-unknown-header',
      'two-row-header',
      'two-possible-headers',
      'merged-header',
      'merged-cells',
      'repeated-header',
    ],
  ],
  [
    'hidden rows, columns, sheets; filter on; several sheets',
    [
      'hidden-rows',
      'hidden-columns',
      'ods-hidden',
      'hidden-sheet',
      'filter-on',
      'several-sheets',
      'many-sheets',
      'sheet-without-part',
    ],
  ],
  [
    '`#N/A`, `#REF!`; formula without a stored value',
    ['error-cells', 'errors-as-text', 'formula-without-value'],
  ],
  ['empty trailing rows and columns', ['empty-trailing-rows', 'empty-trailing-commas', 'cut-off-sheet']],
  [
    'duplicate header, empty header over data',
    ['duplicate-headers', 'empty-header-over-data', 'equal-headers'],
  ],
  ['unmapped column', ['unmapped-column', 'many-unmapped-columns']],
  [
    '`;` `\\t` `|` instead of `,`; `sep=;` line',
    ['semicolons', 'tabs', 'pipes', 'sep-line', 'delimiter-tie'],
  ],
  ['UTF-16 "Unicode Text", BOMs', ['utf-16-text', 'utf-16-without-mark', 'byte-order-marks']],
  ['Windows-1252, 1250, Mac Roman', ['windows-1252', 'windows-1250', 'mac-roman', 'ambiguous-encoding']],
  ['U+FFFD or `Ã©` already in the text', ['replacement-character', 'mojibake']],
  ['LF, CRLF, CR mixed', ['mixed-line-ends', 'lone-cr-in-quotes']],
  [
    'unbalanced or stray quote, ragged row',
    ['unbalanced-quote', 'stray-quote', 'quote-inside-a-cell', 'ragged-row', 'short-row'],
  ],
  [
    'NUL bytes, a cell over 1 MB, more than 1,000 columns, 0 bytes, a folder, `.xls` named `.xlsx`, a password',
    [
      'nul-bytes',
      'huge-cell',
      'too-many-columns',
      'empty-file',
      'blank-file',
      'header-only',
      'folder',
      'xls-named-xlsx',
      'password-protected',
      'numbers-file',
      'ods-password',
    ],
  ],
  ['CSV: more cells than the header, also blank ones', ['shifted-row']],
  ['totals row', ['totals-row', 'totals-formula']],
  ['text that looks like a formula', ['formula-looking-text']],
  ["a leading `'` before `= + - @`", ['escaped-formula']],
  [
    'JSON integer beyond 2⁵³, duplicate keys, lone surrogate',
    [
      'json-big-integer',
      'ndjson-big-integer',
      'json-duplicate-keys',
      'json-lone-surrogate',
      'json-broken-element',
    ],
  ],
  [
    'beyond the table',
    [
      'control-characters',
      'blank-shared-text',
      'missing-shared-texts',
      'country-names',
      'unknown-country',
      'unknown-choice',
      'month-names',
      'companions',
      'choice-labels',
    ],
  ],
]);
