import { ALGORITHMS } from './algorithms.ts';
import { ENCODINGS, KEY_FORMS } from './encodings.ts';
import type { Way } from './scheme.ts';
import { contentOf } from './signed-content.ts';
import { holdsSecret } from './token-header.ts';
import { headerValues, partsOf, readTimestamp, type SignedRequest, timestampOf } from './signed-request.ts';

/** From the best to the worst. */
export const VERDICTS = [
  'valid',
  'valid but old',
  'wrong',
  'signed but no secret given',
  'unsigned',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What was found of a signature, and why in a sentence. */
export interface Finding {
  verdict: Verdict;
  why: string;
}

/** Checks the signatures of a delivery in one way. The secret is in no sentence. */
export function checkWay(way: Way, secret: string | undefined, request: SignedRequest): Finding {
  const { header, encoding } = way;
  const values = headerValues(request, header);
  if (values.length === 0) return { verdict: 'unsigned', why: `It has no header ${header}.` };
  if (!secret) {
    return {
      verdict: 'signed but no secret given',
      why: `It has a header ${header}, and there is no secret.`,
    };
  }
  if (way.algorithm === 'token') {
    return values.some((value) => holdsSecret(value, secret))
      ? { verdict: 'valid', why: `${header} holds the secret: it tells who sends it, and not what was sent.` }
      : wrong(`${header} does not hold this secret.`);
  }
  const algorithm = ALGORITHMS[way.algorithm];
  const key = KEY_FORMS[way.key](secret);
  if (key === undefined) return wrong(`The secret is no key in the form ${way.key}.`);
  const signatures = values
    .flatMap((value) => partsOf(value, way.prefix))
    .flatMap((part) => ENCODINGS[encoding].read(part) ?? [])
    .filter(({ length }) => length === algorithm.bytes);
  if (signatures.length === 0) {
    const after = way.prefix === '' ? '' : ` after ${way.prefix}`;
    return wrong(`${header} has no signature of ${algorithm.bytes} bytes in ${encoding}${after}.`);
  }
  const timestamp = timestampOf(request, way);
  const id = way.id === undefined ? undefined : headerValues(request, way.id)[0];
  const content = contentOf(way.signed, { id, timestamp, url: request.url, body: request.body });
  if (content === undefined) return wrong(whatIsMissing(way, id, timestamp));
  if (!algorithm.fits(key, content, signatures).includes(true)) {
    return wrong('The signature is not that of this body with this secret.');
  }
  return checkAge(way, timestamp, request.nowMs);
}

const wrong = (why: string): Finding => ({ verdict: 'wrong', why });

function whatIsMissing(way: Way, id: string | undefined, timestamp: string | undefined): string {
  if (way.id !== undefined && id === undefined) return `It has no header ${way.id}, which is signed.`;
  if (way.timestamp !== undefined && timestamp === undefined) {
    return `It has no timestamp in ${way.timestamp.header}, which is signed.`;
  }
  return 'The address is signed, and it is not known here.';
}

function checkAge(way: Way, timestamp: string | undefined, nowMs: number): Finding {
  if (timestamp === undefined) return { verdict: 'valid', why: 'The signature fits; it has no time.' };
  const signedMs = readTimestamp(timestamp);
  if (signedMs === undefined) {
    return { verdict: 'valid but old', why: 'The signature fits; its time cannot be read.' };
  }
  const seconds = Math.round((nowMs - signedMs) / 1000);
  const age = seconds >= 0 ? `${seconds} s ago` : `${-seconds} s from now`;
  if (Math.abs(seconds) <= way.toleranceSeconds)
    return { verdict: 'valid', why: `The signature fits, made ${age}.` };
  const why = `The signature fits, but was made ${age}: more than ${way.toleranceSeconds} s.`;
  return { verdict: 'valid but old', why };
}
