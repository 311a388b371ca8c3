import { describe, expect, test } from 'vitest';
import {
  checkDomain,
  checkDomains,
  type DnsResolver,
  type DomainVerdict,
} from '../../../src/runs/read/check-dns.ts';

type Answer<T> = T | string;

/** Answers with what is given; a string is the code of an error. */
function resolver(answers: {
  mx?: Answer<{ exchange: string; priority: number }[]>;
  a?: Answer<string[]>;
  aaaa?: Answer<string[]>;
}): DnsResolver & { asked: string[] } {
  const asked: string[] = [];
  const answer = async <T>(kind: string, domain: string, given: Answer<T> = 'ENODATA'): Promise<T> => {
    asked.push(`${kind} ${domain}`);
    if (typeof given === 'string') throw Object.assign(new Error(`query ${given}`), { code: given });
    return given;
  };
  return {
    asked,
    resolveMx: (domain) => answer('mx', domain, answers.mx),
    resolve4: (domain) => answer('a', domain, answers.a),
    resolve6: (domain) => answer('aaaa', domain, answers.aaaa),
  };
}

const mail = [{ exchange: 'mx.example.com', priority: 10 }];

describe('a domain', () => {
  test.each<[string, Parameters<typeof resolver>[0], DomainVerdict]>([
    ['with an MX record takes mail', { mx: mail }, { kind: 'ok' }],
    [
      'with a null MX takes none (Node 20 and 22 give an empty name)',
      { mx: [{ exchange: '', priority: 0 }], a: ['192.0.2.1'] },
      { kind: 'invalid', problem: 'is at d.example, which takes no mail (null MX)' },
    ],
    [
      'with a null MX takes none (Node 24 and 26 give a dot)',
      { mx: [{ exchange: '.', priority: 0 }], a: ['192.0.2.1'] },
      { kind: 'invalid', problem: 'is at d.example, which takes no mail (null MX)' },
    ],
    [
      'with a null MX beside a real one takes mail',
      { mx: [{ exchange: '', priority: 0 }, ...mail] },
      { kind: 'ok' },
    ],
    [
      'that does not exist',
      { mx: 'ENOTFOUND' },
      { kind: 'invalid', problem: 'is at d.example, a domain that does not exist' },
    ],
    [
      'that is no name',
      { mx: 'EBADNAME' },
      { kind: 'invalid', problem: 'is at d.example, which is no valid domain' },
    ],
    ['without MX but with an IPv4 address takes mail', { mx: 'ENODATA', a: ['192.0.2.1'] }, { kind: 'ok' }],
    ['without MX but with an IPv6 address takes mail', { mx: [], aaaa: ['2001:db8::1'] }, { kind: 'ok' }],
    [
      'with neither takes none',
      { mx: 'ENODATA' },
      { kind: 'invalid', problem: 'is at d.example, which has no mail server' },
    ],
    ['whose server fails is not judged', { mx: 'ESERVFAIL' }, { kind: 'unknown', why: 'ESERVFAIL' }],
    ['whose server is silent is not judged', { mx: 'ETIMEOUT' }, { kind: 'unknown', why: 'ETIMEOUT' }],
    [
      'whose addresses cannot be looked up is not judged',
      { mx: 'ENODATA', a: 'ESERVFAIL' },
      { kind: 'unknown', why: 'ESERVFAIL' },
    ],
  ])('%s', async (_name, answers, verdict) => {
    expect(await checkDomain('d.example', resolver(answers))).toEqual(verdict);
  });

  test('that exists is asked for addresses only when it has no MX', async () => {
    const quick = resolver({ mx: mail });
    await checkDomain('d.example', quick);
    expect(quick.asked).toEqual(['mx d.example']);
    const long = resolver({});
    await checkDomain('d.example', long);
    expect(long.asked).toEqual(['mx d.example', 'a d.example', 'aaaa d.example']);
  });
});

describe('many domains', () => {
  const domains = Array.from({ length: 55 }, (_, index) => `d${index}.example`);

  test('are looked up once each, at most 20 at a time, and told one by one', async () => {
    let now = 0;
    let most = 0;
    const asked: string[] = [];
    const told: [string, number][] = [];
    const slow: DnsResolver = {
      ...resolver({}),
      async resolveMx(domain) {
        asked.push(domain);
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return mail;
      },
    };
    await checkDomains(domains, slow, new AbortController().signal, (domain, _verdict, done) =>
      told.push([domain, done]),
    );
    expect([asked, most]).toEqual([domains, 20]);
    expect(told.map(([domain]) => domain).sort()).toEqual([...domains].sort());
    expect(told.at(-1)?.[1]).toBe(55);
  });

  test('end with the reason of the stop signal, and nothing further is asked', async () => {
    const stop = new AbortController();
    const asked: string[] = [];
    const stopping: DnsResolver = {
      ...resolver({}),
      async resolveMx(domain) {
        asked.push(domain);
        if (asked.length === 20) stop.abort(new Error('stopped'));
        await new Promise((resolve) => setImmediate(resolve));
        return mail;
      },
    };
    await expect(checkDomains(domains, stopping, stop.signal, () => undefined)).rejects.toThrow('stopped');
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(20);
  });
});
