import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DeliveryDocument,
  type ListenLine,
  WEBHOOK_DOCUMENTS,
} from '../../documents/webhook-documents.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { formatDuration } from '../../report/words/number.ts';
import { visible } from '../../report/words/escape.ts';
import { mask } from '../../report/words/mask.ts';
import { type Paint, painter } from '../../report/words/paint.ts';
import { rowsOfBarcode } from '../../sync/journal/find-rows.ts';
import { toldRow } from '../../sync/journal/told-rows.ts';
import { Journal } from '../../sync/journal/journal.ts';
import type { Runtime } from '../../runtime.ts';
import { redactor } from '../../settings/redactor.ts';
import type { Delivery } from '../../webhooks/deliveries/received-store.ts';
import { jsonText } from '../../report/words/json-text.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { RecordWriter } from '../../report/records/record-writer.ts';
import { type Call, hasColor, isDrawn, openRecords, say } from '../terminal/terminal.ts';
import type { ListenOptions } from './delivery-options.ts';

export const DELIVERY_COLUMNS = Object.keys(
  WEBHOOK_DOCUMENTS['webhooks-deliveries@1'].deliveries.element.shape,
);

/** The same at a terminal, what matters most first: the rest is in `show`. */
export const DRAWN_COLUMNS = [
  'delivery',
  'received',
  'barcode',
  'place',
  'verdict',
  'answer',
  'nth',
  'late_after',
  'answer_why',
];

