import type { ShownPlan } from '../../sync/push/begin-push.ts';
import type { PushSummary } from '../../sync/tell/summary.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { jsonText } from '../../report/words/data-text.ts';
import { painter } from '../../report/words/paint.ts';
import { plural } from '../../report/words/number.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import { formatSummary, summaryRecord } from '../../report/summary/push-summary.ts';
import { valueShower } from '../../report/words/shown-value.ts';
import { withWay } from '../options/help.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { hasColor, printRecords, type Call } from '../terminal/terminal.ts';
import { alignCells, measureFor } from '../../report/words/measure.ts';
import { visible } from '../../report/words/escape.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import { whatColumnsAre } from './used-columns.ts';

/** Prints what a push has to say: data on stdout where that is asked for, words on stderr. */
export interface PushPrinter {
  /** How many of the rejected rows were rejected for the same at the last push of the list. */
  rejectedBefore: number;
  /**
   * The plan, with `--diff`. As json it is the first key of the document, which the summary goes on with; as
   * ndjson its entries come before the line of the summary; as csv it is all there is.
   */
  diff(plan: ShownPlan, event: EventInfo): Promise<void>;
  /** What the push came to. */
  summary(summary: PushSummary): Promise<void>;
}

export function createPushPrinter(call: Call<PushCommandOptions>): PushPrinter {
  const { options, runtime } = call;
  const { output, quiet, showValues } = options;
  const { stdout, stderr } = runtime;
  let printed = false;
  const print = async (
    plan: Pick<ShownPlan, 'entries'>,
    event: Pick<EventInfo, 'personas'>,
  ): Promise<void> => {
    const { printPlanDiff } = await import('../../report/plan/plan-diff.ts');
    const compared = options.only.length > 0;
    await printPlanDiff(plan.entries({ all: output === 'table' || compared, compared }), {
      format: output,
      stream: stdout,
      color: hasColor(call, 'stdout'),
      show: valueShower(fieldsOf(event), showValues),
      records: output === 'json' ? runtime.document.records('push@1', 'plan') : undefined,
    });
  };
  return {
    rejectedBefore: 0,
    async diff(plan, event) {
      printed = true;
      await print(plan, event);
    },
    async summary(summary) {
      const { rejectedBefore } = this;
      const record = { ...summaryRecord(summary, showValues), rejected_before: rejectedBefore };
      if (output === 'csv') {
        // Two tables in one text would be none. Where nothing was planned, there is its header.
        if (!options.diff) {
          await printRecords([record], call, Object.keys(record), ['push@1', 'problems']);
        } else if (!printed) await print({ entries: () => [] }, { personas: [] });
      } else if (output === 'json') {
        const plan = options.diff && !printed ? { plan: null } : {};
        await runtime.document.add('push@1', { ...plan, ...record });
      } else if (output === 'ndjson') stdout.write(`${jsonText(record)}\n`);
      if (!quiet || summary.exitCode !== 0) {
        const paint = painter(hasColor(call, 'stderr'));
        writeMessage(stderr, withWay(formatSummary(summary, showValues, paint), options));
        const rejected = plural(summary.counts.rejected, 'rejected row', 'rejected rows');
        if (rejectedBefore > 0)
          writeMessage(
            stderr,
            `Of ${rejected} ${plural(rejectedBefore, 'is', 'are')} wrong as at the last push of this list.`,
          );
      }
      // Whoever asked for a plan must not take an older one of that name for it.
      if (options.planOut !== undefined && summary.state !== 'planned') {
        writeMessage(stderr, 'No plan was saved.');
      }
    },
  };
}

/** Wider cells are cut, but for what a column becomes. */
const WIDEST = 40;

/** Shows what every column becomes; samples are of the person’s own file, and shown to them only. */
export async function showColumns(input: PreparedInput, call: Call<PushCommandOptions>): Promise<void> {
  const { options, runtime } = call;
  const shows = runtime.stderr.isTTY === true || options.showValues;
  const texts = whatColumnsAre(input, options).map(({ heading, target, order = [heading] }) => [
    heading,
    ...(shows ? [input.samples.show(heading)] : []),
    target === null ? 'left out' : (target ?? 'differs by kind of guest') + whenBlank(heading, order),
  ]);
  const { fitWidth } = await measureFor(texts.flat());
  const rows = texts.map((row) =>
    row.map((text, at) => (at < row.length - 1 ? fitWidth(visible(text), WIDEST) : visible(text))),
  );
  const lines = await alignCells([['column', ...(shows ? ['e.g.'] : []), 'goes to'], ...rows]);
  runtime.stderr.write(`${lines.join('\n')}\n`);
}

function whenBlank(heading: string, order: readonly string[]): string {
  const before = order.slice(0, order.indexOf(heading)).map((one) => `"${one}"`);
  return before.length === 0
    ? ''
    : `, where ${before.join(' and ')} ${before.length === 1 ? 'is' : 'are'} blank`;
}
