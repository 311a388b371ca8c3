import type { Writable } from 'node:stream';
import type { DocumentBody, DocumentName, ListOf } from '../../documents/documents.ts';
import type { Ending } from '../../documents/document-parts.ts';
import { integerId, jsonText } from '../words/data-text.ts';
import { createOutputSink, type OutputSink } from './output-sink.ts';
import type { RecordWriter } from './record-writer.ts';
import {
  EventregError,
  EXIT,
  type ExitCode,
  GuardError,
  InterruptedError,
  UsageError,
} from '../../errors.ts';

/**
 * The one JSON document that a command prints with `--json`: begun by the command, ended by `main`, so that there is
 * one in every case. Lists in it are written as they come, in flat memory.
 */
export class JsonDocument {
  readonly #stream: Writable;
  #sink: OutputSink | undefined;
  #isListOpen = false;
  #isEnded = false;
  /** The service has integers as ids of registrations. */
  integerIds = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  get isBegun(): boolean {
    return this.#sink !== undefined;
  }

  /** A part of what it has to say; each key once. */
  async add<Name extends DocumentName>(name: Name, part: Partial<DocumentBody<Name>>): Promise<void> {
    const sink = await this.#begin(name);
    await this.#endList(sink);
    await sink.write(this.#members(part));
  }

  /** A list of it, record by record; it begins with the first of them, or when it ends. */
  records<Name extends DocumentName>(name: Name, key: ListOf<Name>): RecordWriter {
    let isFirst = true;
    const open = async (): Promise<OutputSink> => {
      const sink = await this.#begin(name);
      if (!isFirst) return sink;
      await this.#endList(sink);
      await sink.write(`,${jsonText(key)}:[`);
      this.#isListOpen = true;
      return sink;
    };
    const isClosed = (): boolean => this.#sink?.closed ?? false;
    return {
      get closed() {
        return isClosed();
      },
      write: async (record) => {
        const sink = await open();
        await sink.write(`${isFirst ? '' : ','}\n  ${this.text(record)}`);
        isFirst = false;
      },
      end: async () => {
        await this.#endList(await open());
      },
    };
  }

  /** Ends the document, once; where none was begun, it is one of the error alone. */
  async end(ending: Ending): Promise<void> {
    if (this.#isEnded) return;
    const sink = await this.#begin('error@1');
    this.#isEnded = true;
    await this.#endList(sink);
    await sink.write(`${this.#members(ending)}}\n`);
    await sink.flush();
  }

  async #begin(name: string): Promise<OutputSink> {
    if (this.#sink !== undefined) return this.#sink;
    this.#sink = createOutputSink(this.#stream);
    await this.#sink.write(`{"schema":${jsonText(`eventreg/${name}`)}`);
    return this.#sink;
  }

  async #endList(sink: OutputSink): Promise<void> {
    if (!this.#isListOpen) return;
    this.#isListOpen = false;
    await sink.write('\n]');
  }

  #members(part: object): string {
    return Object.entries(part)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `,${jsonText(key)}:${this.text(value)}`)
      .join('');
  }

  /** A value as it stands in this document, and in what else programs read of the command. */
  text(value: unknown): string {
    return jsonText(value, this.integerIds ? integerId : undefined);
  }
}

type Failure = NonNullable<Ending['error']>;

/** What a document ends with. `redact` takes secrets out of every text; `isBegun`: the command has said something. */
export function endingOf(
  code: ExitCode,
  error: unknown,
  redact: (text: string) => string,
  isBegun = false,
): Ending {
  const cause = error ?? unsaid(code, isBegun);
  return {
    exit: code,
    stopped_by: cause instanceof GuardError ? cause.guard : null,
    error: cause === undefined ? null : clean(failureOf(cause), redact),
  };
}

/** What the command itself has told already, or the parser of its words. */
function unsaid(code: ExitCode, isBegun: boolean): Error | undefined {
  if (code === EXIT.interrupted) return new InterruptedError();
  return code === EXIT.usage && !isBegun
    ? new UsageError('No command was given.', { hint: 'See all with eventreg --help.' })
    : undefined;
}

function failureOf(error: unknown): Failure {
  if (error instanceof EventregError) {
    const { code, message, hint = null, details, exitCode, open } = error;
    return {
      code,
      message,
      hint,
      details,
      exit: exitCode,
      ...(open && { questions: open.map(({ text, answers }) => ({ text, answers })) }),
    };
  }
  const [message = '', ...details] = String(error instanceof Error ? error.stack : error).split(/\r?\n/);
  return { code: 'defect', message, hint: null, details, exit: EXIT.failed };
}

function clean(failure: Failure, redact: (text: string) => string): Failure {
  const inside = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? redact(value) : value;
  return JSON.parse(JSON.stringify(failure), inside) as Failure;
}
