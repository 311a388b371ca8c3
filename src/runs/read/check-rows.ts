import type { Reporter } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { RegistrationsClient } from '../../service/registrations.ts';
import type { DnsResolver } from './check-dns.ts';
import {
  type BarcodeColumns,
  layerRows,
  parentsOutsideFile,
  rejectDomain,
  rejectDuplicates,
  rejectExample,
  rejectMembersOfRejected,
  rejectOrphans,
} from './reject-rows.ts';
import { rejectMadeTwice } from './guard-made.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

export interface CheckOptions {
  /** What invalid rows do: stop everything, or be left out. */
  invalid: 'stop' | 'skip';
  /** Undefined: e-mail domains are not looked up. */
  resolver: DnsResolver | undefined;
}

type CheckContext = Pick<
  SendContext,
  'journal' | 'registrations' | 'reporter' | 'stopping' | 'target' | 'event'
>;

/**
 * The checks that need more than one row, or the world outside. All of them run before anything is said. Returns of rows
 * that may be people of an earlier push, by the barcode that they would get, the one that they were given.
 */
export async function checkRows(
  run: string,
  { columns, likeExamples }: { columns: BarcodeColumns; likeExamples: readonly number[] },
  options: CheckOptions,
  context: CheckContext,
): Promise<ReadonlyMap<string, string>> {
  const { journal, registrations } = context;
  const same = journal.transaction(() => {
    rejectExample(journal, run, likeExamples, columns);
    rejectDuplicates(journal, run, columns);
    return rejectMadeTwice(run, columns, context);
  });
  const outside = parentsOutsideFile(journal, run);
  if (outside.length > 0) {
    context.reporter.report({
      type: 'checking',
      what: 'parents in the service',
      done: 0,
      total: outside.length,
    });
    const missing = await missingIn(registrations, outside, context.reporter);
    journal.transaction(() => rejectOrphans(journal, run, missing, columns));
  }
  journal.transaction(() => layerRows(journal, run, columns));
  if (options.resolver !== undefined) await checkMailDomains(run, options.resolver, context);
  if (options.invalid === 'skip') journal.transaction(() => rejectMembersOfRejected(journal, run, columns));
  journal.run('DELETE FROM email WHERE run = $run', { run });
  return same;
}

async function checkMailDomains(run: string, resolver: DnsResolver, context: CheckContext): Promise<void> {
  const { journal, reporter } = context;
  const domains = journal
    .all<{ domain: string }>('SELECT DISTINCT domain FROM email WHERE run = $run', { run })
    .map((row) => row.domain);
  const silent: string[] = [];
  const { checkDomains } = await import('./check-dns.ts');
  await checkDomains(domains, resolver, context.stopping, (domain, verdict, done) => {
    if (verdict.kind === 'invalid') {
      journal.transaction(() => rejectDomain(journal, run, domain, verdict.problem));
    }
    if (verdict.kind === 'unknown') silent.push(domain);
    reporter.report({ type: 'checking', what: 'e-mail domains', done, total: domains.length });
  });
  if (silent.length === 0) return;
  const some = silent.slice(0, 3).join(', ') + (silent.length > 3 ? ', …' : '');
  reporter.report({
    type: 'note',
    text: `DNS gave no answer for ${plural(silent.length, 'e-mail domain', 'e-mail domains')} (${some}); their addresses are taken as they are.`,
  });
}

/** The barcodes that no registration of the service has; none when it does not show barcodes. */
async function missingIn(
  registrations: RegistrationsClient,
  barcodes: readonly string[],
  reporter: Reporter,
): Promise<string[]> {
  try {
    const found = await registrations.findByBarcode(barcodes);
    return barcodes.filter((barcode) => found.get(barcode)?.length === 0);
  } catch (error) {
    if (!(error instanceof BarcodesHiddenError)) throw error;
    const some = plural(barcodes.length, 'parent', 'parents');
    reporter.report({ type: 'warning', text: `${some} outside the file not checked. ${error.message}` });
    return [];
  }
}
