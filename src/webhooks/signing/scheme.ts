import type { AlgorithmName, EncodingName, KeyForm } from './algorithms.ts';

/** Where a timestamp stands: in a header of its own, or behind `key=` in one with other things. */
interface TimestampPlace {
  header: string;
  key?: string;
}

/** One way of signing a delivery. Names of headers are in lower case. */
export interface Way {
  /** `token`: nothing is signed, and the header holds the secret as it is. */
  algorithm: AlgorithmName | 'token';
  header: string;
  /** What stands before each signature there; parts that begin otherwise are none of this way. */
  prefix: string;
  encoding: EncodingName;
  /** What is signed: `id`, `timestamp`, `url` and `body` stand for themselves, anything between them for what it is. */
  signed: string;
  /** The header with the id, where that is signed. */
  id?: string;
  timestamp?: TimestampPlace;
  key: KeyForm;
  /** How far its timestamp may be from now. */
  toleranceSeconds: number;
}

/** How a service signs; where it has several ways, the form of the secret tells which one is meant. */
export interface Scheme {
  /** A name, or a SPEC: what can be saved, and read again by `parseScheme`. */
  name: string;
  ways: readonly [Way, ...Way[]];
}

export const TOLERANCE_SECONDS = 300;

/** What most of them have in common. */
const USUAL = {
  algorithm: 'hmac-sha256',
  prefix: '',
  encoding: 'hex',
  signed: 'body',
  key: 'text',
  toleranceSeconds: TOLERANCE_SECONDS,
} as const;

const standardAs = (brand: 'webhook' | 'svix'): Way => ({
  ...USUAL,
  header: `${brand}-signature`,
  prefix: 'v1,',
  encoding: 'base64',
  signed: 'id.timestamp.body',
  id: `${brand}-id`,
  timestamp: { header: `${brand}-timestamp` },
  key: 'standard',
});

/** The schemes that have a name, as their services document them. */
export const NAMED: Readonly<Record<string, Scheme['ways']>> = {
  standard: [
    standardAs('webhook'),
    { ...standardAs('webhook'), algorithm: 'ed25519', prefix: 'v1a,', key: 'standard-ed25519' },
  ],
  svix: [standardAs('svix')],
  github: [{ ...USUAL, header: 'x-hub-signature-256', prefix: 'sha256=' }],
  stripe: [
    {
      ...USUAL,
      header: 'stripe-signature',
      prefix: 'v1=',
      signed: 'timestamp.body',
      timestamp: { header: 'stripe-signature', key: 't' },
    },
  ],
  shopify: [{ ...USUAL, header: 'x-shopify-hmac-sha256', encoding: 'base64' }],
  slack: [
    {
      ...USUAL,
      header: 'x-slack-signature',
      prefix: 'v0=',
      signed: 'v0:timestamp:body',
      timestamp: { header: 'x-slack-request-timestamp' },
    },
  ],
  square: [{ ...USUAL, header: 'x-square-hmacsha256-signature', encoding: 'base64', signed: 'urlbody' }],
};

/** One in which a header holds the secret as it is. */
export const tokenWay = (header: string): Way => ({ ...USUAL, algorithm: 'token', header });

/** The names, for help and completion. */
export const SCHEME_NAMES: readonly string[] = Object.keys(NAMED);
