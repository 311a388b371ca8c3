/** How files of rows may be written. */
export const INPUT_FORMATS = ['csv', 'json', 'ndjson', 'xlsx'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];
