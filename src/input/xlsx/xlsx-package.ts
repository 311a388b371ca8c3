import type { StoredInput } from '../source/stored-input.ts';
import { damagedWorkbook } from './xlsx-damage.ts';
import { partChunks } from './xlsx-part.ts';
import { type Relation, RelationsReader, relationsOf } from './xlsx-relations.ts';
import { XmlFeed, type XmlReader } from './xlsx-xml.ts';
import type { ZipParts } from './xlsx-zip.ts';

/** Few enough that the cells in them, all sharing long texts, fit into memory. */
const PIECE_BYTES = 1024;

/** A workbook as a set of XML parts that refer to each other. */
export class XlsxPackage {
  readonly input: StoredInput;
  readonly #parts: ZipParts;

  constructor(input: StoredInput, parts: ZipParts) {
    this.input = input;
    this.#parts = parts;
  }

  /** Whether a part of this name is in the file. */
  has(name: string): boolean {
    return this.#parts.has(name.toLowerCase());
  }

  /**
   * Parses a part, one step for each chunk of it, and one whenever the reader is full. Throws an InputError
   * when the part is missing or damaged.
   */
  async *parse(name: string, root: string, reader: XmlReader): AsyncGenerator<void> {
    const { file } = this.input;
    const part = this.#parts.get(name.toLowerCase());
    if (part === undefined) throw damagedWorkbook(file, `its part ${name} is missing`);
    const refuse = (what: string, cause?: unknown) =>
      damagedWorkbook(file, `in its part ${name}, ${what}`, cause);
    const feed = new XmlFeed(root, reader, refuse);
    for await (const chunk of partChunks(this.input, part)) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        feed.push(chunk.subarray(at, at + PIECE_BYTES));
        if (reader.isFull?.() === true) yield;
      }
      yield;
    }
    feed.end();
    yield;
  }

  /** Parses a part to its end. */
  async read<R extends XmlReader>(name: string, root: string, reader: R): Promise<R> {
    for await (const _ of this.parse(name, root, reader));
    return reader;
  }

  /** The links of a part, '' for the file as a whole; none when it has no list of them. */
  async relations(from: string): Promise<ReadonlyMap<string, Relation>> {
    const name = relationsOf(from);
    if (!this.has(name)) return new Map();
    return (await this.read(name, 'Relationships', new RelationsReader(from))).relations;
  }
}
