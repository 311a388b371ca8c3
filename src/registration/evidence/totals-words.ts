/** What people call totals, without accents; English, German, French, Spanish, Italian, Portuguese, Dutch, Polish. */
const WORDS = new Set(
  [
    'total totals subtotal subtotals sub-total sum sums grand-total headcount head-count',
    'summe summen gesamt gesamtsumme gesamtanzahl gesamtzahl gesamtergebnis endsumme',
    'zwischensumme teilsumme teilergebnis insgesamt anzahl personenzahl teilnehmerzahl',
    'somme sommes totaux sous-total total-general',
    'suma sumas totales',
    'somma totale totali subtotale totale-generale',
    'soma totais total-geral',
    'totaal subtotaal eindtotaal som',
    'razem lacznie ogolem',
  ]
    .join(' ')
    .split(' '),
);
const PREFIX = /^(?:total|totale|totaal|summe|gesamt|somme|suma|anzahl|number of) \p{L}/u;
const SUFFIX = /\p{L} (?:total|totals|gesamt|insgesamt|in total|en total|au total|in totale|no total)$/u;
const LONGEST = 60;

/** Whether a text is a word for totals, also with a number behind it: `Total: 25`. */
export function isTotalsWord(text: string): boolean {
  return text.length <= LONGEST && WORDS.has(plain(text).replaceAll(/[ -]+/g, '-'));
}

/** Whether a text begins or ends as a caption of totals does: `Total guests`, `Gäste gesamt`. */
export function isTotalsCaption(text: string): boolean {
  if (text.length > LONGEST) return false;
  const words = plain(text);
  return PREFIX.test(words) || SUFFIX.test(words);
}

/** Small letters without accents, and without what stands behind the last of them. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
}
