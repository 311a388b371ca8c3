import { UsageError } from '../../errors.ts';
import {
  ALGORITHMS,
  type AlgorithmName,
  ENCODINGS,
  type EncodingName,
  KEY_FORMS,
  type KeyForm,
} from './algorithms.ts';
import { NAMED, type Scheme, SCHEME_NAMES, TOLERANCE_SECONDS, tokenWay, type Way } from './scheme.ts';
import { templateFlaw, templateUses } from './check-way.ts';

/** A scheme, or that it is to be found out. */
export type WantedScheme = Scheme | 'auto';

const SPEC =
  'ALGORITHM:HEADER:ENCODING[:WHAT-IS-SIGNED][;key=…][;prefix=…][;timestamp=…][;id=…][;tolerance=SECONDS]';
const OPTIONS = ['key', 'prefix', 'timestamp', 'id', 'tolerance'] as const;
type Options = Partial<Record<(typeof OPTIONS)[number], string>>;

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Reads a name, a SPEC or `auto`. Throws a UsageError that names everything that is wrong. */
export function parseScheme(text: string): WantedScheme {
  const name = text.trim();
  if (name === 'auto') return 'auto';
  const ways = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  if (ways !== undefined) return { name, ways };
  if (!name.includes(':'))
    throw new UsageError(`There is no scheme of signatures ${JSON.stringify(name)}.`, HINT);
  const way = parseSpec(name);
  return { name: specOf(way), ways: [way] };
}

const HINT = {
  hint: `It is auto, ${SCHEME_NAMES.join(', ')}, or like hmac-sha256:x-signature:hex:timestamp.body (${SPEC}); token:HEADER where that holds the secret as it is.`,
};

function parseSpec(spec: string): Way {
  const [main = '', ...settings] = spec.split(';');
  const [algorithm = '', header = '', encoding = '', ...template] = main.split(':');
  if (/^token:[^:;]+$/.test(spec) && HEADER_NAME.test(header)) return tokenWay(header.toLowerCase());
  const signed = template.length === 0 ? 'body' : template.join(':');
  const flaws: string[] = [];
  const options = readSettings(settings, flaws);
  const { key = 'text', prefix = '', tolerance = String(TOLERANCE_SECONDS) } = options;
  const check = (what: string, value: string, allowed: object): void => {
    if (!Object.hasOwn(allowed, value)) {
      flaws.push(`${what} ${JSON.stringify(value)} is none of ${Object.keys(allowed).join(', ')}`);
    }
  };
  check('the algorithm', algorithm, ALGORITHMS);
  check('the encoding', encoding, ENCODINGS);
  check('key', key, KEY_FORMS);
  if (!HEADER_NAME.test(header)) flaws.push(`${JSON.stringify(header)} is no name of a header`);
  const flaw = templateFlaw(signed);
  if (flaw !== undefined) flaws.push(flaw);
  if (!/^\d{1,9}$/.test(tolerance)) flaws.push('tolerance is not a whole number of seconds');
  const way: Way = {
    algorithm: algorithm as AlgorithmName,
    header: header.toLowerCase(),
    prefix,
    encoding: encoding as EncodingName,
    signed,
    key: key as KeyForm,
    toleranceSeconds: Number(tolerance),
    ...placesOf(signed, header, options, flaws),
  };
  if (flaws.length === 0) return way;
  const details = flaws.slice(1).map((one) => `${one}.`);
  throw new UsageError(`The scheme of signatures cannot be read: ${flaws[0]}.`, { ...HINT, details });
}

function readSettings(settings: readonly string[], flaws: string[]): Options {
  const options: Options = {};
  for (const setting of settings) {
    const [, name = '', value = ''] = /^([^=]*)=(.+)$/.exec(setting) ?? [];
    const known = OPTIONS.find((one) => one === name);
    if (known === undefined) flaws.push(`${JSON.stringify(setting)} is none of ${OPTIONS.join('=…, ')}=…`);
    else options[known] = value;
  }
  return options;
}

/** Where id and timestamp stand, where they are signed: beside the signature, unless it is said. */
function placesOf(
  signed: string,
  header: string,
  options: Options,
  flaws: string[],
): Pick<Way, 'id' | 'timestamp'> {
  const placed = (what: 'id' | 'timestamp'): string | undefined => {
    if (!templateUses(signed, what)) {
      if (options[what] !== undefined) flaws.push(`the ${what} has a place, but is not signed`);
      return undefined;
    }
    const place = (options[what] ?? besides(header, what))?.toLowerCase();
    if (place === undefined) flaws.push(`it does not say where the ${what} stands: add ;${what}=HEADER`);
    else if (!place.split('/').every((part) => HEADER_NAME.test(part))) {
      flaws.push(`${JSON.stringify(place)} is no name of a header`);
    }
    return place;
  };
  const id = placed('id');
  const [timestamp, key] = placed('timestamp')?.split('/') ?? [];
  return {
    ...(id === undefined ? {} : { id }),
    ...(timestamp === undefined
      ? {}
      : { timestamp: { header: timestamp, ...(key === undefined ? {} : { key }) } }),
  };
}

/** `x-signature` has its timestamp in `x-timestamp` unless it is said. */
function besides(header: string, what: 'id' | 'timestamp'): string | undefined {
  return /signature/i.test(header) ? header.toLowerCase().replace(/signature.*$/, what) : undefined;
}

/** A way as a SPEC, without what needs not be said. */
export function specOf(way: Way): string {
  const { algorithm, header, encoding, signed, key, prefix, id, timestamp, toleranceSeconds } = way;
  if (algorithm === 'token') return `token:${header}`;
  const time = timestamp && [timestamp.header, timestamp.key].filter((one) => one !== undefined).join('/');
  const settings: [name: (typeof OPTIONS)[number], value: string | undefined, usual: string | undefined][] = [
    ['key', key, 'text'],
    ['prefix', prefix, ''],
    ['timestamp', time, besides(header, 'timestamp')],
    ['id', id, besides(header, 'id')],
    ['tolerance', String(toleranceSeconds), String(TOLERANCE_SECONDS)],
  ];
  return [
    [algorithm, header, encoding, ...(signed === 'body' ? [] : [signed])].join(':'),
    ...settings.flatMap(([name, value, usual]) =>
      value === undefined || value === usual ? [] : [`${name}=${value}`],
    ),
  ].join(';');
}
