import { checkErrorText } from '../repairs/mend-value.ts';
import { foldLetters, wordSet } from '../rules/fold-letters.ts';

/** Words that say that there is nothing to say, also what programs write for a value that they do not have. */
const WORDS =
  'none, none of these, none of them, nothing, na, not applicable, not available, not provided, not specified, not known, no data, no value, ' +
  'info requested, unknown, not yet known, missing, empty, blank, void, tbd, tba, tbc, to be announced, to be confirmed, to be defined, ' +
  'null, nil, nul, nan, undefined, object object, ' +
  'keine, kein, keiner, keins, nichts, nichts davon, keines davon, entfällt, ka, keine angabe, keine angaben, ohne, ohne angabe, leer, unbekannt, ' +
  'noch offen, noch unbekannt, wird nachgereicht, nicht angegeben, nicht bekannt, nicht vorhanden, nicht zutreffend, nicht verfügbar, ' +
  'geen, niets, leeg, onbekend, nog onbekend, nader te bepalen, volgt, nvt, niet van toepassing, ' +
  'aucun, aucune, rien, sans, sans objet, néant, vide, inconnu, non renseigné, à confirmer, à définir, à préciser, non applicable, ' +
  'ninguno, ninguna, nada, por confirmar, por definir, sin, sin datos, sin dato, no aplica, vacío, desconocido, ' +
  'nessuno, nessuna, niente, nulla, da confermare, da definire, vuoto, sconosciuto, non disponibile, non applicabile, ' +
  'nenhum, nenhuma, não se aplica, desconhecido, a confirmar, vazio, ingen, inga, ukjent, ikke avklart, avklares, ikke bestemt, brak, yok, 无, 無, なし, 없음';
/** Only with marks or spaces between their letters: without, they are codes of states and much else. */
const SHORT = 'na, ka, nv, nb, nd, nn, nc, sd, so, oa, nvt';
/** Of the words, and of those for somebody and for yes, those that people are called, with a capital. */
const NAMES =
  'na, ka, nil, null, none, nul, nan, nada, sin, rien, sans, ohne, nulla, niente, nothing, nichts, kein, keiner, ' +
  'blank, leer, empty, void, vide, missing, ingen, inga, brak, yok, ' +
  'on, sand, vero, mae, tia, zia, irma, mari, alun, ea, ice, pa, son, tata, baba, kin, boss, freund, bruder, voisin, ' +
  'guest, gast, host, parent, manager, owner, agent, card, koper, vriend, mere, tutor, booker, boeker, pareja, friend, holder, pai, vater, nachbar, avo';

const FOLDED = wordSet(WORDS);
const FOLDED_SHORT = wordSet(SHORT);
const FOLDED_NAMES = wordSet(NAMES);
/** What a text begins with that may be one of them: a quick look, since there are very many cells. */
const BEGINNINGS = new Set(
  `${WORDS}, ${SHORT}, ${SHORT.replaceAll(/\B/g, ' ')}`.toLowerCase().match(/[a-z]+/g),
);

/** Longer texts say something. */
const LONGEST = 80;
const LETTERS = /[A-Za-z]+/;
/** None of the words has one, and most barcodes and addresses do. */
const DIGIT = /[0-9]/;
const BEYOND_ASCII = /[^\p{ASCII}]/u;
const BARE = /^\p{L}+$/u;
const CAPITAL = /^\p{Lu}/u;
/** But for `N.N.`, which is said of nobody who is known. */
const INITIALS = /^(?!(\p{Lu})[.\s]+\1[.\s]*$)(?:\p{Lu}[.\s]+)*\p{Lu}?$/u;
/** `null null`: a first and a last name that a program has put together. */
const REPEATED = /^(\S+)(?:\s+\1)+$/;
/** Dashes, dots and the like; not marks that say something, as a tick and a star do. */
const MARKS = /^[\p{Pd}\s._/\\?#~'"`´,;:()[\]{}<>|=\u2212…·]+$/u;
/** What mailings and forms put values in the place of: `{{first_name}}`, `*|FNAME|*`, `%NAME%`, `${name}`, `<<name>>`; and `\N`. */
const PLACEHOLDER = new RegExp(
  `^(?:${[
    String.raw`\{\{.*\}\}|\{[\w .-]+\}|\{%.*%\}|[$#]\{.*\}|\*\|.*\|\*|%%?[A-Za-z][\w .%-]*%`,
    String.raw`<<.*>>|<%.*%>|<[\w .-]+>|«[\w .-]+»|@@\w+@@|__\w+__|\\N`,
    String.raw`\[(?:[A-Z][A-Z\d _.-]+|\w+_\w+|[\w ]*(?:[Nn]ame|[Mm]ail|[Cc]ompany)|object \w+)\]`,
  ].join('|')})$`,
);

/** Whether a text says that there is nothing to say: a word for it, marks only, or a placeholder that nobody has filled. */
export function meansNothing(text: string): boolean {
  if (text.length > LONGEST) return false;
  return (isWord(text) || MARKS.test(text) || PLACEHOLDER.test(text)) && checkErrorText(text) === undefined;
}

/** Whether a word for nothing may be the name of a person: a single one proves nothing. */
export function mayBeName(text: string): boolean {
  return (
    INITIALS.test(text) || (CAPITAL.test(text) && BARE.test(text) && FOLDED_NAMES.has(foldLetters(text)))
  );
}

function isWord(text: string): boolean {
  if (DIGIT.test(text)) return false;
  const [first] = LETTERS.exec(text) ?? [];
  if (!BEYOND_ASCII.test(text) && (first === undefined || !BEGINNINGS.has(first.toLowerCase()))) return false;
  const one = text.replace(REPEATED, '$1');
  const folded = foldLetters(one);
  return FOLDED.has(folded) || (FOLDED_SHORT.has(folded) && !BARE.test(one));
}
