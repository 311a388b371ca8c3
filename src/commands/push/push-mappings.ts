import { UsageError } from '../../errors.ts';
import { ELSE, findColumns, partsOf, reservedTarget } from '../../input/columns/column-names.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import { ROW_LEFT_OUT } from '../../registration/model/option-flags.ts';
import type { Reporter } from '../../report/views/events.ts';
import type { RowProblem } from '../../report/views/summary-view.ts';
import type { Runtime } from '../../runtime.ts';
import {
  digestOf,
  type Kept,
  type KeptColumn,
  type KeptFor,
  readKept,
  writeKept,
} from '../../settings/mappings.ts';
import type { Recall } from '../../sync/ingest/mapping-cache.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import { mappingsFolder } from '../connect/shared-journal.ts';
import { type Call, isInteractive } from '../terminal/terminal.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { leftOutKey, recallFile, remember, type Said, withSaid } from './remembered.ts';
import { withLater, withMeanings } from './said-meanings.ts';
import { saidOf } from './used-columns.ts';
import { valuesWhere, withoutWhere } from './where-flag.ts';

const NOTHING: Kept = { columns: [], files: [], sheets: [] };

/** What is remembered for the files of an event; nothing with `--no-saved-mapping`. */
export function readRemembered(
  { savedMapping }: Pick<PushCommandOptions, 'savedMapping'>,
  target: KeptFor,
  runtime: Pick<Runtime, 'paths'>,
): Kept {
  return savedMapping ? readKept(mappingsFolder(runtime), target) : NOTHING;
}

/**
 * What is remembered of the columns of a file, of the kind of guest that is in it: what they are a heading at a time, and
 * which are left out by all headings of the file.
 */
export function recallColumns(kept: Kept, persona: string | undefined): Recall {
  const byHeading = new Map(ofPersona(kept.columns, persona).map((column) => [column.heading, column]));
  return (columns) => {
    const ofFile = recallFile(kept, columns);
    const map = new Map<string, string>();
    const ignore: string[] = [];
    const place = (column: string): number => {
      const heading = normaliseName(column);
      return byHeading.get(heading)?.order?.indexOf(heading) ?? 0;
    };
    for (const column of [...columns].sort((one, other) => place(one) - place(other))) {
      const target = byHeading.get(normaliseName(column))?.target;
      // A name that two columns share would mean either.
      if (findColumns(column, columns).length !== 1 || reservedTarget(column)?.kind === 'ignored') continue;
      if (ofFile[leftOutKey(column, persona)] === 'true') ignore.push(column);
      else if (target !== undefined) map.set(column, target);
    }
    // Each was said of another list: nobody has said which of them counts first.
    const isOrdered = ([column, target]: readonly [string, string]): boolean => {
      if (target.startsWith(ELSE)) return true;
      const alike = [...map]
        .filter(
          ([, other]) =>
            !other.startsWith(ELSE) && partsOf(other).some((part) => partsOf(target).includes(part)),
        )
        .map(([other]) => normaliseName(other));
      const order = byHeading.get(normaliseName(column))?.order ?? [];
      return alike.length === 1 || alike.every((other) => order.includes(other));
    };
    const said = new Map([...map].filter(isOrdered));
    return said.size + ignore.length === 0 ? undefined : { map: said, ignore };
  };
}

/** Whether more was said of files like this one before than flags say now. */
export function recalls(kept: Kept, columns: readonly string[], options: PushCommandOptions): boolean {
  const flags = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : name));
  const said = new Set([REJECTED, ...flags]);
  const isMore = Object.keys(recallFile(kept, columns)).some((setting) => !said.has(setting));
  return isMore || recallColumns(kept, options.persona)(columns) !== undefined;
}

/** The options with what is remembered of the values of columns; what is said now goes before. */
export function withRememberedValues(options: PushCommandOptions, { columns }: Kept): PushCommandOptions {
  const own = ofPersona(columns, options.persona);
  const kept = saidOf(own, ({ values }) => values && Object.fromEntries(values));
  const leftOut = Object.keys(saidOf(own, ({ leaveOut }) => leaveOut));
  return {
    ...options,
    values: withMeanings(kept, options.values),
    phones: withLater(
      saidOf(own, ({ phones }) => phones),
      options.phones,
    ),
    leaveOut: [...new Set([...options.leaveOut, ...leftOut])],
  };
}

function ofPersona(columns: readonly KeptColumn[], persona = ''): KeptColumn[] {
  return columns.filter((column) => column.persona === persona);
}

/** The options without what holds for one run: what `--where` says, and which rows a dry run has left out. */
function lasting(options: PushCommandOptions): PushCommandOptions {
  const { values, ...others } = withoutWhere(options);
  if (!options.dryRun) return { ...others, values };
  return { ...others, values: valuesWhere(values, (meaning) => meaning !== ROW_LEFT_OUT) };
}

/** Remembers what was said of the files for the next one. What cannot be written is told to people, and stops nothing. */
export async function rememberFiles(
  input: PreparedInput,
  said: Said,
  target: KeptFor,
  reporter: Reporter,
  runtime: Runtime,
): Promise<void> {
  const options = lasting(said.options);
  try {
    await writeKept(mappingsFolder(runtime), target, (before) =>
      remember(before, input, { ...said, options }),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // Machines that keep nothing give flags or a mapping file.
    if (!isInteractive(runtime)) return;
    reporter.report({ type: 'warning', text: `What columns are is not remembered: ${error.message}` });
  }
}

/** By what is remembered of a file the rows that were rejected. */
const REJECTED = 'rejected';
const DIGITS = 12;

/**
 * How many of the rejected rows were rejected for the same at the last push of a list with these headings: what is wrong with
 * them tells them apart, and is kept as a digest. A dry run is no push.
 */
export async function countRejectedBefore(
  problems: readonly RowProblem[],
  { mappings }: PreparedInput,
  target: KeptFor,
  { options, runtime }: Call<PushCommandOptions>,
): Promise<number> {
  if (!options.savedMapping) return 0;
  const shapes = mappings.findings.columnMappings().map(({ columns }) => columns);
  const folder = mappingsFolder(runtime);
  const kept = readKept(folder, target);
  const before = new Set(
    shapes.flatMap((columns) => String(recallFile(kept, columns)[REJECTED] ?? '').match(/\S+/g) ?? []),
  );
  const now = problems.flatMap(({ reasons }) => {
    const wrong = reasons?.flatMap(({ column = '', value = '', problem }) => [column, value, problem]);
    return wrong === undefined ? [] : digestOf(wrong).slice(0, DIGITS);
  });
  if (!options.dryRun && now.length + before.size > 0)
    await writeKept(folder, target, ({ files, ...others }) => ({
      ...others,
      files: shapes.reduce((all, columns) => withSaid(all, columns, { [REJECTED]: now.join(' ') }), files),
    })).catch((error: unknown) => {
      // Told already by whoever keeps what columns are.
      if (!(error instanceof UsageError)) throw error;
    });
  return now.filter((one) => before.has(one)).length;
}
