import { maskedDomain } from '../../registration/model/own-names.ts';
import { maskText } from './mask-text.ts';
import { markOf } from './permute.ts';

/** Mail providers that many people have an address at: that they are there says nothing of a person. */
const PROVIDER =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|t-online|freenet|orange|free|laposte|libero|seznam|wp|mail|yandex|qq|163|126|naver|proton|protonmail|zoho)\.(?:com|net|org|me|de|at|ch|fr|es|it|pt|nl|be|uk|ie|pl|cz|ru|br|mx|ar|in|jp|cn|co\.[a-z]{2}|com\.[a-z]{2})$/i;
const SCHEME = /^\s*(?:mailto:\s*)*/i;
/** A domain that somebody may be written to, with what stands behind it. */
const DOMAIN = /^(?<name>[^\s@<>,;"]*\.[^\s@<>,;".]*)(?<rest>.*)$/su;

/**
 * An e-mail address at a domain that cannot exist: that of a large provider shows through, any other is masked like
 * its name. The domain tells which key it was. What is wrong with an address stays wrong.
 */
export function maskEmail(key: string, text: string): string {
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const address = text.slice(scheme.length);
  const at = address.lastIndexOf('@');
  if (at < 0) return scheme + maskText(key, address);
  return `${scheme}${maskText(key, address.slice(0, at))}@${maskDomain(key, address.slice(at + 1))}`;
}

/** Also the host of a link. */
export function maskDomain(key: string, domain: string): string {
  const { name, rest = '' } = DOMAIN.exec(domain)?.groups ?? {};
  if (name === undefined) return maskText(key, domain);
  const masked = PROVIDER.test(name) ? name : maskText(key, name);
  // A number at its end is no domain, and no address has one.
  const isNone = name.endsWith('.') || /\.\d+$/.test(name);
  return `${masked}${isNone ? '' : maskedDomain(markOf(key))}${maskText(key, rest)}`;
}
