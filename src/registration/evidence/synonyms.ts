import { meansNothing } from './nothing-words.ts';

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
