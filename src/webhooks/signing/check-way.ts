import { ALGORITHMS, type Content, ENCODINGS, KEY_FORMS, holdsSecret } from './algorithms.ts';
import type { Way } from './scheme.ts';

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

/** A delivery as it came: every header with its value, in any case and more than once, and the bytes of the body. */
export interface SignedRequest {
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** The address as the service calls it, where it is known: few sign it. */
  url?: string | undefined;
  /** Milliseconds since 1970. */
  nowMs: number;
}

/** All values of a header that are not empty. `name` is in lower case. */
function headerValues(request: Pick<SignedRequest, 'headers'>, name: string): string[] {
  return request.headers.flatMap(([one, value]) => {
    const trimmed = value.trim();
    return one.toLowerCase() === name && trimmed !== '' ? [trimmed] : [];
  });
}

/** The timestamp as it was written; undefined when it is not there. */
function timestampOf(request: SignedRequest, { timestamp }: Pick<Way, 'timestamp'>): string | undefined {
  if (timestamp === undefined) return undefined;
  const values = headerValues(request, timestamp.header);
  const { key } = timestamp;
  if (key === undefined) return values[0];
  const parts = values.flatMap((value) => value.split(/[\s,;]+/));
  return parts.find((part) => part.startsWith(`${key}=`))?.slice(key.length + 1);
}

/** Seconds or milliseconds since 1970, or an ISO 8601 time, as milliseconds; undefined when it is none. */
export function readTimestamp(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text) * 1000;
  if (/^\d{12,14}$/.test(text)) return Number(text);
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The parts of a header that may each be a signature. A prefix with a comma has spaces between its parts. */
function partsOf(value: string, prefix: string): string[] {
  return value
    .split(prefix.endsWith(',') ? /\s+/ : /[\s,;]+/)
    .flatMap((part) => (part.startsWith(prefix) && part !== prefix ? [part.slice(prefix.length)] : []));
}

/** What a delivery has that may be signed; undefined where it has it not. */
interface SignedParts {
  id: string | undefined;
  timestamp: string | undefined;
  url: string | undefined;
  body: Uint8Array;
}

const PARTS = /(id|timestamp|url|body)/;
type Part = keyof SignedParts;

/** Pieces by turns: what stands for itself, then the name of a part. */
const split = (template: string): string[] => template.split(PARTS);

/** Whether it holds the part. */
export function templateUses(template: string, part: Part): boolean {
  return split(template).some((piece, at) => at % 2 === 1 && piece === part);
}

/** What is wrong with a template, in words; undefined when nothing is. A misspelt part must not pass for a text. */
export function templateFlaw(template: string): string | undefined {
  const odd = split(template).find(
    (piece, at) => at % 2 === 0 && !/^(?:v\d+)?[^\p{L}\p{N}\s]*$/u.test(piece),
  );
  if (odd !== undefined) {
    return `what is signed is made of id, timestamp, url and body with signs between them, not ${JSON.stringify(odd)}`;
  }
  return templateUses(template, 'body') ? undefined : 'what is signed must hold the body';
}

/** What is signed; undefined when a part of it is missing. Headers are bytes, which Node.js shows as Latin-1. */
export function contentOf(template: string, parts: SignedParts): Content | undefined {
  const pieces = split(template).map((piece, at) => (at % 2 === 0 ? piece : parts[piece as Part]));
  if (pieces.includes(undefined)) return undefined;
  return pieces.map((piece) => (piece instanceof Uint8Array ? piece : Buffer.from(piece ?? '', 'latin1')));
}
