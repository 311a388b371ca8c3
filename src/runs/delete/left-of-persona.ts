import { EventregError, isCalledOff } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import { deletions } from '../../sync/journal/delete-rows.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/**
 * How many registrations of a persona the service lists after all that it had listed of it were deleted, besides
 * `known` ones that were to stay. Some services end a list early, and give no count that would tell. Says how many
 * there are; that the list cannot be read is told, not thrown.
 */
export async function leftOfPersona(
  { journal, run, registrations, reporter, stopping }: SendContext,
  { persona, known }: { persona: string; known: number },
): Promise<number> {
  if (stopping.aborted) return 0;
  const chosen = new Set<string>();
  for (const { id } of deletions(journal, run)) chosen.add(id);
  let count = 0;
  try {
    await registrations.readAll({ persona }, ({ records, restart }) => {
      const others = records.filter(({ id, barcode }) => !chosen.has(id ?? barcode ?? ''));
      count = others.length + (restart ? 0 : count);
    });
  } catch (error) {
    if (stopping.aborted) return 0;
    if (!(error instanceof EventregError) || isCalledOff(error)) throw error;
    const text = `Whether any of the persona ${persona} are left could not be read: ${error.message}`;
    reporter.report({ type: 'warning', text });
    return 0;
  }
  const left = Math.max(0, count - known);
  if (left > 0) {
    const some = plural(left, 'registration', 'registrations');
    const [is, came] = left === 1 ? ['is', 'it came'] : ['are', 'they came'];
    const text = `${some} of the persona ${persona} ${is} still there: the list did not show all of it, or ${came} meanwhile. Run the same command again for the rest.`;
    reporter.report({ type: 'warning', text });
  }
  return left;
}
