import {
  type Algorithm,
  ALGORITHMS,
  type AlgorithmName,
  type EncodingName,
  ENCODINGS,
  isOfPair,
  KEY_FORMS,
  type KeyForm,
  holdsSecret,
} from './algorithms.ts';
import { checkWay, readTimestamp, type SignedRequest, contentOf, templateUses } from './check-way.ts';
import { specOf } from './parse-scheme.ts';
import { NAMED, type Scheme, TOLERANCE_SECONDS, tokenWay, type Way } from './scheme.ts';

/** What services sign; those without a timestamp or an id are tried once. */
const TEMPLATES = [
  'body',
  'timestamp.body',
  'id.timestamp.body',
  'v0:timestamp:body',
  'timestamp:body',
  'timestampbody',
  'urlbody',
  'id.body',
];

const FORMS = ['text', 'base64-after-prefix', 'base64', 'hex'] as const satisfies KeyForm[];

/** A key of few bytes could be guessed, and whoever sends a delivery chooses what fits: text is taken as it is. */
const LEAST_KEY_BYTES = 16;

/** As short as the secrets that services give out are. */
const LEAST_TOKEN = 8;

/** A delivery may come from anybody: no more headers, times and ids than any service has. */
const MOST_HEADERS = 200;
const MOST_PLACES = 6;

/**
 * Bytes that are hashed at most, in those of SHA-256: a large body is hashed for the likely ways alone, and takes some
 * 20 ms. The usual ones are small, and tried in all ways.
 */
const MOST_HASHED_BYTES = 24 * 1024 * 1024;
/** How long a byte takes, beside one of SHA-256. */
const COSTS: Readonly<Record<AlgorithmName, number>> = {
  'hmac-sha1': 1,
  'hmac-sha256': 1,
  'hmac-sha512': 2,
  ed25519: 3,
};

/** The scheme by which a delivery is signed with the secret, however old it is: one with a name, or a SPEC. */
export function findScheme(secret: string, request: SignedRequest): Scheme | undefined {
  const fits = (way: Way): boolean =>
    suits(way.algorithm, secret) && checkWay(way, secret, request).verdict.startsWith('valid');
  const named = Object.entries(NAMED).find(([, ways]) => ways.some(fits));
  if (named !== undefined) return { name: named[0], ways: named[1] };
  const way = findWay(secret, request) ?? findToken(secret, request);
  return way === undefined || !fits(way) ? undefined : { name: specOf(way), ways: [way] };
}

const suits = (algorithm: Way['algorithm'], secret: string): boolean =>
  algorithm === 'ed25519' || !isOfPair(secret);

/** The header that holds the secret as it is. A short one may stand in any header by chance. */
function findToken(secret: string, { headers }: SignedRequest): Way | undefined {
  if (secret.length < LEAST_TOKEN) return undefined;
  const [name] = headers.slice(0, MOST_HEADERS).find(([, value]) => holdsSecret(value.trim(), secret)) ?? [];
  return name === undefined ? undefined : tokenWay(name.toLowerCase());
}

/** What is made of a body without a secret. */
const DIGEST = /^(?:etag|content-md5|(?:content-|repr-)?digest)$/;

/** Names that secrets go by which are sent as they are. */
export const SECRET_HEADER =
  /(?:^|[-_])(?:token|secret|auth|password|authorization)$|(?:api|access|auth|hook)[-_]?(?:key|token)/;

/** Names that signatures and secrets go by. */
export const SIGNATURE_HEADER = new RegExp(`signature|hmac|(?:^|[-_])sign$|${SECRET_HEADER.source}`);

/** Names of what has the length of a signature, and is none. */
const NO_SIGNATURE =
  /(?:^|[-_])(?:id|nonce|key|delivery)$|etag|digest|hash|checksum|sha\d|md5|trace|request|cookie/;

/** The header of a delivery that is signed in some way, by its name, else by what it holds; in lower case. */
export function signatureHeader({ headers }: Pick<SignedRequest, 'headers'>): string | undefined {
  const all = headers.flatMap(([name, value]) =>
    value.trim() === '' ? [] : [[name.toLowerCase(), value.trim()] as const],
  );
  const named = all.find(([name]) => SIGNATURE_HEADER.test(name));
  const [found] =
    named ??
    all.find(([name, value]) => !NO_SIGNATURE.test(name) && candidatesOf(name, value).length > 0) ??
    [];
  return found;
}

/** What may be a signature, by its length. */
type Candidate = Pick<Way, 'header' | 'prefix' | 'encoding'> & { bytes: Buffer };

