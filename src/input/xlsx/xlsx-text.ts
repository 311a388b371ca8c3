import { grow, LONGEST_TEXT } from '../workbook/sheet-rows.ts';
import { trimEnds } from '../../registration/repairs/clean-text.ts';
import type { XmlAttributes } from '../workbook/xml-feed.ts';

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
