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

/** Checks each domain once, several at a time. Calls back with every verdict. */
export async function checkDomains(
  domains: readonly string[],
  resolver: DnsResolver,
  stopping: AbortSignal,
  onVerdict: (domain: string, verdict: DomainVerdict, done: number) => void,
): Promise<void> {
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let domain = domains[next++]; domain !== undefined; domain = domains[next++]) {
      stopping.throwIfAborted();
      const verdict = await checkDomain(domain, resolver);
      done += 1;
      onVerdict(domain, verdict, done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
