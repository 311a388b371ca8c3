import { foldLetters, wordSet } from '../rules/fold-letters.ts';

/** What people call totals; English, German, French, Spanish, Italian, Portuguese, Dutch, Polish. */
const WORDS = wordSet(
  'total, totals, subtotal, subtotals, sum, sums, grand total, headcount, ' +
    'summe, summen, gesamt, gesamtsumme, gesamtanzahl, gesamtzahl, gesamtergebnis, endsumme, ' +
    'zwischensumme, teilsumme, teilergebnis, insgesamt, anzahl, personenzahl, teilnehmerzahl, ' +
    'somme, sommes, totaux, sous-total, total général, suma, sumas, totales, ' +
    'somma, totale, totali, subtotale, totale generale, soma, totais, total geral, ' +
    'totaal, subtotaal, eindtotaal, som, razem, łącznie, ogółem',
);
const PREFIX = /^(?:total|totale|totaal|summe|gesamt|somme|suma|anzahl|number\s+of)\s+\p{L}/iu;
const SUFFIX =
  /\p{L}\s+(?:total|totals|gesamt|insgesamt|in\s+total|en\s+total|au\s+total|in\s+totale|no\s+total)$/iu;
const LONGEST = 60;

/** Whether a text is a word for totals, also with a number behind it: `Total: 25`. */
export function isTotalsWord(text: string): boolean {
  return text.length <= LONGEST && WORDS.has(foldLetters(lettersOf(text)));
}

/** Whether a text begins or ends as a caption of totals does: `Total guests`, `Gäste gesamt`, `Total: 9 guests`. */
export function isTotalsCaption(text: string): boolean {
  if (text.length > LONGEST) return false;
  const words = lettersOf(text);
  return PREFIX.test(words) || SUFFIX.test(words) || isTotalsWord(text.replace(/\d.*/su, ''));
}

/** A text without what stands in front of its first letter and behind the last. */
const lettersOf = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}\p{M}]+$/gu, '');
