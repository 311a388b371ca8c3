import { meansNothing } from './nothing-words.ts';
import { madeOnce } from '../model/maps.ts';
import { foldLetters, runsOf } from '../rules/fold-letters.ts';
import { foldValue } from '../repairs/meanings.ts';
import { onlyValue } from '../rules/choice-rule.ts';
import { nearest } from '../rules/closest.ts';
import type { Choice } from '../model/persona.ts';

/**
 * Words for the same thing in English, German, French, Spanish, Italian, Portuguese and Dutch, without accents: what an
 * option of a choice may be called. They only propose.
 */
const WORDS: readonly string[] = [
  'yes, y, true, 1, x, ja, j, oui, o, vrai, si, s, sim, vero, verdadero, verdadeiro, wahr, waar, sant, sand, sann, prawda, tosi, pravda, igaz, dogru, истина, ok, on',
  'no, n, false, 0, nein, nee, nej, nei, ikke, inte, non, nao, faux, falso, falsch, onwaar, falskt, falsk, usann, fałsz, epatosi, nepravda, hamis, yanlis, ложь, off',
  'meat, fleisch, mit fleisch, vlees, viande, carne, con carne, com carne, beef, rind, chicken, huhn, pollo, poulet, frango, kjøtt, kött, kød, kylling',
  'fish, fisch, fisk, mit fisch, vis, poisson, pescado, pesce, peixe',
  'vegetarian, veggie, vegetarisch, vegetarier, vegetarierin, vegi, vegetarien, vegetarienne, vegetariano, vegetariana, vega, veg, vegetar, vegetarisk, vegetarianer',
  'vegan, vegane, vegansk, veganistisch, veganer, veganerin, vegana, vegano, vegetalien, vegetalienne',
  'gluten free, glutenfree, glutenfrei, glutenfri, glutenvrij, ohne gluten, sans gluten, sin gluten, senza glutine, sem gluten, coeliac, zoliakie',
  'lactose free, laktosefrei, lactosevrij, laktosefri, ohne laktose, sans lactose, sin lactosa, senza lattosio, sem lactose',
  'halal, hallal',
  'kosher, koscher, casher, kascher, cacher',
  'standard, normal, regular, general admission, general entry, full price, tarif plein, plein tarif, vollzahler, intero, regulier, standaard, basic, estandar, padrao, einfach, ordinario, ordinaria, ordinary',
  'student, studierende, studierender, studentin, etudiant, etudiante, estudiante, estudante, studente, studentessa',
  'press, presse, pers, prensa, stampa, imprensa, media, medien, journalist, journalistin',
  'speaker, referent, referentin, redner, rednerin, vortragender, vortragende, presenter, orateur, conferencier, intervenant, ponente, relatore, palestrante',
  'visitor, besucher, besucherin, visiteur, visiteuse, visitante, visitatore, guest, gast, attendee, teilnehmer, teilnehmerin, participant, invitado, invitada, invite, invitee, convidado, convidada, invitato, invitata, ospite',
  'exhibitor, vendor, stallholder, aussteller, ausstellerin, exposant, exposante, expositor, espositore',
  'sponsor, sponsoren, patrocinador, patrocinadora',
  'mr, mister, sir, herr, hr, hrn, herrn, monsieur, senor, sr, don, signor, signore, sig, senhor, male, man, m, mann, mannlich, homme, masculin, hombre, masculino, uomo, maschio, homem',
  'ms, mrs, miss, madam, frau, fr, madame, mme, mademoiselle, mlle, senora, sra, srta, dona, signora, sig ra, senhora, female, woman, f, w, weiblich, femme, feminin, mujer, femenino, donna, femmina, mulher, feminino',
  'diverse, divers, d, nonbinary, non binary, mx, other gender, no binario, non binaire',
  'microphone, mic, mikrofon, mikro, micro, microfoon, microfono, microfone',
  'projector, beamer, projektor, projecteur, videoprojecteur, proyector, proiettore, projetor, datashow',
  'laptop, notebook, portable, ordinateur portable, portatil, ordenador portatil, portatile',
  'talk, lecture, presentation, speech, vortrag, referat, lezing, ponencia, charla, conferenza, palestra',
  'panel, podium, podiumsdiskussion, panel discussion, podiumsgesprek, table ronde, mesa redonda, tavola rotonda',
  'child, children, kid, kind, kinder, enfant, nino, nina, bambino, bambina, crianca',
  'adult, erwachsener, erwachsene, volwassene, adulte, adulto, adulta',
  'xs, extra small',
  's, small, klein, petit, petite, pequeno, pequena, piccolo, piccola',
  'm, medium, mittel, middel, gemiddeld, moyen, moyenne, mediano, mediana, medio, media',
  'l, large, gross, groot, grand, grande',
  'xl, extra large, sehr gross',
  'xxl, 2xl, 2x',
  'xxxl, 3xl, 3x',
  'other, others, andere, anderes, sonstige, sonstiges, autre, autres, otro, otros, otra, altro, altri, outro, outros',
];

/** The groups in which a word stands. */
const GROUPS = new Map<string, number[]>();
for (const [at, words] of WORDS.entries()) {
  for (const word of words.split(', ')) madeOnce(GROUPS, plain(word), (): number[] => []).push(at);
}

