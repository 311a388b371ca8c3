import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError } from '../../errors.ts';
import { parseMapFlags } from '../../input/columns/column-wishes.ts';
import { findDuplicateKey } from '../../input/json/check-values.ts';
import { nearest, normaliseName } from '../../input/source/nearest-name.ts';
import { isInParts, isSetting, kebabOf, SETTINGS } from '../../registration/model/option-flags.ts';
import { prettyJson } from '../../report/words/data-text.ts';
import { readJson } from '../../service/contracts/json.ts';
import { replaceFile } from '../../report/records/replace-file.ts';
import type { Prepared } from './push-prepare.ts';
import { parseOptions } from '../options/options.ts';
import { readSettings } from '../options/set-flag.ts';
import { type PushCommandOptions, pushValues, saidOptions } from './push-command-options.ts';
import { reopened, withMeanings } from './said-meanings.ts';
import { saidOf, type UsedColumn, whatColumnsAre } from './used-columns.ts';
import * as z from 'zod';

const MEANING = z.string('must be a text; "" is a blank').nullable();

/** What `--mapping` reads and `--write-mapping` writes. */
const fileSchema = z.strictObject({
  /** Heading → field; null: left out. `*` stands for all that match nothing. */
  columns: z.record(z.string(), field().nullable()).default({}),
  /** Field → its columns: in each row the first of them that is filled counts. */
  fields: z.record(field(), z.array(z.string('must be a heading'), 'must be a list of headings')).default({}),
  /** Null, where nobody has said it yet: still open. */
  values: z.record(z.string(), z.record(z.string(), MEANING).transform(withoutOpen)).default({}),
  phones: z.record(z.string(), z.string('must be a country such as "ES", "rows", or "none"')).default({}),
  persona: z.string('must be a text').min(1).optional(),
  settings: z.record(z.string(), z.unknown()).default({}),
});

/** The others have keys of their own. */
const IN_SETTINGS = SETTINGS.filter((name) => !isInParts(name));

const HINT =
  'Write it as {"columns": {"Header in the file": "field", "Notes": null}, "persona": "visitor", "settings": {"sheet": "Guests"}}.';

function withoutOpen(said: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(said).filter((one): one is [string, string] => one[1] !== null));
}

function field() {
  const what = 'must be a field, or null to leave the column out';
  return z
    .string(what)
    .trim()
    .regex(/^[^=]+$/, what);
}

/** The options with what the file of `--mapping` says; a flag goes before it. Throws an InputError with every mistake. */
export async function withMappingFile(options: PushCommandOptions, cwd: string): Promise<PushCommandOptions> {
  const { mapping } = options;
  if (mapping === undefined) return options;
  const text = await readFile(resolve(cwd, mapping), 'utf8').catch((error: Error) => {
    throw new InputError(`The mapping file ${mapping} cannot be read: ${error.message}.`);
  });
  const { columns, fields, settings, persona, values, phones } = readMappingFile(text, mapping);
  const typed = parseMapFlags(options.map);
  const named = new Set([...typed.keys(), ...options.ignoreColumn].map(normaliseName));
  const inOrder = Object.entries(fields).flatMap(([target, headings]) =>
    headings.map((heading): [string, string] => [heading, target]),
  );
  const all = [...Object.entries(columns), ...inOrder];
  const free = all.filter(([heading]) => !named.has(normaliseName(heading)));
  const map = free.flatMap(([heading, target]) => (target === null ? [] : [`${heading}=${target}`]));
  const ignore = free.flatMap(([heading, target]) => (target === null ? [heading] : []));
  const merged = {
    ...options,
    ...unlessTyped({ ...settings, persona }, options),
    map: [...map, ...options.map],
    ignoreColumn: [...ignore, ...options.ignoreColumn],
    values: withMeanings(values, options.values),
    phones: { ...phones, ...options.phones },
  };
  const nameOf = (option: string): string =>
    isSetting(option) && !isInParts(option) ? `settings.${kebabOf(option)}` : option;
  return parseOptions(pushValues, merged, (option) => `${mapping}: ${nameOf(option)}`);
}

