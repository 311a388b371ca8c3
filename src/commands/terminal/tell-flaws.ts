import { formatCount } from '../../report/words/number.ts';
import { formatProblem } from '../../report/summary/row-problems.ts';
import type { RowProblem } from '../../report/views/summary-view.ts';
import { say, type Call } from './terminal.ts';

/** All others are in `runs show`. */
const FLAWS_SHOWN = 20;

/** Tells what a delete or an undo did not leave as it was to be. */
export function tellFlaws(
  { run = '', flaws = [] }: { run?: string | undefined; flaws?: readonly RowProblem[] | undefined },
  call: Call,
): void {
  for (const flaw of flaws.slice(0, FLAWS_SHOWN)) {
    for (const line of formatProblem(flaw, call.options.showValues)) say(call, line);
  }
  if (flaws.length > FLAWS_SHOWN) {
    const more = formatCount(flaws.length - FLAWS_SHOWN);
    say(call, `… and ${more} more: eventreg runs show ${run}`);
  }
}

/** Says that what was deleted or undone comes back with the next push of the lists that have it. */
export function tellComingBack(files: readonly string[], call: Call): void {
  say(call, `Pushing ${files.join(', ')} again brings it back: change the list first.`);
}
