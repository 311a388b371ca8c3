/**
 * The packages that stay packages, and so all that npm brings along with ours: machine code, what few commands need
 * and is large, and saxes, which brings no text of its licence.
 */
export const APART = ['@napi-rs/keyring', '@photostructure/sqlite', 'libphonenumber-js', 'saxes', 'undici'];
