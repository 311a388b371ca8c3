/** What keeps requests and answers from arriving, by the codes of Node.js, OpenSSL and undici. */
interface Trouble {
  /** A clause; a function where it has to look at the words that came with the code. */
  what: string | ((message: string) => string);
  /** What mends it. */
  mend?: string;
  /** Another attempt would meet the same. */
  lasts?: true;
}

const OWN_CA =
  'If your organisation uses its own certificate authority, point NODE_EXTRA_CA_CERTS at its certificate.';
const WRONG_HOST = 'Check the address: the name in it has to be one of those that its certificate is for.';
const ITS_FAULT = 'The fault is on the side of the service.';
const ASK_PROXY = 'Ask whoever runs the proxy (HTTPS_PROXY), or leave the host out of it with NO_PROXY.';

const hostsIn = (message: string): string => {
  const [, names] = /.*altnames: (.{1,200})/s.exec(message) ?? [];
  return `its certificate is for another host${names === undefined ? '' : ` (${names.replaceAll('DNS:', '')})`}`;
};

/** The first that fits is meant. */
const TROUBLES: readonly (readonly [code: RegExp, Trouble])[] = [
  [/^ABORTED$/, { what: 'the request was broken off' }],
  [/^ECONNREFUSED$/, { what: 'nothing listens there (connection refused)' }],
  [/^ECONNRESET$/, { what: 'the connection was reset' }],
  [/^ENOTFOUND$/, { what: 'no such host' }],
  [/^EAI_AGAIN$/, { what: 'the host name could not be looked up (is the network up?)' }],
  [/^EHOSTUNREACH$/, { what: 'the host cannot be reached' }],
  [/^ENETUNREACH$/, { what: 'the network cannot be reached' }],
  [/^EPIPE$/, { what: 'the connection was closed' }],
  [/^EPROXY$/, { what: 'the proxy closed the connection without an answer' }],
  [
    /^EPROXY_407$/,
    {
      what: 'the proxy wants a name and a password (407)',
      mend: 'Give them in the address of the proxy: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT',
      lasts: true,
    },
  ],
  [
    /^EPROXY_4/,
    { what: (message) => `the proxy lets nobody through to it (${message})`, mend: ASK_PROXY, lasts: true },
  ],
  [/^EPROXY_/, { what: (message) => `the proxy does not get through to it (${message})`, mend: ASK_PROXY }],
  [/^UND_ERR_CONNECT_TIMEOUT$/, { what: 'connecting took too long' }],
  [/^UND_ERR_HEADERS_TIMEOUT$/, { what: 'no answer came in time' }],
  [/^UND_ERR_BODY_TIMEOUT$/, { what: 'the answer stopped coming' }],
  [/^UND_ERR_SOCKET$/, { what: 'the connection was closed before the answer was complete' }],
  [
    /^UND_ERR_RES_EXCEEDED_MAX_SIZE$/,
    { what: 'the answer is larger than 64 MB', mend: ITS_FAULT, lasts: true },
  ],
  [
    /^ERR_BUFFER_TOO_LARGE$/,
    { what: 'the answer is larger than 64 MB once it is unpacked', mend: ITS_FAULT, lasts: true },
  ],
  [/^Z_/, { what: 'the answer is packed in a way that cannot be unpacked', mend: ITS_FAULT }],
  [
    /^CERT_HAS_EXPIRED$/,
    {
      what: 'its certificate has expired',
      mend: 'Its operator has to renew it, unless the clock of this machine is wrong.',
      lasts: true,
    },
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    { what: 'its certificate is not valid yet', mend: 'Is the clock of this machine right?', lasts: true },
  ],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH|UND_ERR_PRX_TLS/, { what: hostsIn, mend: WRONG_HOST, lasts: true }],
  [
    /SELF_SIGNED|^UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|^CERT_UNTRUSTED/,
    {
      what: 'its certificate comes from an authority that this machine does not know',
      mend: OWN_CA,
      lasts: true,
    },
  ],
  [
    /^(?:CERT_|UNABLE_TO_|ERROR_IN_CERT|INVALID_(?:CA|PURPOSE)|PATH_LENGTH)/,
    { what: (message) => `its certificate cannot be relied on (${message})`, mend: OWN_CA, lasts: true },
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/,
    {
      what: 'it speaks TLS 1.0 or 1.1 alone, which is not safe',
      mend: 'Its operator has to turn TLS 1.2 or later on.',
      lasts: true,
    },
  ],
  [
    /WRONG_VERSION_NUMBER/,
    { what: 'it does not speak TLS there', mend: 'Is that the right port?', lasts: true },
  ],
];

const find = (code: string): Trouble | undefined => TROUBLES.find(([pattern]) => pattern.test(code))?.[1];

/** A clause that names what happened on the way, for people. */
export function describeFailure(code: string, message: string): string {
  const { what = `${message} (${code})` } = find(code) ?? {};
  return typeof what === 'string' ? what : what(message);
}

/** What mends it; undefined where nothing is known of that. */
export const mendOf = (code: string): string | undefined => find(code)?.mend;

/** Whether another attempt would meet the same, such as a certificate that is not accepted. */
export const isLasting = (code: string): boolean => find(code)?.lasts === true;
