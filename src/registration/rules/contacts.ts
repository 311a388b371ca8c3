const EMAIL = /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** With the code of its country: other digits may be anything. */
const INTERNATIONAL = /(?<![\p{L}\p{N}_-])\(?(?:\+|00)\(?\d(?:[\s()./-]{0,2}\d){5,}/gu;

/** A text without the e-mail addresses and international phone numbers that it quotes, whoever they belong to. */
export const hideContacts = (text: string, hide: (contact: string) => string = () => '•••'): string =>
  text.replace(EMAIL, hide).replace(INTERNATIONAL, hide);
