import { checkWay, type Finding, VERDICTS, type SignedRequest } from './check-way.ts';
import { KEY_FORMS } from './algorithms.ts';
import { findScheme, signatureHeader } from './find-scheme.ts';
import type { WantedScheme } from './parse-scheme.ts';
import type { Scheme } from './scheme.ts';

/** What was found, and by which scheme: its name or SPEC; undefined when `auto` found none. */
export interface Verification extends Finding {
  scheme: string | undefined;
}

/**
 * Checks the signature of a delivery over its bytes. `auto` tries what is known, to find out how a service signs: it
 * guards less than the scheme that it finds, which is the one to keep.
 */
export function verify(
  scheme: WantedScheme,
  secret: string | undefined,
  request: SignedRequest,
): Verification {
  if (scheme !== 'auto') return { scheme: scheme.name, ...check(scheme, secret, request) };
  const found = secret ? findScheme(secret, request) : undefined;
  if (found !== undefined) return { scheme: found.name, ...check(found, secret, request) };
  return { scheme: undefined, ...withoutScheme(secret, request) };
}

function check({ ways }: Scheme, secret: string | undefined, request: SignedRequest): Finding {
  const [first] = ways;
  const suitable = secret ? ways.filter(({ key }) => KEY_FORMS[key](secret) !== undefined) : ways;
  const findings = (suitable.length === 0 ? [first] : suitable).map((way) => checkWay(way, secret, request));
  const best = VERDICTS.map((verdict) => findings.find((one) => one.verdict === verdict)).find(
    (finding) => finding !== undefined,
  );
  return best ?? checkWay(first, secret, request);
}

function withoutScheme(secret: string | undefined, request: SignedRequest): Finding {
  const header = signatureHeader(request);
  if (header === undefined) return { verdict: 'unsigned', why: 'It has no header of a signature.' };
  return secret
    ? { verdict: 'wrong', why: `${header} fits this body and this secret in no way that was tried.` }
    : { verdict: 'signed but no secret given', why: `It has a header ${header}, and there is no secret.` };
}