/** What is no word of a program's own may be anything of a person. */
export const PLAIN = /^[\w.:/+=#-]{1,64}$/;

/** Tells of deliveries, with the rows that pushes of this machine sent. Close it. */
export class DeliveryTeller {
  readonly #runtime: Runtime;
  readonly #showValues: boolean;
  readonly #unanswered: string;
  /** Of the line before. */
  #run: string | null = null;
  #journal: Journal | undefined;

  constructor(
    runtime: Runtime,
    { showValues, respond }: { showValues: boolean; respond?: string | undefined },
  ) {
    this.#runtime = runtime;
    this.#showValues = showValues;
    this.#unanswered = respond === 'slow' ? 'answered in a minute' : 'not answered';
  }

  /** As programs are told of it; what a stranger may have written is masked where it may be of a person. */
  record(delivery: Delivery): DeliveryDocument {
    const { barcode, service } = delivery;
    const journal = barcode === undefined ? undefined : this.#open();
    const [found] = journal && barcode !== undefined ? rowsOfBarcode(journal, service, barcode) : [];
    const row = journal && found && toldRow(journal, found.run, found.seq);
    const redact = redactor([...this.#runtime.secrets]);
    const shown = (text: string | undefined): string | null => {
      if (text === undefined) return null;
      return redact(this.#showValues || PLAIN.test(text) ? text : mask(text));
    };
    return {
      delivery: delivery.no,
      received: new Date(delivery.atMs).toISOString(),
      trigger: shown(delivery.type),
      barcode: row === undefined ? shown(barcode) : (barcode ?? null),
      place: row === undefined ? null : formatPlace(row.place),
      run: found?.run ?? null,
      verdict: delivery.verdict,
      why: delivery.why ?? null,
      nth: delivery.nth,
      after_ms: delivery.againAfterMs === undefined ? null : Math.max(0, delivery.againAfterMs),
      late_after: delivery.lateAfter ?? null,
      answer: delivery.answer ?? null,
      answer_why: delivery.error === undefined ? null : redact(delivery.error),
      bytes: delivery.bytes,
    };
  }

  /** One line for people: what there is to say of it, and nothing else. */
  line(record: DeliveryDocument, paint: Paint): string {
    const { barcode, place, run, verdict, nth, answer } = record;
    // A push tells of many: its run is named at the first of them.
    const ofRun = run === this.#run ? '' : `, run ${run}`;
    if (place !== null) this.#run = run;
    const row = place === null ? '' : ` (${place}${ofRun})`;
    const parts = [
      this.#timeOf(record.received),
      `#${record.delivery}`,
      record.trigger ?? 'delivery',
      barcode === null ? undefined : `${barcode}${row}`,
      verdict,
      nth > 1 ? `${ordinal(nth)}, ${formatDuration(record.after_ms ?? 0)} later` : undefined,
      record.late_after === null ? undefined : `late: #${record.late_after} is newer`,
      answer === null ? this.#unanswered : [answer, record.answer_why ?? []].flat().join(': '),
    ];
    const isWell = answer !== null && answer < 300 && !/wrong|old/.test(verdict);
    const [time = '', ...told] = parts.filter((part) => part !== undefined).map(visible);
    return `${paint('faint', time)}  ${paint(isWell ? undefined : 'waiting', told.join('  '))}`;
  }

  close(): void {
    this.#journal?.close();
  }

  /** The first push may make it while we listen. */
  #open(): Journal | undefined {
    const { state } = this.#runtime.paths;
    if (this.#journal === undefined && existsSync(join(state, 'journal.sqlite'))) {
      this.#journal = new Journal(state);
    }
    return this.#journal;
  }

  #timeOf(iso: string): string {
    const { timeZone } = this.#runtime;
    return new Date(iso).toLocaleTimeString('en-GB', { timeZone, hourCycle: 'h23' });
  }
}

const ordinal = (n: number): string => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? undefined : ['st', 'nd', 'rd'][(n % 10) - 1];
  return `${n}${ending ?? 'th'}`;
};

/** The version of the lines of `listen --json`. */
export const LISTEN_VERSION = '1.0';

/** Tells of a listen while it works: a line a delivery, for people or for programs. */
export class ListenPrinter {
  readonly #call: Call<ListenOptions>;
  readonly #teller: DeliveryTeller;
  readonly #writer: RecordWriter | undefined;
  /** Verdicts whose reason was told: the next is likely to have the same. */
  readonly #explained = new Set<string>();
  /** Lines come in the order of the deliveries, however long each takes. */
  #last: Promise<void> = Promise.resolve();

  constructor(call: Call<ListenOptions>) {
    const { options, runtime } = call;
    this.#call = call;
    this.#teller = new DeliveryTeller(runtime, options);
    const isOwn = options.output === 'json' || isDrawn(options, runtime);
    this.#writer = isOwn
      ? undefined
      : openRecords(call, DELIVERY_COLUMNS, ['webhooks-deliveries@1', 'deliveries']);
  }

  delivery(delivery: Delivery): void {
    const record = this.#teller.record(delivery);
    this.#show(record);
    const { why, verdict } = record;
    if (why === null || verdict === 'valid' || this.#explained.has(verdict)) return;
    this.#explained.add(verdict);
    this.say(`Delivery ${record.delivery}: ${verdict}. ${why}`);
  }

  #show(record: DeliveryDocument): void {
    const { options, runtime } = this.#call;
    const paint = painter(hasColor(this.#call, 'stdout'));
    if (options.output === 'json') this.line({ type: 'delivery', ...record });
    else if (this.#writer === undefined) writeMessage(runtime.stdout, this.#teller.line(record, paint));
    else {
      const writer = this.#writer;
      this.#last = this.#last.then(async () => await writer.write(record));
      // Whoever ends it hears of what went wrong.
      this.#last.catch(() => undefined);
    }
  }

  /** For programs that read lines. */
  line({ type, ...rest }: ListenLine): void {
    const { options, runtime } = this.#call;
    if (options.output !== 'json') return;
    const { clock, secrets, stdout } = runtime;
    const text = jsonText({ type, time: new Date(clock.now()).toISOString(), ...rest });
    stdout.write(`${redactor([...secrets])(text)}\n`);
  }

  /** For people, and as a line. */
  warn(text: string): void {
    const { secrets, stderr } = this.#call.runtime;
    writeMessage(stderr, visible(redactor([...secrets])(text)));
    this.line({ type: 'warning', text });
  }

  say(text: string): void {
    say(this.#call, text);
  }

  /** Rejects when something could not be written. */
  async end(): Promise<void> {
    this.#teller.close();
    await this.#last;
    await this.#writer?.end();
  }
}
