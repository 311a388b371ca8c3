import type { RegistrationRecord } from '../../registration/model/registration.ts';
import type { RegistrationList } from './list-registrations.ts';
import { PER_PAGE_MAX } from './page-walk.ts';

/** The service's own filter by barcode, as far as it can be believed. */
interface BarcodeFilter {
  /** It was seen to give what was not asked for, or not to give what is there. */
  readonly broken: boolean;
  /** Requests that it takes to believe it when it finds nothing; 0 once that is proven. */
  readonly proofCost: number;
  /**
   * The registrations with exactly this barcode; undefined when the filter cannot be believed. `sample`: any
   * registrations that are known to be there, if at hand.
   */
  lookUp(barcode: string, sample?: readonly RegistrationRecord[]): Promise<RegistrationRecord[] | undefined>;
}

type Proof = 'works' | 'broken' | 'nothing to see it by';

/**
 * "Not there" leads to sending again, so it is believed only of a filter that has proven itself, once a
 * client: it finds a registration that is known to be there, alone, and does not find it by a barcode that
 * is only nearly its own.
 */
export function createBarcodeFilter(list: RegistrationList): BarcodeFilter {
  let broken = false;
  let proven = false;
  let proving: Promise<Proof> | undefined;

  /** Lookups that go on at the same time wait for the one proof. */
  const prove = async (sample: readonly RegistrationRecord[] | undefined): Promise<Proof> => {
    proving ??= proveFilter(list, sample);
    try {
      const proof = await proving;
      proven ||= proof === 'works';
      return proof;
    } finally {
      if (!proven) proving = undefined;
    }
  };

  return {
    get broken() {
      return broken;
    },
    get proofCost() {
      return proven ? 0 : 2;
    },
    async lookUp(barcode, sample) {
      const found = broken ? undefined : await ask(list, barcode);
      if (found !== undefined && found.length > 0) return found;
      if (found === undefined || (await prove(sample)) === 'broken') broken = true;
      return broken ? undefined : found;
    },
  };
}

/** What the filter finds; undefined when the answer shows that it was ignored, or cannot show that it was not. */
async function ask(list: RegistrationList, barcode: string): Promise<RegistrationRecord[] | undefined> {
  const records: RegistrationRecord[] = [];
  for await (const page of list.pages({ barcode })) {
    if (page.mismatched > 0 || page.unverified > 0) return undefined;
    records.push(...page.records);
  }
  return records;
}

async function proveFilter(
  list: RegistrationList,
  sample: readonly RegistrationRecord[] | undefined,
): Promise<Proof> {
  const records = sample ?? (await list.page({}, 1, PER_PAGE_MAX)).records;
  if (records.length === 0) return 'nothing to see it by';
  const known = records.find((record) => record.barcode !== undefined)?.barcode;
  if (known === undefined) return 'broken';
  const itself = await ask(list, known);
  if (itself === undefined || itself.length === 0) return 'broken';
  return (await ask(list, nearlyAlike(known))) === undefined ? 'broken' : 'works';
}

/**
 * A barcode that a filter confuses with this one when it ignores case, or takes digits for a number. Where it
 * is one of another registration, the filter has to find that one alone.
 */
function nearlyAlike(barcode: string): string {
  const lower = barcode.toLowerCase();
  const other = barcode === lower ? barcode.toUpperCase() : lower;
  return other === barcode ? `0${barcode}` : other;
}
