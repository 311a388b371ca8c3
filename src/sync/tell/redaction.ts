import { createHmac, randomBytes } from 'node:crypto';
import type { EventInfo } from '../../registration/model/persona.ts';
import { isMadeId } from '../../report/words/mask.ts';
import { PLAIN_WORDS } from './plain-words.ts';

/** 48 bits: a million values have a token each. */
const CHARACTERS = 12;

/** A word, and the punctuation around it. */
const CHUNK = /^([!-/:-@[-`{-~…→]*)(.*?)([!-/:-@[-`{-~…→]*)$/su;
/** What stands between words that are written as one, such as `fields.first_name`. */
const JOINTS = /[./:=,()[\]"']+/u;

/** Names around the fields of a registration. */
const AROUND = ['persona', 'barcode', 'parent_barcode', 'enable_comms'];

/** How a value goes into a bundle. */
type How = 'plain' | 'name' | 'text' | 'token';

/** By the key that it stands under. What is not named here is a token. */
const HOW: Readonly<Record<string, How>> = {
  ...keys(
    'plain',
    'row line part op plan state kind verdict code attempts attempt step status at checked_at enable_comms',
  ),
  ...keys(
    'plain',
    'run undoes goes_on_from continued_by at_work started ended service format counts allowed',
  ),
  ...keys('name', 'persona field'),
  ...keys('text', 'message detail findings remedy repair column'),
};

function keys(how: How, names: string): Record<string, How> {
  return Object.fromEntries(names.split(' ').map((name) => [name, how]));
}

/** Says things in a way that shows what they are about, and nothing that anybody has written. Nothing becomes null. */
export class Redaction {
  readonly #key: Buffer;
  /** Slugs that the event has, and the names around them. */
  readonly #names: ReadonlySet<string>;
  readonly #words: ReadonlySet<string>;

  /** `event`: whose fields and personas may be named. */
  constructor(event: Pick<EventInfo, 'personas'>, key: Buffer = randomBytes(32)) {
    this.#key = key;
    const fields = event.personas.flatMap((persona) => persona.fields);
    this.#names = new Set([...AROUND, ...[...event.personas, ...fields].map(({ slug }) => slug)]);
    const labels = [...event.personas.map(({ name }) => name), ...fields.map(({ label }) => label)];
    this.#words = new Set([...PLAIN_WORDS, ...this.#names, ...labels.flatMap((label) => label.split(/\s+/))]);
  }

  /**
   * A token in the place of a value: the same for equal values. Nobody can tell the value from it, or try values out,
   * without the key, which is kept nowhere.
   */
  token<T extends string | undefined>(value: T): T extends string ? string : string | null {
    const digest = (text: string): string => createHmac('sha256', this.#key).update(text).digest('hex');
    return (value === undefined ? null : `t-${digest(value).slice(0, CHARACTERS)}`) as never;
  }

  /** Every word that is neither the event's nor one of eventreg's own becomes a token. */
  text<T extends string | undefined>(text: T): T extends string ? string : string | null {
    const shown = text?.replace(/\S+/gu, (chunk) => {
      const [, before = '', word = '', after = ''] = CHUNK.exec(chunk) ?? [];
      const isPlain = this.#words.has(word) || word.split(JOINTS).every((part) => this.#words.has(part));
      return word === '' || isPlain ? chunk : `${before}${this.token(word)}${after}`;
    });
    return (shown ?? null) as never;
  }

  /** The slug of a field or persona of the event; any other is a token. */
  name<T extends string | undefined>(slug: T): T extends string ? string : string | null {
    return slug !== undefined && this.#names.has(slug) ? slug : this.token(slug);
  }

  /** A record with all that is in it, each value by its key. What is undefined is null. */
  record(value: unknown, how: How = 'token'): unknown {
    if (value === undefined || value === null || how === 'plain') return value ?? null;
    if (Array.isArray(value)) return value.map((one) => this.record(one, how));
    if (typeof value === 'object') {
      const entries = Object.entries(value).map(([key, one]) => [key, this.#under(key, one)]);
      return Object.fromEntries(entries);
    }
    return this[how](typeof value === 'string' ? value : JSON.stringify(value));
  }

  #under(key: string, value: unknown): unknown {
    // A service may answer with an id of its own.
    if (key === 'request_id' && typeof value === 'string' && isMadeId(value)) return value;
    return this.record(value, HOW[key]);
  }
}
