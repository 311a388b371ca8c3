import { randomBytes } from 'node:crypto';
import { UsageError } from '../errors.ts';

/** Where a space is: a PostgreSQL database, and the name of the space in it. */
export interface SpaceAddress {
  space: string;
  /** What the driver is told; what is missing it takes from the variables of libpq. */
  connection: {
    host?: string;
    port?: number;
    user?: string;
    password?: string;
    database?: string;
    ssl?: false | { rejectUnauthorized: true };
  };
  /** For messages: without user and password. */
  label: string;
}

const VARIABLE = 'EVENTREG_STATE';
const LOOPBACK = /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3}|\/.*|)$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,62}$/u;
const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/** Reads EVENTREG_STATE; `env` has the variables of libpq. Throws UsageError for what is no such address. */
export function parseAddress(
  text: string,
  env: Readonly<Record<string, string | undefined>> = {},
): SpaceAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new UsageError(`${VARIABLE} is no address of a PostgreSQL database.`, {
      hint: 'It looks like postgres://user:password@host:5432/database?space=fair-2027, or is "postgres:" with PGHOST, PGUSER and the like.',
    });
  }
  const { searchParams: query } = url;
  const host = query.get('host') ?? decodeURIComponent(url.hostname);
  const database = decodeURIComponent(url.pathname.slice(1));
  const connection = {
    ...(host !== '' && { host: host.replace(/^\[|\]$/g, '') }),
    ...(url.port !== '' && { port: Number(url.port) }),
    ...(url.username !== '' && { user: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(database !== '' && { database }),
  };
  const known = host || (env['PGHOST'] ?? '');
  const tls = tlsOf(query.get('sslmode') ?? env['PGSSLMODE'], known);
  const port = url.port || env['PGPORT'];
  const place = `${known || 'localhost'}${port ? `:${port}` : ''}/${database || (env['PGDATABASE'] ?? '')}`;
  return { space: spaceOf(query), connection: { ...connection, ssl: tls }, label: place };
}

function spaceOf(query: URLSearchParams): string {
  const space = query.get('space') ?? 'default';
  if (NAME.test(space)) return space;
  throw new UsageError(`"${space}" in ${VARIABLE} cannot be the name of a space.`, {
    hint: 'Take up to 63 letters, digits, dots, underscores and hyphens.',
  });
}

/** Beyond this machine only with a certificate that is verified, unless somebody has said otherwise in so many words. */
function tlsOf(mode: string | undefined, host: string): false | { rejectUnauthorized: true } {
  if (mode === 'disable') return false;
  if (mode !== undefined && TLS_MODES.includes(mode)) return { rejectUnauthorized: true };
  return LOOPBACK.test(host) ? false : { rejectUnauthorized: true };
}

const PREFIX = 'evk_';
const KEY_BYTES = 32;

/** Makes a key of a space, as a person keeps it. */
export const makeKey = (): string => `${PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;

/** Reads EVENTREG_STATE_KEY. Throws UsageError for what is none. */
export function parseKey(text: string): Buffer {
  const key = Buffer.from(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '', 'base64url');
  if (key.length === KEY_BYTES) return key;
  const what = text === '' ? 'not set' : 'no key of a space';
  throw new UsageError(`EVENTREG_STATE_KEY is ${what}.`, {
    hint: `It begins with ${PREFIX}: \`eventreg state init\` has printed it once.`,
  });
}
