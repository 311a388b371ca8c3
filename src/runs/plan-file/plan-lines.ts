import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { InputError } from '../../errors.ts';
import { asInputError } from '../../input/source/input-source.ts';

/** What the first line of a plan begins with. */
export const MARK = { format: 'eventreg-plan', version: 1 };

/** The last line of a plan. */
export const END = '{"end":true}';

const CHECK_DIGITS = 10;
/** No line comes near it. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** Makes the lines of a plan: objects with the beginning of a digest of all up to there, as their last key. */
export class PlanLines {
  readonly #hash = createHash('sha256');

  /** The next line, with its line break, of an object as JSON that has at least one key. */
  next(json: string): string {
    const open = json.slice(0, -1);
    const digest = this.#hash.update(open).copy().digest('hex');
    return open + endOfLine(digest);
  }
}

const endOfLine = (digest: string): string => `,"check":"${digest.slice(0, CHECK_DIGITS)}"}\n`;
const END_OF_LINE = endOfLine('-'.repeat(CHECK_DIGITS)).length;

interface PlanLine {
  /** Counted from 1. */
  line: number;
  /** As it was before it got its check. */
  json: string;
  /** What that says. */
  value: unknown;
}

/**
 * The lines of a plan but the last, one after the other. Throws an InputError that names the line when
 * anything but what was written is in the file, and when its end is not there; `file` is its name.
 */
export async function* readPlanLines(path: string, file: string): AsyncGenerator<PlanLine> {
  const lines = new PlanLines();
  let line = 0;
  let ended = false;
  for await (const text of linesOf(path, file)) {
    line += 1;
    if (line === 1) refuseForeign(text, file);
    if (!text.endsWith('\n')) throw cutOff(file, line);
    const json = `${text.slice(0, -END_OF_LINE)}}`;
    if (ended || lines.next(json) !== text) {
      throw unusable(file, line, 'this is not as it was written; the plan was edited or damaged');
    }
    ended = json === END;
    if (!ended) yield { line, json, value: parseJson(json) };
  }
  if (line === 0) refuseForeign('', file);
  if (!ended) throw cutOff(file, line);
}

/** The error for a line of a plan that cannot be read. */
export function unusable(file: string, line: number, what: string): InputError {
  return new InputError(`${file}:${line}: ${what}.`, { hint: 'Make the plan again with --plan-out.' });
}

function cutOff(file: string, lastLine: number): InputError {
  return unusable(file, lastLine, 'the plan ends here, and should not; it was cut off');
}

/** Throws an InputError for a file that is no plan, and for one of a version that is not known here. */
function refuseForeign(firstLine: string, file: string): void {
  const { format, version } = (parseJson(firstLine) ?? {}) as { format?: unknown; version?: unknown };
  if (format !== MARK.format) {
    throw new InputError(`${file}: this is no plan of eventreg.`, {
      hint: 'Make one with: eventreg push FILE --plan-out PLAN',
    });
  }
  if (version !== MARK.version) {
    throw new InputError(`${file}: this plan was written by a newer eventreg.`, {
      hint: 'Update eventreg, or make the plan again with this one.',
    });
  }
}

/** Undefined for what is no JSON. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** Each with its line break, if it has one. Cut at line feeds only: what else ends lines somewhere does not do so here. */
async function* linesOf(path: string, file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      for (const part of chunk.split(/(?<=\n)/)) {
        rest += part;
        // No such line was written: whoever reads it goes no further.
        if (rest.length > LONGEST_LINE) yield `${rest}\n`;
        if (!part.endsWith('\n')) continue;
        yield rest;
        rest = '';
      }
    }
  } catch (error) {
    throw asInputError(error, file);
  }
  if (rest !== '') yield rest;
}
