import { type Finding, findingOf } from '../model/row.ts';
import { checkText } from './text-rule.ts';

const wrong = (problem: string, remedy: string): Finding => findingOf('url-invalid', problem, remedy);

/** A host of DNS has 253 characters at most; user, password and port get as many again. */
const LONGEST_AUTHORITY = 512;
const FORM = 'write it as https://example.com';

/** The address of a web site: http or https, a host with a dot (or localhost), no spaces, no password. */
export function checkWebsite(text: string): Finding | undefined {
  return checkUrl(text, 'write it with https:// in front, as https://example.com');
}

/** The URL of an uploaded file: the same rule, with words for people who wrote a path of their computer. */
export function checkUpload(text: string): Finding | undefined {
  if (/^(?:[A-Za-z]:[\\/]|\\\\|file:)/.test(text)) {
    return wrong('is the path of a file on a computer', 'upload the file and write its https:// address');
  }
  return checkUrl(text, 'write it with https:// in front, as https://example.com/photo.jpg');
}

function checkUrl(text: string, schemeRemedy: string): Finding | undefined {
  if (/\s/u.test(text)) return wrong('has a space inside', 'delete the space, or write %20 for it');
  if (text.includes('\\')) return wrong('has a backslash inside', 'write / for it');
  const damaged = checkText(text);
  if (damaged !== undefined) return damaged;
  return /^https?:\/\//i.test(text) ? checkHttpUrl(text) : checkScheme(text, schemeRemedy);
}

/** Why a URL does not begin with http:// or https://. */
function checkScheme(text: string, remedy: string): Finding {
  const scheme =
    /^([a-z][a-z0-9+.-]{0,30}):\/\//i.exec(text) ?? /^([a-z][a-z0-9+-]{0,30}):(?!\d)/i.exec(text);
  if (scheme !== null && !/^https?$/i.test(scheme[1] ?? '')) {
    return wrong('does not begin with http:// or https://', FORM);
  }
  if (scheme === null && checkHttpUrl(`https://${text}`) === undefined) {
    return wrong('has no https:// in front', remedy);
  }
  return wrong('is not a valid URL', FORM);
}

function checkHttpUrl(text: string): Finding | undefined {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  const url = authority.length > LONGEST_AUTHORITY ? undefined : parse(text);
  if (authority === '' || url === undefined) return wrong('is not a valid URL', FORM);
  if (authority.includes('@')) {
    return wrong('has a user name or password inside', 'delete everything from // to @');
  }
  return isWholeHost(url.hostname)
    ? undefined
    : wrong('has no full host name', 'write the whole name, for example https://example.com');
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function isWholeHost(host: string): boolean {
  if (host === 'localhost') return true;
  const labels = host.replace(/\.$/, '').split('.');
  return labels.length > 1 && labels.every((label) => label !== '');
}
