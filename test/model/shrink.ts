import { playScenario } from './play.ts';
import type { Scenario } from './scenario.ts';

/** The scenario without all that it does not need to break one of the invariants. */
export async function shrink(scenario: Scenario, invariants: ReadonlySet<string>): Promise<Scenario> {
  let smallest = scenario;
  for (let found = true; found; ) {
    found = false;
    for (const smaller of smallerThan(smallest)) {
      const { violations } = await playScenario(smaller);
      if (!violations.some(({ invariant }) => invariants.has(invariant))) continue;
      smallest = smaller;
      found = true;
      break;
    }
  }
  return smallest;
}

/** Without them nobody could tell the rows of a file without barcodes apart. */
const KEPT: readonly string[] = ['first_name', 'last_name', 'email'];

/** The same with one thing left out, the largest things first. */
function* smallerThan(scenario: Scenario): Generator<Scenario> {
  const { switches, staff, steps } = scenario;
  for (const at of steps.keys()) if (steps.length > 1) yield { ...scenario, steps: steps.toSpliced(at, 1) };
  for (const name of Object.keys(switches).filter((one) => one !== 'limit')) {
    const others = Object.fromEntries(Object.entries(switches).filter(([one]) => one !== name));
    yield { ...scenario, switches: others };
  }
  for (const name of Object.keys(scenario.habits ?? {})) {
    const others = Object.fromEntries(Object.entries(scenario.habits ?? {}).filter(([one]) => one !== name));
    yield { ...scenario, habits: Object.keys(others).length === 0 ? undefined : others };
  }
  for (const at of staff.keys()) yield { ...scenario, staff: staff.toSpliced(at, 1) };
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'push') continue;
    const withStep = (changed: typeof step): Scenario => ({ ...scenario, steps: steps.with(at, changed) });
    if (step.soon === true) yield withStep({ ...step, soon: false });
    if (step.dry) yield withStep({ ...step, dry: false });
    if (step.during !== undefined) yield withStep({ ...step, during: undefined });
    if (step.kill !== undefined) yield withStep({ ...step, kill: undefined });
    const { file } = step;
    for (const row of file.rows.keys()) {
      if (file.rows.length > 1)
        yield withStep({ ...step, file: { ...file, rows: file.rows.toSpliced(row, 1) } });
    }
    for (const column of file.columns.keys()) {
      if (!KEPT.includes(file.columns[column] ?? 'email'))
        yield withStep({ ...step, file: { ...file, columns: file.columns.toSpliced(column, 1) } });
    }
  }
}
