/** What tells the words of a language in its spelling. */
interface Language {
  name: string;
  /** Its letters beyond a-z, and those that are usual in names and loan words. */
  letters: string;
  /** What no word of it holds, in small letters. */
  never: RegExp | undefined;
}

/** The languages that the single-byte encodings are used for. */
export const LANGUAGES: readonly Language[] = [
  { name: 'Spanish', letters: 'áéíñóúü', never: /ñ(?![aeiouáéíóú])/ },
  { name: 'French', letters: 'àâæçèéêëîïôœùûüÿ', never: /è(?:[aeiouyàâéêëîïôùûü]|$)|iæ|ù.|à./ },
  { name: 'German', letters: 'äöüß', never: /^ß/ },
  { name: 'Italian', letters: 'àèéìíòóùú', never: /[àèìòù]./ },
  {
    name: 'Portuguese',
    letters: 'àáâãçéêíóôõúü',
    never: /ã(?![oeiz]|s?$)|õ(?!e|s?$)|à./,
  },
  { name: 'Catalan', letters: 'àçèéíïòóúü', never: /è[aeiouàéíïòóúü]/ },
  { name: 'Dutch', letters: 'áéèêëïíóöúüç', never: /è(?:[aeiou]|$)/ },
  { name: 'Swedish', letters: 'åäöé', never: undefined },
  { name: 'Danish', letters: 'åæøé', never: /iæ/ },
  { name: 'Norwegian', letters: 'åæøéòôó', never: /iæ/ },
  { name: 'Finnish', letters: 'åäöšž', never: undefined },
  { name: 'Icelandic', letters: 'áðéíóúýþæö', never: /iæ|^ð|þ$/ },
  { name: 'Estonian', letters: 'äõöüšž', never: undefined },
  { name: 'Polish', letters: 'ąćęłńóśźż', never: /[ćńśź][aąeęioóuy]|^[ąę]/ },
  { name: 'Czech', letters: 'áčďéěíňóřšťúůýž', never: /řr|rř|(?:^|[^bpvfmdtn])ě|(?:^|[aeiouyáéíóúý])ů/ },
  {
    name: 'Slovak',
    letters: 'áäčďéíĺľňóôŕšťúýž',
    never: /(?:^|[aeiouyáäéíóôúý])[ĺŕ]|[ĺŕ](?:[aeiouyáäéíóôúý]|$)/,
  },
  { name: 'Hungarian', letters: 'áéíóöőúüű', never: undefined },
  { name: 'Slovenian', letters: 'čšžćđ', never: /(?:^|[^aeiou])ć(?![aeiou])/ },
  { name: 'Croatian', letters: 'čćđšž', never: /(?:^|[^aeiou])ć(?![aeiou])/ },
  { name: 'Romanian', letters: 'ăâîşţșț', never: /ă[aeo]/ },
  { name: 'Albanian', letters: 'çë', never: undefined },
];
