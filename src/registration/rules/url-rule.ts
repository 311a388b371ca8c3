import type { Finding } from '../model/row.ts';
import { checkText } from './text-rule.ts';

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
    return {
      code: 'url-invalid',
      problem: 'is the path of a file on a computer',
      remedy: 'upload the file and write its https:// address',
    };
  }
  return checkUrl(text, 'write it with https:// in front, as https://example.com/photo.jpg');
}

function checkUrl(text: string, schemeRemedy: string): Finding | undefined {
  if (/\s/u.test(text))
    return {
      code: 'url-invalid',
      problem: 'has a space inside',
      remedy: 'delete the space, or write %20 for it',
    };
  if (text.includes('\\'))
    return { code: 'url-invalid', problem: 'has a backslash inside', remedy: 'write / for it' };
  const damaged = checkText(text);
  if (damaged !== undefined) return damaged;
  return /^https?:\/\//i.test(text) ? checkHttpUrl(text) : checkScheme(text, schemeRemedy);
}

/** Why a URL does not begin with http:// or https://. */
function checkScheme(text: string, remedy: string): Finding {
  const scheme =
    /^([a-z][a-z0-9+.-]{0,30}):\/\//i.exec(text) ?? /^([a-z][a-z0-9+-]{0,30}):(?!\d)/i.exec(text);
  if (scheme !== null && !/^https?$/i.test(scheme[1] ?? '')) {
    return { code: 'url-invalid', problem: 'does not begin with http:// or https://', remedy: FORM };
  }
  if (scheme === null && checkHttpUrl(`https://${text}`) === undefined) {
    return { code: 'url-invalid', problem: 'has no https:// in front', remedy };
  }
  return { code: 'url-invalid', problem: 'is not a valid URL', remedy: FORM };
}

function checkHttpUrl(text: string): Finding | undefined {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  const url = authority.length > LONGEST_AUTHORITY ? undefined : parse(text);
  if (authority === '' || url === undefined)
    return { code: 'url-invalid', problem: 'is not a valid URL', remedy: FORM };
  if (authority.includes('@')) {
    return {
      code: 'url-invalid',
      problem: 'has a user name or password inside',
      remedy: 'delete everything from // to @',
    };
  }
  return isWholeHost(url.hostname)
    ? undefined
    : {
        code: 'url-invalid',
        problem: 'has no full host name',
        remedy: 'write the whole name, for example https://example.com',
      };
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
