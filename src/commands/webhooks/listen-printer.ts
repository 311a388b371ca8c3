import type { DeliveryDocument, ListenLine } from '../../documents/webhook-documents.ts';
import { visible } from '../../report/words/escape.ts';
import { jsonText } from '../../report/words/json-text.ts';
import { painter } from '../../report/words/paint.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { RecordWriter } from '../../report/records/record-writer.ts';
import { redactor } from '../../settings/redactor.ts';
import type { Delivery } from '../../webhooks/deliveries/received-store.ts';
import { type Call, hasColor, isDrawn, openRecords, say } from '../terminal/terminal.ts';
import { DELIVERY_COLUMNS, DeliveryTeller } from './delivery-record.ts';
import type { ListenOptions } from './listen-options.ts';

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
    say(this.#call, visible(text));
  }

  /** Rejects when something could not be written. */
  async end(): Promise<void> {
    this.#teller.close();
    await this.#last;
    await this.#writer?.end();
  }
}
