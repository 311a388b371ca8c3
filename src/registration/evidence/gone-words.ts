import { readDay, splitTime } from '../rules/date-forms.ts';
import { foldLetters, wordSet } from '../rules/fold-letters.ts';
import { personWord } from '../rules/people-words.ts';
import { meansNothing } from './nothing-words.ts';
import { meansTheSame } from './synonyms.ts';

/** Longer texts are no words for a state, nor for yes and no. */
const [LONGEST, LONGEST_ANSWER] = [40, 12];

/** What lists say of people who do not come; in English, German, French, Spanish, Italian, Portuguese, Dutch, Scandinavian. */
const GONE = wordSet(
  'refunded, refund, fully refunded, cancelled, canceled, cancellation, declined, declines, rejected, denied, not approved, ' +
    'waitlist, waitlisted, waiting list, wait listed, on waiting list, on the waiting list, not attending, not going, ' +
    'not coming, can’t make it, i can’t make it, sadly i can’t make it, can’t come, can’t attend, cannot attend, unable to attend, withdrawn, void, voided, chargeback, charged back, no show, noshow, deleted, removed, absent, expired, abandoned, disputed, regrets, ' +
    'storniert, stornierung, erstattet, rückerstattet, zurückerstattet, abgesagt, absage, abgelehnt, abgemeldet, ' +
    'abwesend, warteliste, auf warteliste, auf der warteliste, annulliert, kommt nicht, nimmt nicht teil, nicht erschienen, zurückgezogen, ' +
    'remboursé, remboursée, annulé, annulée, refusé, refusée, décliné, déclinée, liste d’attente, ' +
    'en liste d’attente, sur liste d’attente, ne vient pas, désisté, désistée, ' +
    'reembolsado, reembolsada, cancelado, cancelada, anulado, anulada, rechazado, rechazada, lista de espera, ' +
    'en lista de espera, en espera, baja, no asiste, no viene, devuelto, de baja, ' +
    'rinuncia, rimborsato, rimborsata, annullato, annullata, cancellato, cancellata, rifiutato, rifiutata, disdetto, disdetta, ' +
    'lista d’attesa, in lista d’attesa, non partecipa, non viene, ' +
    'estornado, estornada, recusado, recusada, rejeitado, rejeitada, em lista de espera, na lista de espera, não vem, ' +
    'terugbetaald, geannuleerd, vervallen, afgewezen, afgemeld, geweigerd, wachtlijst, op wachtlijst, op de wachtlijst, komt niet, ' +
    'avlyst, avmeldt, avbestilt, avbud, refundert, venteliste, på venteliste, kommer ikke, deltar ikke, afmeldt, afbud, aflyst, deltager ikke, avbokad, avanmäld, väntelista, kommer inte, deltar inte',
);
/** What leaves it open in front of such a word: they paid for more than themselves, or paid too much. */
const IN_PART = /^(?:partial(?:ly)?|partly|teil(?!n)(?:weise)?|partiellement|par[cz]ialmente|gedeeltelijk)/;
/** What says, beside the words for nothing, that it is not known yet. */
const NOT_YET = wordSet(
  'maybe, perhaps, possibly, tentative, not yet, not sure, unsure, unclear, undecided, pending, open, awaiting, waiting, on hold, in progress, no reply, no response, no answer, ' +
    'vielleicht, evtl, eventuell, noch nicht, noch unklar, unklar, unsicher, ungewiss, offen, ausstehend, steht aus, unentschieden, keine antwort, keine rückmeldung, ' +
    'peut-être, pas encore, en attente, en cours, incertain, indécis, indécise, sans réponse, quizás, quizá, tal vez, aún no, todavía no, pendiente, sin confirmar, sin respuesta, ' +
    'forse, non ancora, in attesa, in sospeso, incerto, incerta, talvez, ainda não, pendente, em espera, misschien, nog niet, weet nog niet, weet ik nog niet, weet niet, in afwachting, onzeker, in behandeling, ' +
    'kanskje, kanske, måske, ikke ennå, ikke endnu, inte än, venter, avventer, afventer, avvaktar, uavklart, uklart, usikker, osäker',
);
/** Headings of answers, and of where somebody stands. */
const OF_ANSWERS = wordSet(
  'status, state, statut, stato, estado, reply, response, answer, antwort, rückmeldung, réponse, respuesta, risposta, resposta, antwoord, svar, registration, guest, invitation',
);
/** What headings call coming, attending, taking part and presence; a no under one that says nothing else says it. */
const COMES = wordSet(
  'rsvp, there, come, comes, coming, going, join, joins, joining, zugesagt, nimmt, nimmst, nehmen, neemt, teilnehmen, deelnemen, dabei, erbij, ' +
    'kommt, kommen, kommst, komt, kom, komst, komen, kommer, komme, vient, viens, venez, venir, viene, vienes, vieni, vem, vens, vai, vais, present, présente, présents, presentes, presenti, ' +
    'présence, presencia, presenza, presença, närvaro, tilstede',
);
/** How its other words begin, whatever their ending is; words for those who do it are no such words. */
const COMES_SO =
  /^(?:attend|confirm|conferm|bestatig|bevestig|bekreft|bekraft|zusag|teilnahm|anwesen|aanwezig|deelname|particip|partecip|asist|assiste[rz]|acud(?:e|ir)|comparec|viendr|vendr(?!edi)|verrai?$|delta|medverk|narvarand)/;
