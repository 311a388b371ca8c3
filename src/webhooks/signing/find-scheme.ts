import { ALGORITHMS, type AlgorithmName } from './algorithms.ts';
import { checkWay } from './check-way.ts';
import { type EncodingName, ENCODINGS, KEY_FORMS, type KeyForm } from './encodings.ts';
import { specOf } from './parse-scheme.ts';
import { NAMED, type Scheme, TOLERANCE_SECONDS, type Way } from './scheme.ts';
import { contentOf, templateUses } from './signed-content.ts';
import { readTimestamp, type SignedRequest } from './signed-request.ts';

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

/** A delivery may come from anybody: no more headers, times and ids than any service has. */
const MOST_HEADERS = 200;
const MOST_PLACES = 6;

/** The scheme by which a delivery is signed with the secret, however old it is: one with a name, or a SPEC. */
export function findScheme(secret: string, request: SignedRequest): Scheme | undefined {
  const fits = (way: Way): boolean => checkWay(way, secret, request).verdict.startsWith('valid');
  const named = Object.entries(NAMED).find(([, ways]) => ways.some(fits));
  if (named !== undefined) return { name: named[0], ways: named[1] };
  const way = findWay(secret, request);
  return way === undefined || !fits(way) ? undefined : { name: specOf(way), ways: [way] };
}

/** What may be a signature, by its length. */
type Candidate = Pick<Way, 'header' | 'prefix' | 'encoding'> & { bytes: Buffer };

function findWay(secret: string, request: SignedRequest): Way | undefined {
  const headers = request.headers
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const);
  const candidates = headers.flatMap(([header, value]) => candidatesOf(header, value));
  const keys = keysOf(secret);
  const contents = contentsOf(headers, request);
  for (const algorithm of Object.keys(ALGORITHMS) as AlgorithmName[]) {
    const { bytes, fits } = ALGORITHMS[algorithm];
    const possible = candidates.filter((candidate) => candidate.bytes.length === bytes);
    if (possible.length === 0) continue;
    const signatures = possible.map((candidate) => candidate.bytes);
    for (const { key, form } of keys) {
      for (const { content, ...places } of contents) {
        const found = possible[fits(key, content, signatures).indexOf(true)];
        if (found === undefined) continue;
        const { header, prefix, encoding } = found;
        return {
          algorithm,
          header,
          prefix,
          encoding,
          key: form,
          ...places,
          toleranceSeconds: TOLERANCE_SECONDS,
        };
      }
    }
  }
  return undefined;
}

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

/** Every template with every id and time that it may be about. */
function contentsOf(headers: readonly (readonly [string, string])[], request: SignedRequest): Contents[] {
  const ids = headers.filter(([name]) => /(?:^|[-_])(?:id|delivery)$/.test(name)).slice(0, MOST_PLACES);
  const times = headers.flatMap(([name, value]) => timesIn(name, value)).slice(0, MOST_PLACES);
  return TEMPLATES.flatMap((signed) => {
    const someIds = templateUses(signed, 'id') ? ids : [undefined];
    const someTimes = templateUses(signed, 'timestamp') ? times : [undefined];
    return someIds.flatMap((id) =>
      someTimes.flatMap((time): Contents[] => {
        const { url, body } = request;
        const content = contentOf(signed, { id: id?.[1], timestamp: time?.text, url, body });
        if (content === undefined) return [];
        return [{ signed, content, ...(id && { id: id[0] }), ...(time && { timestamp: time.place }) }];
      }),
    );
  });
}

/** Times that a header holds, alone or behind `key=`. */
function timesIn(header: string, value: string): { place: NonNullable<Way['timestamp']>; text: string }[] {
  if (value.length >= 10 && readTimestamp(value) !== undefined) return [{ place: { header }, text: value }];
  return value.split(/[\s,;]+/).flatMap((part) => {
    const [, key = '', text = ''] = /^([A-Za-z]\w{0,20})=(\d{10,14})$/.exec(part) ?? [];
    return text === '' ? [] : [{ place: { header, key }, text }];
  });
}