/** Words with which a text says what is not meant. */
const NOT: ReadonlySet<string> = new Set(
  (
    'no not non without except nicht kein keine keinen ohne ausser geen niet zonder sans pas aucun aucune ' +
    'sin ningun ninguna senza nessun nessuna sem nenhum nenhuma nao'
  ).split(' '),
);

/** Whether two texts are words for the same thing, or for nothing. */
export function meansTheSame(one: string, other: string): boolean {
  if (meansNothing(one)) return meansNothing(other);
  const groups = GROUPS.get(plain(one)) ?? [];
  return GROUPS.get(plain(other))?.some((group) => groups.includes(group)) === true;
}

/** Whether a text is a word for yes or no, and nothing else. */
export const isAnswer = (text: string): boolean => meansTheSame(text, 'yes') || meansTheSame(text, 'no');

/** Its words without accents and marks, with single spaces. */
function plain(text: string): string {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map(foldLetters).join(' ');
}

/** What shops add to the names of their tickets: `Standardticket`, `Student ticket`. */
const TICKET = /(?<=\p{L})[\s-]*(?:tickets?|karten?|billets?)$/iu;

/** What forms add to the names of meals: `Fischgericht`, `Vegetarisches Gericht`, `Fish dish`. */
const DISH = /(?<=\p{L})(?:e[rs]?)?[\s-]*(?:gerichte?|essen|men[uü]e?|dish|meal|option)$/iu;

/**
 * What a text that is no option most likely means: the one option that is a word for the same, or is written nearly
 * so. It only proposes; undefined when nothing does.
 */
export function proposeMeaning(
  text: string,
  choices: readonly Choice[],
): { value: string; why: string } | undefined {
  const same = sameOption(text, choices);
  if (same !== undefined) return { value: same, why: 'a word for it' };
  const held = heldOption(text, choices);
  if (held !== undefined) {
    const words = plain(text).split(' ');
    const runs = [...runsOf(words, LONGEST_RUN)].map(({ from, to }) => words.slice(from, to).join(' '));
    const word = runs.find((run) => sameOption(run, choices) === held);
    return { value: held, why: word === undefined ? 'part of its name' : `"${word}" is a word for it` };
  }
  const close = nearest(text, choices.flatMap(namesOf));
  const meant =
    close === undefined ? undefined : onlyValue(choices.filter((one) => namesOf(one).includes(close)));
  return meant === undefined ? undefined : { value: meant, why: 'nearly so' };
}

/** The value of the one option that a text is a word for: of `None`, where it is `keine`. */
export function sameOption(text: string, choices: readonly Choice[]): string | undefined {
  const texts = withBare(text);
  const isSame = (name: string): boolean =>
    texts.some((one) => foldValue(one) === foldValue(name) || meansTheSame(one, name));
  return onlyValue(choices.filter((one) => namesOf(one).flatMap(withBare).some(isSame)));
}

/** Within a text a shorter word is hardly one for an option, unless it begins it: `Ja, gerne`. */
const SHORTEST = 3;
const LONGEST_RUN = 5;

/**
 * The value of the one option of which a word stands in a text, as in `Premium – €120 incl. dinner`; else of the one in
 * whose name alone the text stands, as `VIP` does in `VIP lounge`. Words such as `without` leave it open.
 */
export function heldOption(text: string, choices: readonly Choice[]): string | undefined {
  const words = plain(text).split(' ');
  const names = new Map(choices.map((one) => [one, namesOf(one).map(plain)]));
  const named = (isNamed: (name: string) => boolean): Choice[] =>
    choices.filter((one) => names.get(one)?.some(isNamed));
  const keys = keysIn(words);
  const within = named((name) => keysOf(name).some((key) => keys.has(key)));
  const isOption = (word: string): boolean =>
    named((name) => name === word || meansTheSame(name, word)).length > 0;
  if (words.some((word) => NOT.has(word) && !isOption(word))) return undefined;
  if (within.length === 0)
    return onlyValue(text.length < SHORTEST ? [] : named((name) => holds(name, words.join(' '))));
  const all = within.flatMap((one) => names.get(one) ?? []);
  const isPart = (name: string): boolean =>
    all.some((other) => other !== name && ` ${other} `.includes(` ${name} `));
  return onlyValue(within.filter((one) => !names.get(one)?.some(isPart)));
}

function holds(name: string, word: string): boolean {
  const words = name.split(' ');
  const keys = keysIn(words);
  return keysOf(word).some((key) => keys.has(key)) && !words.some((one) => NOT.has(one));
}

/** The keys of all runs of words. */
function keysIn(words: readonly string[]): ReadonlySet<string | number> {
  const runs = [...runsOf(words, LONGEST_RUN)].map(({ from, to }) => words.slice(from, to).join(' '));
  return new Set(runs.filter((run) => run.length >= SHORTEST || run === words[0]).flatMap(keysOf));
}

/** A plain word, and the groups that it stands in: what words for the same have in common. */
const keysOf = (word: string): readonly (string | number)[] =>
  word === '' ? [] : [word, ...(GROUPS.get(word) ?? [])];

/** A text, and what is left of it without what is only added. */
function withBare(text: string): string[] {
  const bare = text.normalize('NFC').replace(TICKET, '').replace(DISH, '');
  return bare === text ? [text] : [text, bare];
}

const namesOf = ({ value, label }: Choice): string[] => [label, value];