function findWay(secret: string, request: SignedRequest): Way | undefined {
  const headers = request.headers
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const);
  const candidates = headers
    .filter(([header]) => !DIGEST.test(header))
    .flatMap(([header, value]) => candidatesOf(header, value));
  const keys = keysOf(secret);
  let left = MOST_HASHED_BYTES;
  for (const { content, ...places } of likelyFirst(contentsOf(headers, request), candidates)) {
    for (const [algorithm, { bytes, fits }] of Object.entries(ALGORITHMS) as [AlgorithmName, Algorithm][]) {
      const possible = candidates.filter((candidate) => candidate.bytes.length === bytes);
      if (possible.length === 0 || !suits(algorithm, secret)) continue;
      const signatures = possible.map((candidate) => candidate.bytes);
      for (const { key, form } of keys) {
        left -= COSTS[algorithm] * request.body.length;
        if (left < 0) return undefined;
        const found = possible[fits(key, content, signatures).indexOf(true)];
        if (found === undefined) continue;
        const { header, prefix, encoding } = found;
        const how = { algorithm, header, prefix, encoding, key: form };
        return { ...how, ...places, toleranceSeconds: TOLERANCE_SECONDS };
      }
    }
  }
  return undefined;
}

/** First what is signed with ids and times beside a signature, as their names tell; then the body alone. */
function likelyFirst(contents: readonly Contents[], candidates: readonly Candidate[]): Contents[] {
  const families = new Set(candidates.map(({ header }) => familyOf(header)));
  const rank = ({ id, timestamp }: Contents): number => {
    const places = [id, timestamp?.header].filter((header) => header !== undefined);
    if (places.length === 0) return 1;
    return places.every((header) => families.has(familyOf(header))) ? 0 : 2;
  };
  return contents.toSorted((one, other) => rank(one) - rank(other));
}

/** `x-acme` of `x-acme-signature`. */
const familyOf = (header: string): string => header.split('-', header.startsWith('x-') ? 2 : 1).join('-');

/** Every part of a header that has the length of a signature in some encoding, with and without a prefix. */
function candidatesOf(header: string, value: string): Candidate[] {
  const lengths = Object.values(ALGORITHMS).map(({ bytes }) => bytes);
  const parts = new Set([...value.split(/\s+/), ...value.split(/[\s,;]+/)]);
  return [...parts].flatMap((part) => {
    const [, before = '', after = ''] = /^([A-Za-z][\w-]{0,30}[=,:])(.+)$/.exec(part) ?? [];
    const texts = [[before, after] as const, ['', part] as const];
    return texts.flatMap(([prefix, text]) =>
      encodingsOf(text).flatMap((encoding): Candidate[] => {
        const bytes = ENCODINGS[encoding].read(text);
        return bytes !== undefined && lengths.includes(bytes.length)
          ? [{ header, prefix, encoding, bytes }]
          : [];
      }),
    );
  });
}

/** Signatures of these lengths end with = in base64, and in that of URLs usually not. */
const encodingsOf = (text: string): EncodingName[] =>
  /[-_]|[^=]$/.test(text) ? ['hex', 'base64url', 'base64hex'] : ['base64', 'base64hex'];

function keysOf(secret: string): { key: Buffer; form: KeyForm }[] {
  return FORMS.flatMap((form) => {
    const key = KEY_FORMS[form](secret);
    return key === undefined || (form !== 'text' && key.length < LEAST_KEY_BYTES) ? [] : [{ key, form }];
  });
}

type Contents = Pick<Way, 'signed' | 'id' | 'timestamp'> & { content: readonly Uint8Array[] };

/** Every template with every id and time that it may be about; what comes to the same bytes is there once. */
function contentsOf(headers: readonly (readonly [string, string])[], request: SignedRequest): Contents[] {
  const ids = headers.filter(([name]) => /(?:^|[-_])(?:id|delivery)$/.test(name)).slice(0, MOST_PLACES);
  const times = headers.flatMap(([name, value]) => timesIn(name, value)).slice(0, MOST_PLACES);
  const { url, body } = request;
  const found = new Map<string, Contents>();
  for (const signed of TEMPLATES) {
    for (const id of templateUses(signed, 'id') ? ids : [undefined]) {
      for (const time of templateUses(signed, 'timestamp') ? times : [undefined]) {
        const content = contentOf(signed, { id: id?.[1], timestamp: time?.text, url, body });
        if (content === undefined) continue;
        const before = content
          .map((piece) => (piece === body ? '' : Buffer.from(piece).toString('latin1')))
          .join('');
        const places = { ...(id && { id: id[0] }), ...(time && { timestamp: time.place }) };
        if (!found.has(before)) found.set(before, { signed, content, ...places });
      }
    }
  }
  return [...found.values()];
}

/** Times that a header holds, alone or behind `key=`. */
function timesIn(header: string, value: string): { place: NonNullable<Way['timestamp']>; text: string }[] {
  if (value.length >= 10 && readTimestamp(value) !== undefined) return [{ place: { header }, text: value }];
  return value.split(/[\s,;]+/).flatMap((part) => {
    const [, key = '', text = ''] = /^([A-Za-z]\w{0,20})=(\d{10,14})$/.exec(part) ?? [];
    return text === '' ? [] : [{ place: { header, key }, text }];
  });
}
