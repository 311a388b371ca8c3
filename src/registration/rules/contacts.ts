const EMAIL = /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** With the code of its country, and no date of the first centuries: other digits may be anything. */
const INTERNATIONAL =
  /(?<![\p{L}\p{N}_-])(?!\d{4}-\d\d-\d\d(?:[ T]\d\d:|(?![\s()./-]{0,2}\d)))\(?(?:\+|00)\(?\d(?:[\s()./-]{0,2}\d){5,}/gu;

/** A text without the e-mail addresses and international phone numbers that it quotes, whoever they belong to. */
export const hideContacts = (text: string, hide: (contact: string) => string = () => '•••'): string =>
  text.replace(EMAIL, hide).replace(INTERNATIONAL, hide);

/** Whether a value is an address or a phone number, whatever the column that it stands in: columns get shifted. */
export const looksPersonal = (text: string): boolean =>
  /[^\s@]@[^\s@]+\.[^\s@]/.test(text) || text.search(INTERNATIONAL) >= 0;
