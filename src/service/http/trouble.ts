/** What happened, as a clause; `{}` in it is what came with the code. */
type Trouble = readonly [code: RegExp, what: string, mend?: string | undefined, lasts?: 'lasts'];

const ITS_FAULT = 'The fault is on the side of the service.';
const ASK_PROXY = 'Ask whoever runs the proxy (HTTPS_PROXY), or leave the host out of it with NO_PROXY.';
const PASSWORD = 'Give them in the address of the proxy: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT';
const OWN_CA =
  'If your organisation uses its own certificate authority, point NODE_EXTRA_CA_CERTS at its certificate.';
const RENEW = 'Its operator has to renew it, unless the clock of this machine is wrong.';
const WRONG_HOST = 'Check the address: the name in it has to be one of those that its certificate is for.';

/**
 * What keeps requests and answers from arriving, by the codes of Node.js, OpenSSL and undici, with what mends it. What
 * lasts would meet another attempt, too. The first that fits is meant.
 */
const TROUBLES: readonly Trouble[] = [
  [/^ABORTED$/, 'the request was broken off'],
  [/^ECONNREFUSED$/, 'nothing listens there (connection refused)'],
  [/^ECONNRESET$/, 'the connection was reset'],
  [/^ENOTFOUND$/, 'no such host'],
  [/^EAI_AGAIN$/, 'the host name could not be looked up (is the network up?)'],
  [/^EHOSTUNREACH$/, 'the host cannot be reached'],
  [/^ENETUNREACH$/, 'the network cannot be reached'],
  [/^EPIPE$/, 'the connection was closed'],
  [/^EPROXY$/, 'the proxy closed the connection without an answer'],
  [/^EPROXY_407$/, 'the proxy wants a name and a password (407)', PASSWORD, 'lasts'],
  [/^EPROXY_[EU]/, 'the proxy cannot be reached ({})', ASK_PROXY],
  [/^EPROXY_4/, 'the proxy lets nobody through to it ({})', ASK_PROXY, 'lasts'],
  [/^EPROXY_/, 'the proxy does not get through to it ({})', ASK_PROXY],
  [/^UND_ERR_CONNECT_TIMEOUT$/, 'connecting took too long'],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'no answer came in time'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'the answer stopped coming'],
  [/^UND_ERR_SOCKET$/, 'the connection was closed before the answer was complete'],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'the answer is larger than 64 MB', ITS_FAULT, 'lasts'],
  [/^ERR_BUFFER_TOO_LARGE$/, 'the answer is larger than 64 MB once it is unpacked', ITS_FAULT, 'lasts'],
  [/^Z_/, 'the answer is packed in a way that cannot be unpacked', ITS_FAULT],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired', RENEW, 'lasts'],
  [
    /^CERT_NOT_YET_VALID$/,
    'its certificate is not valid yet',
    'Is the clock of this machine right?',
    'lasts',
  ],
  [
    /ALTNAME_INVALID|HOSTNAME_MISMATCH|UND_ERR_PRX_TLS/,
    'its certificate is for another host ({})',
    WRONG_HOST,
    'lasts',
  ],
  [
    /SELF_SIGNED|^UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|^CERT_UNTRUSTED/,
    'its certificate comes from an authority that this machine does not know',
    OWN_CA,
    'lasts',
  ],
  [
    /^(?:CERT_|UNABLE_TO_|ERROR_IN_CERT|INVALID_(?:CA|PURPOSE)|PATH_LENGTH)/,
    'its certificate cannot be relied on ({})',
    OWN_CA,
    'lasts',
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/,
    'it speaks TLS 1.0 or 1.1 alone, which is not safe',
    'Its operator has to turn TLS 1.2 or later on.',
    'lasts',
  ],
  [/WRONG_VERSION_NUMBER/, 'it does not speak TLS there', 'Is that the right port?', 'lasts'],
];

const find = (code: string): Trouble | undefined => TROUBLES.find(([pattern]) => pattern.test(code));

/** A clause that names what happened on the way, for people. */
export function describeFailure(code: string, message: string): string {
  const [, what = `${message} (${code})`] = find(code) ?? [];
  // Of a certificate its names are enough.
  const [, names = message] = /.*altnames: (.{1,200})/s.exec(message) ?? [];
  return what.replace('{}', () => names.replaceAll('DNS:', ''));
}

/** What mends it; undefined where nothing is known of that. */
export const mendOf = (code: string): string | undefined => find(code)?.[2];

/** Whether another attempt would meet the same, such as a certificate that is not accepted. */
export const isLasting = (code: string): boolean => find(code)?.[3] !== undefined;
