import { normaliseName } from '../../input/source/nearest-name.ts';
import type { PreparedInput } from '../../runs/read/prepare.ts';
import { digestOf, type Kept, type KeptColumn } from '../../settings/mappings.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { whatColumnsAre } from './used-columns.ts';

/** What is remembered with what the owner of the files has said now: flags, a mapping file, and answers. */
export function remember(before: Kept, input: PreparedInput, options: PushCommandOptions): Kept {
  return {
    columns: rememberColumns(before.columns, input, options),
    personas: rememberPersona(before.personas, input, options),
    sheets: rememberSheets(before.sheets, input, options),
  };
}

/** A heading at a time: what is said of one leaves the others as they were. */
function rememberColumns(
  before: readonly KeptColumn[],
  input: PreparedInput,
  options: PushCommandOptions,
): KeptColumn[] {
  const persona = options.persona ?? '';
  const said = whatColumnsAre(input, options)
    .filter(({ said }) => said)
    .map(
      ({ heading, target, values, phone, dates }): KeptColumn => ({
        heading: normaliseName(heading),
        persona,
        ...(target === undefined ? {} : { target }),
        ...(values === undefined ? {} : { values: Object.entries(values) }),
        ...(phone === undefined ? {} : { phone }),
        ...(dates === undefined ? {} : { dates }),
      }),
    );
  const added = new Map(said.map((column) => [column.heading, column]));
  const merged = before.map((column) => {
    const now = column.persona === persona ? added.get(column.heading) : undefined;
    if (now === undefined) return column;
    added.delete(column.heading);
    return { ...column, ...now };
  });
  return [...merged, ...added.values()];
}

function rememberPersona(
  before: Kept['personas'],
  input: PreparedInput,
  { persona }: PushCommandOptions,
): Kept['personas'] {
  if (persona === undefined) return before;
  const shapes = input.mappings.findings.columnMappings() ?? [];
  return shapes.reduce((kept, { columns }) => {
    const headings = headingDigests(columns);
    const same = digestOf(headings);
    const others = kept.filter((one) => digestOf(one.headings) !== same);
    const known = kept.find((one) => digestOf(one.headings) === same);
    return known?.persona === persona ? kept : [...others, { headings, persona }];
  }, before);
}

/** The kind of guest in a file that has all headings of one that is remembered; the latest such file decides. */
export function recallPersona({ personas }: Kept, columns: readonly string[]): string | undefined {
  const present = new Set(headingDigests(columns));
  return personas.findLast(({ headings }) => headings.every((one) => present.has(one)))?.persona;
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
