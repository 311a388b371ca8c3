import type { Journal, Run, RunState } from './journal.ts';
import { otherHolder } from './runs.ts';

/** A run that says it is at work, but that nobody works on, was killed. */
export function shownState(journal: Journal, run: Run): RunState | 'killed' {
  const active = run.state === 'reading' || run.state === 'sending';
  return active && otherHolder(journal, run) === undefined ? 'killed' : run.state;
}
