import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { InputError } from '../../errors.ts';
import { asInputError } from '../../input/source/input-source.ts';
import { jsonText } from '../../report/words/json-text.ts';
import { parseJson, refuseForeign } from './plan-header.ts';

/** Of every line, at its end: the beginning of a digest of all that goes before it. */
const CHECK = /^(.+),"check":"([0-9a-f]{10})"\}$/s;
const CHECK_DIGITS = 10;
const LF = 10;
/** No row comes near it. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** Makes the lines of a plan, each an object with a check of itself and of all lines before. */
export class PlanLines {
  readonly #hash = createHash('sha256');
  #lines = 0;

  /** The next line, with its line break. The object has at least one key. */
  next(value: Readonly<Record<string, unknown>>): string {
    const body = jsonText(value);
    const line = `${body.slice(0, -1)},"check":"${checkOf(this.#hash, body)}"}\n`;
    this.#hash.update(line);
    this.#lines += 1;
    return line;
  }

  /** The last line: how many entries there are, and the digest of all lines before it. */
  end(facts: Readonly<Record<string, unknown>>): string {
    return this.next({ end: this.#lines - 1, ...facts, sha256: this.#hash.copy().digest('hex') });
  }
}

function checkOf(before: Hash, body: string): string {
  return before.copy().update(body).digest('hex').slice(0, CHECK_DIGITS);
}

interface PlanLine {
  /** Counted from 1. */
  line: number;
  value: Readonly<Record<string, unknown>>;
  /** Differs between any two plans. */
  check: string;
}

/**
 * The lines of a plan but the last, one after the other. Throws an InputError that names the line when
 * anything but what was written is in the file, and when its end is not there; `file` is its name.
 */
export async function* readPlanLines(path: string, file: string): AsyncGenerator<PlanLine> {
  const hash = createHash('sha256');
  let ended = false;
  let line = 0;
  for await (const text of linesOf(path, file)) {
    line += 1;
    if (line === 1) refuseForeign(text, file);
    if (ended) throw edited(file, line);
    const read = readLine(text, hash);
    if (read === undefined) throw edited(file, line);
    hash.update(`${text}\n`);
    ended = 'end' in read.value;
    if (!ended) yield { line, ...read };
  }
  if (line === 0) refuseForeign('', file);
  if (!ended) throw cutOff(file, line);
}

function readLine(text: string, before: Hash): Omit<PlanLine, 'line'> | undefined {
  const [, open, check = ''] = CHECK.exec(text) ?? [];
  if (open === undefined || checkOf(before, `${open}}`) !== check) return undefined;
  const value = parseJson(`${open}}`);
  if (typeof value !== 'object' || value === null) return undefined;
  return { value: value as Record<string, unknown>, check };
}

function edited(file: string, line: number): InputError {
  return new InputError(`${file}:${line}: this is not as it was written; the plan was edited or damaged.`, {
    hint: 'Make the plan again with --plan-out.',
  });
}

function cutOff(file: string, lastLine: number): InputError {
  return new InputError(`${file}:${lastLine}: the plan ends here, and should not; it was cut off.`, {
    hint: 'Make the plan again with --plan-out.',
  });
}

/** Cut at line feeds only: other characters that end lines somewhere do not do so here. */
async function* linesOf(path: string, file: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let size = 0;
  let line = 1;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > LONGEST_LINE) throw edited(file, line);
    parts.push(part);
  };
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
        add(chunk.subarray(from, end));
        yield Buffer.concat(parts).toString();
        [parts, size, from] = [[], 0, end + 1];
        line += 1;
      }
      add(chunk.subarray(from));
    }
  } catch (error) {
    throw asInputError(error, file);
  }
  if (size === 0) return;
  // Every line that was written has an end.
  if (line === 1) refuseForeign(Buffer.concat(parts).toString(), file);
  throw cutOff(file, line);
}
