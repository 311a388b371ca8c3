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
