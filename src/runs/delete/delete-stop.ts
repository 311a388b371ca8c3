import { GuardError, ServiceError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import { type Allowance, allowed, formatAllowance } from '../judge/allowance.ts';
import type { DeleteRow } from '../journal/delete-rows.ts';
import type { RowOutcome } from '../judge/judge-found.ts';

/** When this many are refused alike before one is deleted, the rest would be too. */
const ALIKE = 20;
/** When this many one after the other get no certain answer, the service is in no state to delete any. */
const UNCERTAIN_IN_A_ROW = 20;

/** Decides from the outcomes of deletions, in the order in which they come, when to try no more. */
export class DeleteStop {
  readonly #maxFailures: Allowance | undefined;
  readonly #total: number;
  #failures = 0;
  #uncertainInARow = 0;
  #firstFailure: string | undefined;
  /** True once one was deleted, or refused for another reason than the first. */
  #differ = false;

  /** `total`: how many are to be deleted; a share of failures is one of these. */
  constructor({ maxFailures, total }: { maxFailures: Allowance | undefined; total: number }) {
    this.#maxFailures = maxFailures;
    this.#total = total;
  }

  /** Books an outcome. Returns why no more should be tried, if so. */
  book({ id }: Pick<DeleteRow, 'id'>, { state, message = '' }: RowOutcome): Error | undefined {
    this.#uncertainInARow = state === 'uncertain' ? this.#uncertainInARow + 1 : 0;
    if (state === 'uncertain') return this.#silent(message);
    if (state !== 'failed') {
      this.#differ = true;
      return undefined;
    }
    this.#failures += 1;
    // The id is all that differs between two refusals of one kind.
    const failure = message.replaceAll(id, '…');
    this.#firstFailure ??= failure;
    if (failure !== this.#firstFailure) this.#differ = true;
    return this.#alike(message) ?? this.#tooMany(message);
  }

  #silent(message: string): Error | undefined {
    if (this.#uncertainInARow < UNCERTAIN_IN_A_ROW) return undefined;
    return new ServiceError(
      `${UNCERTAIN_IN_A_ROW} deletions one after the other got no certain answer, so the rest was not tried: ${message}`,
      { hint: 'Run the same command again when the service is well.' },
    );
  }

  #alike(message: string): Error | undefined {
    if (this.#differ || this.#failures < ALIKE) return undefined;
    return new ServiceError(
      `The first ${ALIKE} deletions were all refused alike, so the rest was not tried: ${message}`,
      { hint: 'Mend the cause and run the same command again.' },
    );
  }

  #tooMany(message: string): Error | undefined {
    const limit = this.#maxFailures;
    if (limit === undefined || this.#failures <= allowed(limit, this.#total)) return undefined;
    const some = plural(this.#failures, 'deletion was', 'deletions were');
    return new GuardError(
      `${some} refused, more than --max-failures ${formatAllowance(limit)} allows, so the rest was not tried. The last one: ${message}`,
      { hint: 'Mend the cause and run the same command again: it goes on where it stopped.' },
    );
  }
}
