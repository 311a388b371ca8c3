/** Column of a rejects file with every reason of a row. */
export const ERRORS_COLUMN = '_errors';
/** Column of a rejects file with what push would change in a row. */
export const NOTES_COLUMN = '_notes';
/** Sheets that templates carry for people and for drop-downs; never read as rows. */
export const OWN_SHEETS = ['_fields', '_lists'] as const;
/** Barcode of the example row of a template: nobody's. */
export const EXAMPLE_BARCODE = 'EXAMPLE-1';
/** E-mail address of that row, at a domain that is nobody's either (RFC 2606). */
export const EXAMPLE_EMAIL = 'maria.garcia@example.com';

/** What every masked e-mail address and link has at the end of its domain: by whose key it is masked. */
export const maskedDomain = (mark: string): string => `.masked-${mark}.example`;
const MASKED_DOMAIN = /\.masked-([0-9a-f]{6})\.example/i;

/** The mark of the key by which an address or a link in a text is masked; undefined where none is. */
export const markIn = (text: string): string | undefined => MASKED_DOMAIN.exec(text)?.[1]?.toLowerCase();
