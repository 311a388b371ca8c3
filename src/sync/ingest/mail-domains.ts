import type { Reporter } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import { type InputRow, reject } from './input-row.ts';

/** The DNS look-ups that the e-mail check needs; answers and errors as `node:dns` gives them. */
export interface DnsResolver {
  resolveMx(domain: string): Promise<readonly { exchange: string; priority: number }[]>;
  resolve4(domain: string): Promise<readonly string[]>;
  resolve6(domain: string): Promise<readonly string[]>;
}

/** `unknown`: the look-up gave no answer, which says nothing about the domain. */
export type DomainVerdict =
  | { kind: 'ok' }
  | { kind: 'invalid'; problem: string }
  | { kind: 'unknown'; why: string };

const code = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'no answer';

/** Whether a domain takes mail: an MX record, or else an address; a null MX says it takes none. */
export async function checkDomain(domain: string, resolver: DnsResolver): Promise<DomainVerdict> {
  try {
    const records = await resolver.resolveMx(domain);
    const real = records.filter((record) => record.exchange !== '' && record.exchange !== '.');
    if (real.length > 0) return { kind: 'ok' };
    if (records.length > 0)
      return { kind: 'invalid', problem: `is at ${domain}, which takes no mail (null MX)` };
  } catch (error) {
    if (code(error) === 'ENOTFOUND')
      return { kind: 'invalid', problem: `is at ${domain}, a domain that does not exist` };
    if (code(error) === 'EBADNAME')
      return { kind: 'invalid', problem: `is at ${domain}, which is no valid domain` };
    if (code(error) !== 'ENODATA') return { kind: 'unknown', why: code(error) };
  }
  return await checkAddress(domain, resolver);
}

async function checkAddress(domain: string, resolver: DnsResolver): Promise<DomainVerdict> {
  let failure: string | undefined;
  for (const look of ['resolve4', 'resolve6'] as const) {
    try {
      if ((await resolver[look](domain)).length > 0) return { kind: 'ok' };
    } catch (error) {
      if (code(error) !== 'ENODATA' && code(error) !== 'ENOTFOUND') failure = code(error);
    }
  }
  if (failure !== undefined) return { kind: 'unknown', why: failure };
  return { kind: 'invalid', problem: `is at ${domain}, which has no mail server` };
}

const AT_ONCE = 20;
/** Domains that a note names. */
const MOST_NAMED = 3;

/** Rejects the rows that have e-mail addresses at a domain which takes no mail. Asks for each domain once, for several at a time. */
export async function checkMailDomains(
  rows: readonly InputRow[],
  resolver: DnsResolver,
  { reporter, stopping }: { reporter: Reporter; stopping: AbortSignal },
): Promise<void> {
  const all = rows.flatMap((row) => row.emails.map((email) => ({ row, ...email })));
  const domains = [...new Set(all.map(({ domain }) => domain))];
  const verdicts = new Map<string, DomainVerdict>();
  const left = domains.values();
  const work = async (): Promise<void> => {
    for (const domain of left) {
      stopping.throwIfAborted();
      verdicts.set(domain, await checkDomain(domain, resolver));
      const [done, total] = [verdicts.size, domains.length];
      reporter.report({ type: 'checking', what: 'e-mail domains', done, total });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const { row, domain, column, field, value } of all) {
    const verdict = verdicts.get(domain);
    if (verdict?.kind !== 'invalid') continue;
    const remedy = 'check the spelling after the @, or skip this check with --no-check-dns';
    const { problem } = verdict;
    reject(row, { column, field, value, code: 'email-domain', problem, remedy, personal: true });
  }
  const silent = domains.filter((domain) => verdicts.get(domain)?.kind === 'unknown');
  if (silent.length === 0) return;
  const some = silent.slice(0, MOST_NAMED).join(', ') + (silent.length > MOST_NAMED ? ', …' : '');
  const text = `DNS gave no answer for ${plural(silent.length, 'e-mail domain', 'e-mail domains')} (${some}); their addresses are taken as they are.`;
  reporter.report({ type: 'note', text });
}
