import { meansNothing } from './nothing-words.ts';
import { foldValue } from '../repairs/meanings.ts';
import { onlyValue } from '../rules/choice-rule.ts';
import { nearest } from '../rules/closest.ts';
import type { Choice } from '../model/persona.ts';

/**
 * Words for the same thing in English, German, French, Spanish, Italian, Portuguese and Dutch, without accents: what an
 * option of a choice may be called. They only propose.
 */
const WORDS: readonly string[] = [
  'yes, y, true, 1, x, ja, j, oui, o, vrai, si, s, sim, vero, verdadero, ok, on',
  'no, n, false, 0, nein, nee, non, nao, faux, falso, off',
  'meat, fleisch, mit fleisch, vlees, viande, carne, con carne, com carne, beef, rind, chicken, huhn, pollo, poulet, frango',
  'fish, fisch, mit fisch, vis, poisson, pescado, pesce, peixe',
  'vegetarian, veggie, vegetarisch, vegetarier, vegetarierin, vegi, vegetarien, vegetarienne, vegetariano, vegetariana, veg',
  'vegan, vegane, veganer, veganerin, vegana, vegano, vegetalien, vegetalienne',
  'gluten free, glutenfree, glutenfrei, glutenvrij, ohne gluten, sans gluten, sin gluten, senza glutine, sem gluten, coeliac, zoliakie',
  'lactose free, laktosefrei, lactosevrij, ohne laktose, sans lactose, sin lactosa, senza lattosio, sem lactose',
  'halal, hallal',
  'kosher, koscher, casher, kascher, cacher',
  'standard, normal, regular, regulier, standaard, basic, estandar, padrao, einfach',
  'student, studierende, studierender, studentin, etudiant, etudiante, estudiante, estudante, studente, studentessa',
  'press, presse, pers, prensa, stampa, imprensa, media, medien, journalist, journalistin',
  'speaker, referent, referentin, redner, rednerin, vortragender, vortragende, presenter, orateur, conferencier, intervenant, ponente, relatore, palestrante',
  'visitor, besucher, besucherin, visiteur, visiteuse, visitante, visitatore, guest, gast, attendee, teilnehmer, teilnehmerin, participant, invitado, invitada, invite, invitee, convidado, convidada, invitato, invitata, ospite',
  'exhibitor, vendor, stallholder, aussteller, ausstellerin, exposant, exposante, expositor, espositore',
  'sponsor, sponsoren, patrocinador, patrocinadora',
  'mr, mister, sir, herr, hr, hrn, herrn, monsieur, senor, sr, don, signor, signore, sig, senhor, male, man, m, mann, mannlich, homme, masculin, hombre, masculino, uomo, maschio, homem',
  'ms, mrs, miss, madam, frau, fr, madame, mme, mademoiselle, mlle, senora, sra, srta, dona, signora, sig ra, senhora, female, woman, f, w, weiblich, femme, feminin, mujer, femenino, donna, femmina, mulher, feminino',
  'diverse, divers, d, nonbinary, non binary, mx, other gender, no binario, non binaire',
  'xs, extra small',
  's, small, klein, petit, petite, pequeno, pequena, piccolo, piccola',
  'm, medium, mittel, moyen, moyenne, mediano, mediana, medio, media',
  'l, large, gross, grand, grande',
  'xl, extra large, sehr gross',
  'xxl, 2xl, 2x',
  'xxxl, 3xl, 3x',
  'other, others, andere, anderes, sonstige, sonstiges, autre, autres, otro, otros, otra, altro, altri, outro, outros',
];

/** Whether two texts are words for the same thing, or for nothing. */
export function meansTheSame(one: string, other: string): boolean {
  if (meansNothing(one)) return meansNothing(other);
  const groups = groupsOf(plain(one));
  return groups.length > 0 && groupsOf(plain(other)).some((group) => groups.includes(group));
}

function groupsOf(word: string): number[] {
  return WORDS.flatMap((words, at) => (isAmong(word, words) ? [at] : []));
}

function isAmong(word: string, words: string): boolean {
  return words.split(', ').includes(word);
}

/** Small letters without accents and marks, with single spaces. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A meaning that a text may have, and why. */
interface Proposal {
  /** Value of an option. */
  value: string;
  why: string;
}

/** What shops add to the names of their tickets: `Standardticket`, `Student ticket`. */
const TICKET = /(?<=\p{L})[\s-]*(?:tickets?|karten?|billets?)$/iu;

/** What forms add to the names of meals: `Fischgericht`, `Vegetarisches Gericht`, `Fish dish`. */
const DISH = /(?<=\p{L})(?:e[rs]?)?[\s-]*(?:gerichte?|essen|men[uü]e?|dish|meal|option)$/iu;

/**
 * What a text that is no option most likely means: the one option that is a word for the same, or is written nearly
 * so. It only proposes; undefined when nothing does.
 */
export function proposeMeaning(text: string, choices: readonly Choice[]): Proposal | undefined {
  const same = sameOption(text, choices);
  if (same !== undefined) return { value: same, why: 'the same word' };
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

/** A text, and what is left of it without what is only added. */
function withBare(text: string): string[] {
  const bare = text.normalize('NFC').replace(TICKET, '').replace(DISH, '');
  return bare === text ? [text] : [text, bare];
}

const namesOf = ({ value, label }: Choice): string[] => [label, value];
