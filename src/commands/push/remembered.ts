import { normaliseName } from '../../input/source/nearest-name.ts';
import { REST } from '../../input/columns/column-wishes.ts';
import { ROW_LEFT_OUT } from '../../registration/model/option-flags.ts';
import type { Answer } from '../../registration/model/question.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import { digestOf, type Kept, type KeptColumn } from '../../settings/mappings.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { type UsedColumn, whatColumnsAre } from './used-columns.ts';

/** What the owner of files has said of them. */
export interface Said {
  options: PushCommandOptions;
  answers: readonly Answer[];
  /** False where they stopped before all was answered: only what was answered is kept, and no flag. */
  isWhole: boolean;
}

/** What is remembered with what the owner of the files has said now: flags, a mapping file, and answers. */
export function remember(before: Kept, input: PreparedInput, said: Said): Kept {
  return {
    columns: rememberColumns(before.columns, input, said),
    files: rememberFiles(before.files, input, said),
    sheets: rememberSheets(before.sheets, input, said.options),
  };
}

/** A heading at a time: what is said of one leaves the others as they were. */
function rememberColumns(before: readonly KeptColumn[], input: PreparedInput, now: Said): KeptColumn[] {
  const persona = now.options.persona ?? '';
  const said = columnsSaid(input, now).map(
    ({ heading, target, told: { values, ...told }, order }): KeptColumn => ({
      ...told,
      heading: normaliseName(heading),
      persona,
      ...(typeof target === 'string' && { target }),
      ...(values && { values: Object.entries(values) }),
      ...(order && { order: order.map(normaliseName) }),
    }),
  );
  const added = new Map(said.map((column) => [column.heading, column]));
  const merged = before.map((column) => {
    const own = column.persona === persona ? added.get(column.heading) : undefined;
    if (own === undefined) return column;
    added.delete(column.heading);
    // What a run has chosen by --where takes nothing away from what was answered.
    const left = column.values?.filter(([, meaning]) => meaning === ROW_LEFT_OUT) ?? [];
    const values = own.values && [...new Map([...left, ...own.values])];
    return { ...column, ...own, ...(values && { values }) };
  });
  return [...merged, ...added.values()];
}

/** The columns of which something was said; a flag that goes against a known name is for this time only. */
function columnsSaid(input: PreparedInput, { options, answers, isWhole }: Said): readonly UsedColumn[] {
  const answered = new Set(answers.map(columnOf));
  const valued = new Set(
    answers.map(({ value }) => (typeof value === 'object' ? normaliseName(value[0] ?? '') : '')),
  );
  const isTold = ({ heading, target }: UsedColumn): boolean =>
    isWhole ||
    [answered, valued].some((one) => one.has(normaliseName(heading))) ||
    (target === null && answered.has(REST));
  const isOnce = ({ heading, order }: UsedColumn): boolean =>
    order === undefined && input.mappings.knows(heading) && !answered.has(normaliseName(heading));
  return whatColumnsAre(input, options)
    .filter((column) => column.said && isTold(column))
    .map((column) => (isOnce(column) ? { ...column, target: undefined } : column));
}

/** The heading that an answer says something of. */
function columnOf({ option, value }: Answer): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (option === 'ignoreColumn') return normaliseName(value);
  return option === 'map' ? normaliseName(value.slice(0, value.lastIndexOf('='))) : undefined;
}

/** What is said of a whole file, and holds for the next one with its headings. Damage is accepted once. */
const OF_FILES = [
  'persona',
  'includeHidden',
  'extraCells',
  'merged',
  'totalsRows',
  'nothing',
  'samePerson',
  'makeBarcodes',
] as const satisfies (keyof PushCommandOptions)[];

/** What is said of the dates of a file, and holds for the next one with its columns of dates. */
const OF_DATES = ['dateOrder', 'dateSerials', 'hiddenTimes'] as const satisfies (keyof PushCommandOptions)[];

