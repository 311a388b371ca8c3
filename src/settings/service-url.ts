import { UsageError } from '../errors.ts';

/** Written in full: `URL` would mend a missing `//`, spaces and backslashes silently. */
const WEB_ADDRESS = /^https?:\/\/[^\s\\]+$/i;
const USER_INFO = /^[a-z]+:\/\/[^/?#]*@/i;

/**
 * An address of the service. https anywhere, http only to this machine; no user or password, no query,
 * no fragment. Trailing slashes of the path are dropped (`URL` itself keeps one when there is no path).
 * `name` says in the UsageError whose value is wrong, for example `--base-url`.
 */
export function checkServiceUrl(text: string, name: string): URL {
  // The text is not quoted before this check: it may hold a password.
  if (USER_INFO.test(text)) throw wrong(name, 'contains a user name or password, which it must not');
  if (!WEB_ADDRESS.test(text) || !URL.canParse(text)) {
    throw wrong(name, 'is not a web address', 'It looks like https://events.example.com/api.');
  }
  if (text.includes('?')) throw wrong(name, 'has a query (the part from ?), which it must not have');
  if (text.includes('#')) throw wrong(name, 'has a fragment (the part from #), which it must not have');
  const url = new URL(text);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw wrong(name, `would send the token unencrypted to ${url.host}`, 'Use https:// instead of http://.');
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** `URL` has already written every spelling of an IPv4 address as four decimal numbers. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function wrong(name: string, why: string, hint?: string): UsageError {
  return new UsageError(`${name} ${why}.`, hint === undefined ? {} : { hint });
}
