import { displayWidth, fitWidth } from '../../report/words/display-width.ts';
import { visible } from '../../report/words/escape.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { whatColumnsAre } from './used-columns.ts';
import type { Call } from '../terminal/terminal.ts';

/** Wider cells are cut, but for what a column becomes. */
const WIDEST = 40;
const GAP = '  ';

/** Shows what every column becomes; samples are of the person’s own file, and shown to them only. */
export function showColumns(input: PreparedInput, call: Call<PushCommandOptions>): void {
  const { options, runtime } = call;
  const shows = runtime.stderr.isTTY === true || options.showValues;
  const rows = whatColumnsAre(input, options).map(({ heading, target, order = [heading] }) => [
    fitWidth(visible(heading), WIDEST),
    shows ? fitWidth(visible(input.samples.show(heading)), WIDEST) : '',
    target === null
      ? 'left out'
      : visible((target ?? 'differs by kind of guest') + whenBlank(heading, order)),
  ]);
  const head = ['column', shows ? 'e.g.' : '', 'goes to'];
  const widths = [0, 1].map((at) => Math.max(...[head, ...rows].map((row) => displayWidth(row[at] ?? ''))));
  for (const row of [head, ...rows]) {
    const cells = row.map(
      (cell, at) => cell + ' '.repeat((widths[at] ?? displayWidth(cell)) - displayWidth(cell)),
    );
    runtime.stderr.write(`${cells.filter((cell) => cell !== '').join(GAP)}\n`);
  }
}

function whenBlank(heading: string, order: readonly string[]): string {
  const before = order.slice(0, order.indexOf(heading)).map((one) => `"${one}"`);
  return before.length === 0
    ? ''
    : `, where ${before.join(' and ')} ${before.length === 1 ? 'is' : 'are'} blank`;
}