/** Reads such a file. Throws an InputError that names every wrong key. */
function readMappingFile(text: string, file: string) {
  const json = text.replace(/^\uFEFF/, '');
  const value = readJson(json);
  if (value === undefined) throw new InputError(`${file}: the mapping is not valid JSON.`, { hint: HINT });
  const duplicate = findDuplicateKey(json);
  if (duplicate !== undefined) {
    throw new InputError(`${file}: the mapping has "${duplicate}" twice.`, { hint: HINT });
  }
  const parsed = fileSchema.safeParse(value);
  const pairs = Object.entries(settingsIn(value)).map(([key, said]) => ({ key, value: said }));
  const { found, problems } = readSettings(pairs, IN_SETTINGS, (key) => `settings.${key}`);
  const wrong = [...(parsed.error?.issues ?? []).flatMap(describeIssue), ...problems];
  const [first, ...more] = wrong.map((problem) => `${file}: ${problem}`);
  if (first !== undefined) throw new InputError(first, { details: more, hint: HINT });
  return { ...fileSchema.parse(value), settings: found };
}

function settingsIn(value: unknown): object {
  const { settings } = Object(value) as { settings?: unknown };
  return typeof settings === 'object' && settings !== null ? settings : {};
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const keys = Object.keys(fileSchema.shape);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near = nearest(key, keys);
      const remedy = near === undefined ? `there are ${keys.join(', ')}` : `did you mean ${near}?`;
      return `${key} is nothing that a mapping says; ${remedy}`.replace(/(?<!\?)$/, '.');
    });
  }
  const at = issue.path.map(String).join('.');
  return [at === '' ? 'the mapping is not a JSON object.' : `${at} ${issue.message}.`];
}

/** What the file says of options that no flag has set. */
function unlessTyped(
  said: Readonly<Record<string, unknown>>,
  options: PushCommandOptions,
): Record<string, unknown> {
  const typed: readonly string[] = saidOptions(options);
  return Object.fromEntries(
    Object.entries(said).filter(([name, value]) => value !== undefined && !typed.includes(name)),
  );
}

/** How many texts and columns have a meaning. */
const countSaid = ({ values, phones }: PushCommandOptions): number =>
  Object.values(values).flatMap(Object.keys).length + Object.keys(phones).length;

/** Writes what was used to read the files, as `--mapping` takes it, with the likely answers; returns how many of these there are. */
export async function writeMappingFile(path: string, { input, options, likely }: Prepared): Promise<number> {
  const { values, phones } = await likely();
  const all = { ...options, values, phones };
  const known = reopened(all).values;
  const columns = whatColumnsAre(input, all);
  const inOrder: Record<string, string[]> = {};
  for (const heading of columns.flatMap(({ heading, order = [] }) => (order[0] === heading ? order : []))) {
    const field = columns.find((column) => column.heading === heading)?.target ?? '';
    inOrder[field] = [...(inOrder[field] ?? []), heading];
  }
  // Null where nothing is known: it stays open.
  const orOpen = ({ heading, told: { values } }: UsedColumn) =>
    values && Object.fromEntries(Object.keys(values).map((text) => [text, known[heading]?.[text] ?? null]));
  const content = {
    columns: saidOf(columns, ({ target, order }) => (order === undefined ? target : undefined)),
    ...(Object.keys(inOrder).length === 0 ? {} : { fields: inOrder }),
    values: saidOf(columns, orOpen),
    phones: saidOf(columns, ({ told }) => told.phones),
    ...(options.persona === undefined ? {} : { persona: options.persona }),
    settings: Object.fromEntries(
      saidOptions(options)
        .filter((name) => IN_SETTINGS.some((setting) => setting === name))
        .map((name) => [kebabOf(name), options[name]]),
    ),
  };
  await replaceFile(path, (file) => file.writeFile(prettyJson(content)));
  return countSaid(reopened(all)) - countSaid(reopened(options));
}
