/** Column of a rejects file with every reason of a row. */
export const ERRORS_COLUMN = '_errors';
/** Column of a rejects file with what push would change in a row. */
export const NOTES_COLUMN = '_notes';
/** Column of a rejects file with what stood in the cells that are wrong, as JSON by heading. */
export const WAS_COLUMN = '_was';
/** What a push has written beside the columns of a list. */
export const OWN_COLUMNS: readonly string[] = [ERRORS_COLUMN, NOTES_COLUMN, WAS_COLUMN];
/** Sheets that templates carry for people and for drop-downs; never read as rows. */
export const OWN_SHEETS = ['_fields', '_lists'] as const;
/** Barcode of the example row of a template: nobody's. */
export const EXAMPLE_BARCODE = 'EXAMPLE-1';
/** E-mail address of that row, at a domain that is nobody's either (RFC 2606). */
export const EXAMPLE_EMAIL = 'maria.garcia@example.com';
/** Phone number of that row. */
export const EXAMPLE_PHONE = '+34600000000';

/** Barcode of a guest of the sample list, counted from 1. */
export const sampleBarcode = (number: number): string => `SAMPLE-${String(number).padStart(3, '0')}`;
/** Domain of the e-mail addresses of that list, which is nobody's (RFC 2606). */
export const SAMPLE_DOMAIN = 'sample.example';
/** What the guests of the sample list are masked by, as it were: by none of the keys. */
export const SAMPLE_MARK = 'sample';
const OF_SAMPLE = /^SAMPLE-0\d\d$|@sample\.example$/i;

/** What every masked e-mail address and link has at the end of its domain: by whose key it is masked. */
export const maskedDomain = (mark: string): string => `.masked-${mark}.example`;
const MASKED_DOMAIN = /\.masked-([0-9a-f]{6})\.example/i;

/** Who has made up the person of a text: the key by which an address or a link is masked, or the sample; undefined: nobody. */
export const markIn = (text: string): string | undefined =>
  MASKED_DOMAIN.exec(text)?.[1]?.toLowerCase() ?? (OF_SAMPLE.test(text) ? SAMPLE_MARK : undefined);