function rememberFiles(before: Kept['files'], input: PreparedInput, all: Said): Kept['files'] {
  const { files, mappings } = input;
  const { options, answers, isWhole } = all;
  const leftOut = columnsSaid(input, all)
    .filter(({ target }) => target !== undefined)
    .map(({ heading, target }) => [leftOutKey(heading, options.persona), String(target === null)]);
  const dates = files.map(({ repairs: { decisions } }) =>
    [...decisions].filter(([, { coded }]) => coded !== true).map(([column]) => column),
  );
  return [
    ...mappings.findings.columnMappings().map(({ columns }) => ({ columns, names: OF_FILES, more: leftOut })),
    ...dates.map((columns) => ({ columns, names: OF_DATES, more: [] })),
  ].reduce((kept, { columns, names, more }) => {
    const isSaid = (name: keyof PushCommandOptions): boolean =>
      options[name] !== undefined && (isWhole || answers.some(({ option }) => option === name));
    const own = names.filter(isSaid).map((name) => [name, String(options[name])]);
    const said: Record<string, string> = Object.fromEntries([...own, ...more]);
    return withSaid(kept, columns, said);
  }, before);
}

/** With what is said of files of these headings; what is said of them now goes before. */
export function withSaid(
  kept: Kept['files'],
  columns: readonly string[],
  said: Readonly<Record<string, string>>,
): Kept['files'] {
  const headings = headingDigests(columns);
  const same = digestOf(headings);
  const known = kept.find((one) => digestOf(one.headings) === same);
  const entry = { headings, said: { ...known?.said, ...said } };
  const isNew = JSON.stringify(entry) !== JSON.stringify(known ?? { headings, said: {} });
  return columns.length > 0 && isNew ? [...kept.filter((one) => one !== known), entry] : kept;
}

/** By what is remembered of a file whether a column is left out: in another list one of that name may be used. */
export const leftOutKey = (heading: string, persona = ''): string =>
  `left out ${persona} ${normaliseName(heading)}`;

/** What was said of files that have no other headings than these; those with most of them decide, then the latest. */
export function recallFile(
  { files }: Kept,
  columns: readonly string[],
): Readonly<Record<string, string | boolean>> {
  const present = new Set(headingDigests(columns));
  const alike = files
    .filter(({ headings }) => headings.every((one) => present.has(one)))
    .sort((one, other) => one.headings.length - other.headings.length);
  return Object.fromEntries(alike.flatMap(({ said }) => Object.entries(said)));
}

/** What was said of people who stand more than once in files with these headings: the rows are read before it is asked. */
export function recallSamePerson(kept: Kept, { mappings }: PreparedInput): PushCommandOptions['samePerson'] {
  const shapes = mappings.findings.columnMappings();
  const said = new Set(shapes.map(({ columns }) => recallFile(kept, columns)['samePerson']));
  const [same] = said;
  return said.size === 1 && (same === 'last' || same === 'first' || same === 'all') ? same : undefined;
}

function headingDigests(columns: readonly string[]): string[] {
  return [...new Set(columns.map((column) => digestOf([normaliseName(column)])))].sort();
}

function rememberSheets(
  before: Kept['sheets'],
  { files }: PreparedInput,
  { sheet }: PushCommandOptions,
): Kept['sheets'] {
  if (sheet === undefined) return before;
  return files.reduce((kept, { opened }) => {
    if (opened.style.format !== 'xlsx' || opened.sheets.length < 2) return kept;
    const entry = { names: sheetsDigest(opened.sheets), sheet: opened.style.sheet };
    const known = kept.find(({ names }) => names === entry.names);
    return known?.sheet === entry.sheet ? kept : [...kept.filter((one) => one !== known), entry];
  }, before);
}

/** Which of the sheets of a workbook was read the last time. */
export function recallSheet({ sheets }: Kept, names: readonly string[]): string | undefined {
  const digest = sheetsDigest(names);
  return sheets.find((one) => one.names === digest)?.sheet;
}

function sheetsDigest(names: readonly string[]): string {
  return digestOf([...names].sort());
}
