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
import { mask } from '../../registration/evidence/mask.ts';
import { type Paint, painter } from '../../report/words/paint.ts';
import { rowsOfBarcode } from '../../sync/journal/find-rows.ts';
import { toldRow } from '../../sync/journal/told-rows.ts';
import { Journal } from '../../sync/journal/journal.ts';
import type { Runtime } from '../../runtime.ts';
import { redactor } from '../../settings/redactor.ts';
import type { Delivery } from '../../webhooks/deliveries/received-store.ts';
import { jsonText } from '../../report/words/data-text.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
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
export type DeliveryTeller = ReturnType<typeof tellerOf>;

export function tellerOf(
  { paths, secrets, timeZone }: Runtime,
  { showValues, respond }: { showValues: boolean; respond?: string | undefined },
) {
  const unanswered = respond === 'slow' ? 'answered in a minute' : 'not answered';
  /** Of the line before. */
  let lastRun: string | null = null;
  let journal: Journal | undefined;
  /** The first push may make it while we listen. */
  const open = (): Journal | undefined => {
    if (journal === undefined && existsSync(join(paths.state, 'journal.sqlite'))) {
      journal = new Journal(paths.state);
    }
    return journal;
  };
  return {
    /** As programs are told of it; what a stranger may have written is masked where it may be of a person. */
    record(delivery: Delivery): DeliveryDocument {
      const { barcode, service } = delivery;
      const runs = barcode === undefined ? undefined : open();
      const [found] = runs && barcode !== undefined ? rowsOfBarcode(runs, service, barcode) : [];
      const row = runs && found && toldRow(runs, found.run, found.seq);
      const redact = redactor([...secrets]);
      const shown = (text: string | undefined): string | null => {
        if (text === undefined) return null;
        return redact(showValues || PLAIN.test(text) ? text : mask(text));
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
    },
    /** One line for people: what there is to say of it, and nothing else. */
    line(record: DeliveryDocument, paint: Paint): string {
      const { received, barcode, place, run, verdict, nth, answer } = record;
      // A push tells of many: its run is named at the first of them.
      const ofRun = run === lastRun ? '' : `, run ${run}`;
      if (place !== null) lastRun = run;
      const row = place === null ? '' : ` (${place}${ofRun})`;
      const parts = [
        new Date(received).toLocaleTimeString('en-GB', { timeZone, hourCycle: 'h23' }),
        `#${record.delivery}`,
        record.trigger ?? 'delivery',
        barcode === null ? undefined : `${barcode}${row}`,
        verdict,
        nth > 1 ? `${ordinal(nth)}, ${formatDuration(record.after_ms ?? 0)} later` : undefined,
        record.late_after === null ? undefined : `late: #${record.late_after} is newer`,
        answer === null ? unanswered : [answer, record.answer_why ?? []].flat().join(': '),
      ];
      const isWell = answer !== null && answer < 300 && !/wrong|old/.test(verdict);
      const [time = '', ...told] = parts.filter((part) => part !== undefined).map(visible);
      return `${paint('faint', time)}  ${paint(isWell ? undefined : 'waiting', told.join('  '))}`;
    },
    close: (): void => journal?.close(),
  };
}

const ordinal = (n: number): string => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? undefined : ['st', 'nd', 'rd'][(n % 10) - 1];
  return `${n}${ending ?? 'th'}`;
};

/** The version of the lines of `listen --json`. */
export const LISTEN_VERSION = '1.0';

/** Tells of a listen while it works: a line a delivery, for people or for programs. */
export type ListenPrinter = ReturnType<typeof printerOf>;

export function printerOf(call: Call<ListenOptions>) {
  const { options, runtime } = call;
  const { clock, secrets, stderr, stdout } = runtime;
  const teller = tellerOf(runtime, options);
  const isOwn = options.output === 'json' || isDrawn(options, runtime);
  const writer = isOwn
    ? undefined
    : openRecords(call, DELIVERY_COLUMNS, ['webhooks-deliveries@1', 'deliveries']);
  /** Verdicts whose reason was told: the next is likely to have the same. */
  const explained = new Set<string>();
  /** Lines come in the order of the deliveries, however long each takes. */
  let last: Promise<void> = Promise.resolve();

  const clean = (text: string): string => redactor([...secrets])(text);
  const tell = (text: string): void => say(call, text);
  /** For programs that read lines. */
  const line = ({ type, ...rest }: ListenLine): void => {
    if (options.output !== 'json') return;
    const text = jsonText({ type, time: new Date(clock.now()).toISOString(), ...rest });
    stdout.write(`${clean(text)}\n`);
  };
  const show = (record: DeliveryDocument): void => {
    const paint = painter(hasColor(call, 'stdout'));
    if (options.output === 'json') line({ type: 'delivery', ...record });
    else if (writer === undefined) writeMessage(stdout, teller.line(record, paint));
    else {
      last = last.then(async () => await writer.write(record));
      // Whoever ends it hears of what went wrong.
      last.catch(() => undefined);
    }
  };
  return {
    line,
    say: tell,
    delivery(delivery: Delivery): void {
      const record = teller.record(delivery);
      show(record);
      const { why, verdict } = record;
      if (why === null || verdict === 'valid' || explained.has(verdict)) return;
      explained.add(verdict);
      tell(`Delivery ${record.delivery}: ${verdict}. ${why}`);
    },
    /** For people, and as a line. */
    warn(text: string): void {
      writeMessage(stderr, visible(clean(text)));
      line({ type: 'warning', text });
    },
    /** Rejects when something could not be written. */
    async end(): Promise<void> {
      teller.close();
      await last;
      await writer?.end();
    },
  };
}
