import { foldLetters, wordSet } from '../rules/fold-letters.ts';
import { meansTheSame } from './synonyms.ts';

/** Longer texts are no words for a state. */
const LONGEST = 40;

/** What lists say of people who do not come; English, German, French, Spanish, Italian, Portuguese, Dutch. */
const GONE = wordSet(
  'refunded, refund, fully refunded, cancelled, canceled, cancellation, declined, rejected, denied, not approved, ' +
    'waitlist, waitlisted, waiting list, wait listed, on waiting list, on the waiting list, not attending, not going, ' +
    'not coming, withdrawn, void, voided, chargeback, charged back, no show, noshow, expired, abandoned, disputed, regrets, ' +
    'storniert, stornierung, erstattet, rückerstattet, zurückerstattet, abgesagt, absage, abgelehnt, abgemeldet, ' +
    'warteliste, auf warteliste, auf der warteliste, annulliert, kommt nicht, nimmt nicht teil, nicht erschienen, zurückgezogen, ' +
    'remboursé, remboursée, annulé, annulée, refusé, refusée, décliné, déclinée, liste d’attente, ' +
    'en liste d’attente, sur liste d’attente, ne vient pas, désisté, désistée, ' +
    'reembolsado, reembolsada, cancelado, cancelada, anulado, anulada, rechazado, rechazada, lista de espera, ' +
    'en lista de espera, no asiste, no viene, devuelto, de baja, ' +
    'rimborsato, rimborsata, annullato, annullata, cancellato, cancellata, rifiutato, rifiutata, disdetto, disdetta, ' +
    'lista d’attesa, in lista d’attesa, non partecipa, non viene, ' +
    'estornado, estornada, recusado, recusada, rejeitado, rejeitada, em lista de espera, na lista de espera, não vem, ' +
    'terugbetaald, geannuleerd, afgewezen, afgemeld, geweigerd, wachtlijst, op wachtlijst, op de wachtlijst, komt niet',
);
/** What leaves it open: they paid for more than themselves, or paid too much, or have not decided. */
const MAY_BE_GONE = wordSet(
  'maybe, tentative, vielleicht, peut-être, quizás, tal vez, forse, talvez, misschien, partially refunded, partial refund, partly refunded, partially cancelled, partially canceled, teilweise erstattet, ' +
    'teilerstattet, teilweise storniert, partiellement remboursé, partiellement remboursée, parcialmente reembolsado, ' +
    'parcialmente reembolsada, parzialmente rimborsato, parzialmente rimborsata, gedeeltelijk terugbetaald',
);
/** Headings under which a no says it. */
const COMES = wordSet(
  'rsvp, attending, attends, attendance, will attend, will you attend, are you attending, are you coming, coming, going, ' +
    'zusage, zugesagt, teilnahme, nimmt teil, kommt, anwesend, anwesenheit, ' +
    'présence, présent, participe, vient, asiste, asistencia, asistirá, viene, partecipa, presença, participa, vem, komt, aanwezig',
);

/** Whether a text says of somebody that they do not come, or may not: `refunded`, no under `Attending`, yes under `Cancelled`. */
export function saysGone(column: string, text: string): boolean {
  if (text === '' || text.length > LONGEST) return false;
  const word = foldLetters(text);
  const heading = foldLetters(column);
  if (GONE.has(word) || MAY_BE_GONE.has(word)) return true;
  return (COMES.has(heading) && meansTheSame(text, 'no')) || (GONE.has(heading) && meansTheSame(text, 'yes'));
}

/** Whether such a text leaves it open: `partially refunded`. */
export const mayCome = (text: string): boolean => MAY_BE_GONE.has(foldLetters(text));
