import type { EventInfo } from '../../registration/model/persona.ts';
import { PLAIN_WORDS } from './plain-words.ts';
import type { Tokens } from './tokens.ts';

/** A word, and the punctuation around it. */
const CHUNK = /^([!-/:-@[-`{-~…→]*)(.*?)([!-/:-@[-`{-~…→]*)$/su;
/** What stands between words that are written as one, such as `fields.first_name`. */
const JOINTS = /[./:=,()[\]"']+/u;

/** Names around the fields of a registration. */
const AROUND = ['persona', 'barcode', 'parent_barcode', 'enable_comms'];

/** Says texts in a way that shows what they are about, and nothing that anybody has written. */
export class TextShape {
  readonly #tokens: Tokens;
  /** Slugs that the event has, and the names around them. */
  readonly #names: ReadonlySet<string>;
  readonly #words: ReadonlySet<string>;

  /** `event`: whose fields and personas may be named. */
  constructor(tokens: Tokens, event: Pick<EventInfo, 'personas'>) {
    this.#tokens = tokens;
    const fields = event.personas.flatMap((persona) => persona.fields);
    this.#names = new Set([...AROUND, ...[...event.personas, ...fields].map(({ slug }) => slug)]);
    const labels = [...event.personas.map(({ name }) => name), ...fields.map(({ label }) => label)];
    this.#words = new Set([...PLAIN_WORDS, ...this.#names, ...labels.flatMap((label) => label.split(/\s+/))]);
  }

  /** Every word that is neither the event's nor one of eventreg's own becomes a token. */
  ofText(text: string): string {
    return text.replace(/\S+/gu, (chunk) => {
      const [, before = '', word = '', after = ''] = CHUNK.exec(chunk) ?? [];
      const isPlain = this.#words.has(word) || word.split(JOINTS).every((part) => this.#words.has(part));
      return word === '' || isPlain ? chunk : `${before}${this.#tokens.of(word)}${after}`;
    });
  }

  orNull(text: string | undefined): string | null {
    return text === undefined ? null : this.ofText(text);
  }

  /** The slug of a field or persona of the event; any other is a token. */
  ofName(slug: string): string {
    return this.#names.has(slug) ? slug : this.#tokens.of(slug);
  }
}
