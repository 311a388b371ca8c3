import { plural } from '../report/number.ts';
import type { PlanDecision } from './plan-row.ts';

/** What is said of a plan before it is carried out, because it may not be what is wanted. */
export class PlanRemarks {
  #first = 0;
  /** Registrations by where they move, as `visitor to exhibitor`. */
  readonly #moves = new Map<string, number>();

  /** Takes the plan of a row. `isFirst`: whether its registration was never sent from this machine. */
  see({ action, changes }: PlanDecision, isFirst: () => boolean): void {
    if (action !== 'update') return;
    if (isFirst()) this.#first += 1;
    const move = changes.find(({ field }) => field === 'persona');
    if (move?.before === undefined) return;
    const fromTo = `${String(move.before)} to ${String(move.after)}`;
    this.#moves.set(fromTo, (this.#moves.get(fromTo) ?? 0) + 1);
  }

  /** One sentence each. */
  *texts(): Generator<string> {
    if (this.#first > 0) {
      const [differ, were, theirs] =
        this.#first === 1 ? ['differs', 'was', 'its'] : ['differ', 'were', 'theirs'];
      const who = plural(this.#first, 'registration', 'registrations');
      yield `${who} ${differ} from the file and ${were} not sent from this machine: the file's values replace ${theirs}; --dry-run --diff shows which.`;
    }
    for (const [fromTo, count] of this.#moves) {
      yield `${plural(count, 'registration moves', 'registrations move')} from ${fromTo}.`;
    }
  }
}
