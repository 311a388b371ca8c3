import { fieldsOf } from '../../registration/changes/field-change.ts';
import { emailOf, nameOf } from '../../registration/changes/person.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Reporter } from '../../report/views/events.ts';
import type { InputRow } from './input-row.ts';

/** Different addresses that are counted: one that many have stands among the first. */
const MOST_KNOWN = 10_000;
/** People of one address: fewer are a family. */
const MANY = 3;

/** Tells how many people can be reached, and who shares an address with others, before anything is sent. */
export function tellContacts(
  rows: readonly InputRow[],
  { event, reporter }: { event: EventInfo; reporter: Reporter },
): void {
  const fields = fieldsOf(event);
  const people = rows.flatMap(({ registration, part }) => {
    if (registration === undefined || part > 0) return [];
    const phone = fields(registration.persona).find(({ kind }) => kind === 'phone');
    const number = registration.fields[phone?.slug ?? ''];
    return {
      name: nameOf(registration, fields),
      'e-mail address': emailOf(registration, fields)?.toLowerCase(),
      'phone number': typeof number === 'string' && number !== '' ? number : undefined,
    };
  });
  for (const what of ['name', 'e-mail address'] as const) {
    const missing = people.filter((one) => one[what] === undefined).length;
    if (missing === 0 || missing === people.length) continue;
    const have = missing === 1 ? 'has' : 'have';
    reporter.report({ type: 'warning', text: `${missing} of ${people.length} rows ${have} no ${what}.` });
  }
  for (const what of ['e-mail address', 'phone number'] as const) {
    const names = new Map<string, Set<string>>();
    for (const { [what]: address, name = '' } of people) {
      if (address === undefined) continue;
      const known = names.get(address) ?? new Set();
      if (names.size < MOST_KNOWN) names.set(address, known);
      known.add(name);
    }
    tellShared(
      what,
      [...names.values()].map(({ size }) => size),
      reporter,
    );
  }
}

/** By address, how many people have it. */
function tellShared(what: string, counts: readonly number[], reporter: Reporter): void {
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  const shared = counts.filter((count) => count > 1);
  const most = shared.reduce((one, other) => Math.max(one, other), 0);
  if (most < MANY && (shared.length === 0 || sum(shared) < sum(counts))) return;
  const text = `${sum(shared)} of ${sum(counts)} people share their ${what} with somebody else of the list, up to ${most} one and the same. If it is whoever paid, --map says which column is the guests’ own.`;
  reporter.report({ type: 'note', text });
}
