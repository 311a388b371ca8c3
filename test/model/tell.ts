import type { Played } from './play.ts';
import { csvOf } from './csv.ts';
import type { Violation } from './observe.ts';
import type { Scenario, Step } from './scenario.ts';

/** A scenario for people: the service, what was there, and every step. */
export function describeScenario({ switches, habits, staff, steps, calm }: Scenario): string {
  const { limit: _limit, ...others } = switches;
  const set = Object.entries(others).map(([name, value]) => `${name}=${value}`);
  return [
    `service: ${set.join(' ') || 'as it is by default'}${calm ? ' (calm)' : ''}`,
    ...(habits === undefined ? [] : [`its habits: ${JSON.stringify(habits)}`]),
    ...staff.map((entry, at) => `staff put ${901 + at}: ${JSON.stringify(entry)}`),
    ...steps.map((step, at) => `step ${at + 1}: ${describeStep(step)}`),
  ].join('\n');
}

function describeStep(step: Step): string {
  if (step.kind !== 'push') return JSON.stringify(step);
  const { file, flags, dry, during, kill, soon } = step;
  const more = [
    dry ? 'after a dry run' : '',
    soon === true ? 'a second later' : '',
    during === undefined
      ? ''
      : `at request ${during.request}${during.isLate === true ? ' more sent, on the last' : ''} ${JSON.stringify(during.edit)}`,
    kill === undefined ? '' : `killed at request ${kill.request}${kill.landed ? ', which lands' : ''}`,
  ].filter((text) => text !== '');
  const lines = csvOf(file)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`);
  return [`push ${flags.join(' ')} ${more.join(', ')}`, ...lines].join('\n');
}

/** What was broken, a line each. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations.map(({ step, invariant, what }) => `  step ${step} ${invariant}: ${what}`).join('\n');
}

/** Invariants by how many scenarios broke them. */
export function table(all: readonly Played[]): string {
  const counts = new Map<string, number>();
  for (const { violations } of all) {
    for (const name of new Set(violations.map(({ invariant }) => invariant))) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const lines = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${String(count).padStart(7)}  ${name}`);
  return ['scenarios  promise broken', ...lines].join('\n');
}
