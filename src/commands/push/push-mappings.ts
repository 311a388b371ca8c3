import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError } from '../../errors.ts';
import { parseMapFlags, readMappingFile } from '../../input/columns/mapping-flags.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import { findColumns } from '../../input/columns/column-names.ts';
import type { PlanHeader } from '../../runs/plan-file/plan-file.ts';
import type { PreparedInput } from '../../runs/read/prepare.ts';
import { mergeMappings, type Recall, type SavedMapping } from '../../runs/read/mapping-cache.ts';
import type { Reporter } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import { mappingReader, readMapping, writeMapping } from '../../settings/mappings.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import type { Asked } from './push-questions.ts';

/** The service and event that a mapping is remembered for. */
interface MappingTarget {
  service: string;
  event: string;
}

/** What `--mapping` says. Throws an InputError when the file cannot be read. */
export async function readOverrides(
  { mapping }: PushCommandOptions,
  { cwd }: Runtime,
): Promise<ReadonlyMap<string, string>> {
  if (mapping === undefined) return new Map();
  const text = await readFile(resolve(cwd, mapping), 'utf8').catch((error: Error) => {
    throw new InputError(`The mapping file ${mapping} cannot be read: ${error.message}.`);
  });
  return readMappingFile(text, mapping);
}

/** What is remembered for the headings of a file; it is said once when it is used. */
export function recallMapping(
  { savedMapping }: PushCommandOptions,
  target: MappingTarget,
  reporter: Reporter,
  { paths }: Runtime,
): Recall {
  const told = new Set<string>();
  const read = mappingReader(paths.config);
  return (headers) => {
    const saved = savedMapping ? read({ ...target, headers }) : undefined;
    if (saved === undefined) return undefined;
    const text = `Columns as remembered for these headings: ${describe(saved)}. --no-saved-mapping does without, --map goes before.`;
    if (!told.has(text)) reporter.report({ type: 'note', text });
    told.add(text);
    return saved;
  };
}

/** Recalls as before, and keeps what was recalled, for a plan to have it. */
export function notedRecall(recall: Recall): { recall: Recall; noted: () => PlanHeader['remembered'] } {
  const found = new Map<string, PlanHeader['remembered'][number]>();
  return {
    recall: (columns) => {
      const saved = recall(columns);
      if (saved === undefined) return undefined;
      found.set(keyOf(columns), { columns, map: [...saved.map], ignore: saved.ignore });
      return saved;
    },
    noted: () => [...found.values()],
  };
}

/** Recalls what was remembered when a plan was made, and nothing else. */
export function plannedRecall({ remembered }: PlanHeader): Recall {
  const byColumns = new Map(
    remembered.map(({ columns, map, ignore }) => [keyOf(columns), { map: new Map(map), ignore }]),
  );
  return (columns) => byColumns.get(keyOf(columns));
}

/** The same for the same headings, in any order. */
function keyOf(columns: readonly string[]): string {
  return JSON.stringify(columns.map(normaliseName).sort());
}

/** Remembers what flags and answers said, when `--save-mapping` asks for it or the person says yes. */
export async function rememberMapping(
  { result, options, answers }: Asked<PreparedInput>,
  fileOverrides: ReadonlyMap<string, string>,
  target: MappingTarget,
  reporter: Reporter,
  runtime: Runtime,
): Promise<void> {
  const all = new Map([...fileOverrides, ...parseMapFlags(options.map)]);
  const answered = answers.some(({ option }) => option === 'map' || option === 'ignoreColumn');
  if (!options.saveMapping && !(answered && (await wantsToSave(reporter, runtime)))) return;
  const tell = (text: string): void => reporter.report({ type: 'note', text });
  const shapes = result.mappings.findings.columnSets();
  if (shapes === undefined) {
    tell('The mapping is not remembered: the rows of the file have too many sets of keys.');
    return;
  }
  for (const headers of shapes) {
    const said = {
      map: new Map([...all].filter(([column]) => findColumns(column, headers).length > 0)),
      ignore: options.ignoreColumn.filter((column) => findColumns(column, headers).length > 0),
    };
    if (said.map.size + said.ignore.length === 0) continue;
    const key = { ...target, headers };
    const before = options.savedMapping ? readMapping(runtime.paths.config, key) : undefined;
    const saved = before === undefined ? said : mergeMappings(before, said);
    await writeMapping(runtime.paths.config, key, saved);
    tell(`Remembered for files with these headings: ${describe(saved)}.`);
  }
}

/** Only asked where somebody has just answered questions. */
async function wantsToSave(reporter: Reporter, runtime: Runtime): Promise<boolean> {
  reporter.pause();
  const prompt = await runtime.prompt();
  return await prompt.confirm('Remember this for the next file with the same headings?');
}

function describe({ map, ignore }: SavedMapping): string {
  const columns = [...map].map(([column, target]) => `"${column}" is ${target}`);
  const left = ignore.map((column) => `"${column}"`).join(', ');
  const dropped = ignore.length === 0 ? [] : [`${left} ${ignore.length === 1 ? 'is' : 'are'} left out`];
  const parts = [...columns, ...dropped];
  const shown = parts.slice(0, 20).join(', ');
  return parts.length > 20 ? `${shown} and ${plural(parts.length - 20, 'more', 'more')}` : shown;
}