/** What stands beside it: who, and to what the whole list is. `Coming to the dinner?` says less. */
const BESIDE = wordSet(
  'will, be, are, do, is, you, us, to, at, in, the, this, our, sie, du, ihr, er, teil, zu, zur, zum, an, am, der, die, das, unserer, bist, sind, deel, del, your, can, ' +
    'à, au, la, le, e, vous, tu, serez, al, a, il, u, je, jij, naar, de, het, bent, ben, yes, no, y, n, ja, nein, nee, nej, nei, oui, non, si, nao, ' +
    'você, su, sua, tua, votre, ihre, deine, podrás, podrá, puede, puedes, può, puoi, pouvez, peux, kannst, können, kan, kunt, på, til, till, i, dere, ni, arrangementet, eventet, festen, ' +
    'reunion, réunion, reünie, treffen, gala, event, fair, party, conference, congress, exhibition, messe, feier, veranstaltung, kongress, tagung, salon, fête, congrès, ' +
    'événement, evento, feria, fiesta, congreso, fiera, festa, congresso, feira, beurs, feest, evenement, congres',
);

/** What stands beside such words in a heading: `Void status`, `Cancelled at`. */
const OF_STATES = wordSet('status, state, is, was, at, on, date, datum, am, le');

/** Whether a text says of somebody that they do not come, or may not: `refunded`, no under `Attending`, yes or a day under `Cancelled`. */
export function saysGone(column: string, text: string): boolean {
  if (text === '' || text.length > LONGEST) return false;
  const word = foldLetters(text);
  if (GONE.has(word.replace(IN_PART, '')) || saysNotYet(column, text)) return true;
  if (speaksOf(column, isComing))
    return isDash(text) || beginningsOf(text).some((words) => meansTheSame(words, 'no'));
  const isDay = /\d/.test(text) && readDay(splitTime(text).date, 'dmy') !== undefined;
  if (!isDay && word.length > LONGEST_ANSWER) return false;
  const told = wordsOf(column).filter((one) => !OF_STATES.has(one));
  return GONE.has(told.join('')) && (isDay || meansTheSame(text, 'yes'));
}

const wordsOf = (heading: string): string[] => (heading.match(/[\p{L}\p{M}]+/gu) ?? []).map(foldLetters);

/** Whether a text begins so, and goes on: `cancelled by customer`. In a column in which others say no more than that it says so, too. */
export const beginsGone = (column: string, text: string): boolean =>
  beginningsOf(text)
    .slice(0, -1)
    .some((words) => saysGone(column, words));

/** The first word, the first two, and so on; a longer text is no state, however it begins. */
function beginningsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{M}\p{N}’'-]+/u, LONGEST).filter((word) => word !== '');
  return words.map((_, at) => words.slice(0, at + 1).join(' '));
}

/** Whether it is not known yet whether somebody comes: `pending`, or a word for nothing that is no dash. */
export function saysNotYet(column: string, text: string): boolean {
  if (!/\p{L}/u.test(text) || !speaksOf(column, (word) => isComing(word) || OF_ANSWERS.has(word)))
    return false;
  return meansNothing(text) || beginningsOf(text).some((words) => NOT_YET.has(foldLetters(words)));
}

function speaksOf(heading: string, isOfIt: (word: string) => boolean): boolean {
  const words = wordsOf(heading);
  return words.some(isOfIt) && words.every((word) => isOfIt(word) || BESIDE.has(word));
}

const isComing = (word: string): boolean =>
  COMES.has(word) || (COMES_SO.test(word) && personWord(word) === undefined);

/** What stands where others have a tick. */
const isDash = (text: string): boolean => /^[\p{Pd}\u2212✗✘]$/u.test(text);

/** Whether such a text leaves it open: `partially refunded`. */
export const mayCome = (text: string): boolean => IN_PART.test(foldLetters(text)) && text.length <= LONGEST;
