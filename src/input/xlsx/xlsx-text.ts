import type { InputError } from '../../errors.ts';
import { trimEnds } from '../../registration/repairs/clean-text.ts';
import { grow, LONGEST_TEXT } from '../workbook/sheet-rows.ts';
import { overlongText } from '../workbook/workbook-damage.ts';
import type { XmlAttributes, XmlReader } from '../workbook/xml-feed.ts';

const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;
const XML_SPACES = [0x20, 0x0a, 0x09, 0x0d];

/**
 * Collects the text of a string item, `si` or `is`: its own, or that of its runs, without pronunciations.
 * Of a text that is too long it keeps no more than what shows that.
 */
export class ItemText {
  #text = '';
  #run = '';
  #inRun = false;
  #collecting = false;
  #preserve = false;

  /** `level` counts from the item: 1 is a child of it. */
  open(name: string, attributes: XmlAttributes, level: number): void {
    if (level === 1) this.#inRun = name === 'r';
    if (name !== 't' || (level !== 1 && !(level === 2 && this.#inRun))) return;
    this.#collecting = true;
    this.#run = '';
    this.#preserve = attributes['xml:space'] === 'preserve';
  }

  close(name: string): void {
    if (!this.#collecting || name !== 't') return;
    this.#collecting = false;
    this.#text = grow(this.#text, readXmlText(this.#run, this.#preserve));
  }

  add(text: string): void {
    if (this.#collecting) this.#run = grow(this.#run, text);
  }

  /** The text of the item, which is forgotten. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/**
 * The text that a spreadsheet program shows: escapes read, white space at the ends only if it is kept. One
 * that is too long stays so, as part of it may be missing.
 */
export function readXmlText(text: string, preserve: boolean): string {
  if (text.length > LONGEST_TEXT) return text;
  const kept = preserve ? text : trimEnds(text, (code) => XML_SPACES.includes(code));
  if (!kept.includes('_x')) return kept;
  const read = kept.replaceAll(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  // Half a surrogate pair is no character.
  return read.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

/** 200,000 rows of twenty values that are all different. */
const MOST_STRINGS = 4_000_000;
/** In characters. Rows of people share some dozens of megabytes at most. */
const MOST_TEXT = 128 * 1024 * 1024;
const ROOT = 1;
const ITEM = 2;

/** Reads the texts that the cells of a workbook share. */
export class StringsReader implements XmlReader {
  readonly strings: string[] = [];
  #length = 0;
  readonly #item = new ItemText();
  readonly #file: string;
  readonly #refuse: (what: string) => InputError;
  /** How many texts there are, as the list itself says. */
  #told: string | undefined;

  constructor(file: string, refuse: (what: string) => InputError) {
    this.#file = file;
    this.#refuse = refuse;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (depth === ROOT) this.#told = attributes['uniqueCount'];
    if (depth > ITEM) this.#item.open(name, attributes, depth - ITEM);
  }

  close(name: string, depth: number): void {
    if (depth > ITEM) this.#item.close(name);
    else if (depth === ITEM && name === 'si') this.#keep(this.#item.take());
    // Cells refer to texts by number: where some are missing, they may all be the wrong ones.
    else if (depth === ROOT && this.#told !== undefined && Number(this.#told) !== this.strings.length)
      throw this.#refuse('the texts of the cells are more or fewer than it says');
  }

  text(text: string): void {
    this.#item.add(text);
  }

  overlong(): InputError {
    return overlongText(this.#file, 'a cell');
  }

  /** Of a text that is too long enough is kept to show that: the cell that refers to it can be named. */
  #keep(whole: string): void {
    const text = whole.slice(0, LONGEST_TEXT + 1);
    this.#length += text.length;
    if (this.strings.length === MOST_STRINGS || this.#length > MOST_TEXT)
      throw this.#refuse('it holds too many texts');
    this.strings.push(text);
  }
}
