// How much of the permitted the pacer uses, and how often it is refused, in simulated pushes: `npm run bench:pacing`.
import { parseArgs } from 'node:util';
import { promisedLines } from './promised.ts';
import { measureRivals } from './rivals/measure.ts';
import { allSettings, sharedSettings, specialSettings } from './settings.ts';
import { measurePacer, type Setting } from './summary.ts';
import { headingLine, LEGEND, summaryLine } from './table.ts';

interface Options {
  quick: boolean;
  /** Only rows whose table and name contain this. */
  only: string;
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
try {
  await run(values);
} catch (error) {
  process.stderr.write(`The bench failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run({ quick, only }: Options): Promise<void> {
  const tables = [...allSettings(quick), ...specialSettings()]
    .map(({ title, rows }) => ({
      title,
      rows: rows.filter(({ name }) => `${title} ${name}`.includes(only)),
    }))
    .filter(({ rows }) => rows.length > 0);
  const shared = sharedSettings(quick).filter(({ name }) => name.includes(only));
  const promised = promisedLines(only, quick ? 10 : undefined);
  let isFound = tables.length + shared.length > 0;
  for (const text of promised) {
    isFound = true;
    print(text);
  }
  if (!isFound) throw new Error(`There is no row with "${only}" in its name.`);
  if (tables.length + shared.length > 0) print(`\n${LEGEND}`);
  for (const { title, rows } of tables) {
    print(`\n${headingLine(title)}`);
    for (const { name, setting } of rows) {
      print(summaryLine(name, measurePacer(setting, seedsFor(setting, quick))));
    }
  }
  for (const { name, setting } of shared) {
    print(`\n${headingLine(name)}`);
    for await (const { client, summary } of measureRivals(setting, quick ? 1 : 3)) {
      print(summaryLine(client, summary));
    }
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** About as much work for each row: pushes of many requests get fewer seeds. */
function seedsFor({ limit }: Setting, quick: boolean): number {
  const most = quick ? 5 : 21;
  return Math.min(most, Math.max(quick ? 1 : 2, Math.round((most * 60) / limit)));
}
