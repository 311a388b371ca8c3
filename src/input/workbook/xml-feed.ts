import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import type { InputError } from '../../errors.ts';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Is told what stands in an XML text. Names come without prefix; the root has depth 1. */
export interface XmlReader {
  open(name: string, attributes: XmlAttributes, depth: number): void;
  close?(name: string, depth: number): void;
  /** A piece of text; a text may come in several. */
  text?(text: string): void;
  /** Whether what was read is to be taken before more is read. */
  isFull?(): boolean;
  /** The error for a text without end, where the reading stands; undefined where no text belongs. */
  overlong?(): InputError | undefined;
}

const DEEPEST = 100;
/** Bytes without any tag: no cell is as long. */
const LONGEST_STRETCH = 4 * 1024 * 1024;

/** Feeds the bytes of an XML text with this root to a reader. Throws what `refuse` makes of anything that is not plain XML. */
export class XmlFeed {
  readonly #parser = new SaxesParser({ position: false, xmlns: false } as const);
  readonly #reader: XmlReader;
  readonly #refuse: (what: string, cause?: unknown) => InputError;
  #decoder: TextDecoder | undefined;
  #depth = 0;
  #stretch = 0;

  constructor(root: string, reader: XmlReader, refuse: (what: string, cause?: unknown) => InputError) {
    this.#reader = reader;
    this.#refuse = refuse;
    const parser = this.#parser;
    parser.on('opentag', (tag) => {
      const name = localName(tag.name);
      this.#depth += 1;
      this.#stretch = 0;
      if (this.#depth === 1 && name !== root) {
        throw refuse(`there is <${name.slice(0, 20)}> where <${root}> belongs`);
      }
      if (this.#depth > DEEPEST) throw refuse('its XML is nested too deeply');
      reader.open(name, tag.attributes, this.#depth);
    });
    parser.on('closetag', ({ name }) => {
      this.#stretch = 0;
      reader.close?.(localName(name), this.#depth);
      this.#depth -= 1;
    });
    parser.on('text', (text) => reader.text?.(text));
    parser.on('cdata', (text) => reader.text?.(text));
    parser.on('xmldecl', ({ encoding }) => this.#checkEncoding(encoding));
    // One that only names a type, as old OpenDocument files do, declares nothing.
    parser.on('doctype', (type) => {
      if (type.includes('[')) throw refuse('its XML declares entities, which workbooks do not');
    });
    parser.on('error', (cause) => {
      throw refuse('its XML is not well-formed', cause);
    });
  }

  push(chunk: Buffer): void {
    this.#stretch += chunk.length;
    this.#write(this.#decode(chunk));
    if (this.#stretch > LONGEST_STRETCH) {
      throw this.#reader.overlong?.() ?? this.#refuse('its XML goes on without any tag for more than 4 MiB');
    }
  }

  /** Throws when the XML is not at its end. */
  end(): void {
    this.#write(this.#decode(undefined));
    this.#parser.close();
  }

  #write(text: string): void {
    if (text !== '') this.#parser.write(text);
  }

  /** UTF-8 or, with its mark, UTF-16: the two that workbooks may be written in. */
  #decode(chunk: Buffer | undefined): string {
    const utf16 = chunk !== undefined && chunk[0] === 0xff && chunk[1] === 0xfe;
    this.#decoder ??= new TextDecoder(utf16 ? 'utf-16le' : 'utf-8', { fatal: true });
    try {
      return this.#decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      throw this.#refuse('its XML holds bytes that are no text', error);
    }
  }

  #checkEncoding(encoding: string | undefined): void {
    const declared = encoding?.toLowerCase() ?? 'utf-8';
    if (!(this.#decoder?.encoding ?? 'utf-8').startsWith(declared)) {
      throw this.#refuse(`its XML is written in ${declared.slice(0, 20)}`);
    }
  }
}

/** `row` for `x:row`. Most workbooks use no prefix, some use one throughout. */
function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** The value of a yes-or-no attribute. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
