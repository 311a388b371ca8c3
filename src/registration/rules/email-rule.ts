import type { Finding } from '../model/row.ts';
import { describeCharacter } from './text-rule.ts';

const LONGEST = 254;
const LONGEST_LOCAL = 64;
const LONGEST_LABEL = 63;
const LOCAL_STRANGER = /[^\p{L}\p{M}\p{Nd}!#$%&'*+/=?^_`{|}~.-]/u;
const DOMAIN_STRANGER = /[^\p{L}\p{M}\p{Nd}.-]/u;
const BAD_DOTS = /^\.|\.\.|\.$/;
const EXAMPLE = 'write it as name@example.com';
const ONE = 'keep one, and give another person a row of their own';
const ALONE = 'keep the address alone: no words beside it, and no space in it';

/** An e-mail address. Length first, then single characters: linear in time whatever the text. */
export function checkEmail(text: string): Finding | undefined {
  if (text.length > LONGEST)
    return { code: 'email-invalid', problem: `is longer than ${LONGEST} characters`, remedy: EXAMPLE };
  const at = text.indexOf('@');
  if (at < 0) return { code: 'email-invalid', problem: 'has no @', remedy: EXAMPLE };
  if (text.includes('@', at + 1)) return manyAts(text);
  if (/\s/u.test(text)) return { code: 'email-invalid', problem: 'has a space inside', remedy: ALONE };
  return checkLocal(text.slice(0, at)) ?? checkDomain(text.slice(at + 1));
}

/** The part behind the @ of a valid address, lower case: what is looked up in DNS. */
export function emailDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

function manyAts(text: string): Finding {
  return /[\s,;|/&<>]/u.test(text)
    ? { code: 'email-invalid', problem: 'holds more than one e-mail address', remedy: ONE }
    : { code: 'email-invalid', problem: 'has more than one @', remedy: EXAMPLE };
}

function checkLocal(local: string): Finding | undefined {
  if (local === '') return { code: 'email-invalid', problem: 'has nothing before the @', remedy: EXAMPLE };
  if (local.length > LONGEST_LOCAL) {
    return {
      code: 'email-invalid',
      problem: `has more than ${LONGEST_LOCAL} characters before the @`,
      remedy: EXAMPLE,
    };
  }
  const stranger = LOCAL_STRANGER.exec(local)?.[0];
  if (stranger !== undefined) {
    // What stands in front of a colon is no part of the address either.
    const remedy = stranger === ':' ? EXAMPLE : 'delete that character';
    return { code: 'email-invalid', problem: `has ${describeCharacter(stranger)} before the @`, remedy };
  }
  return checkDots(local, 'before the @');
}

function checkDomain(domain: string): Finding | undefined {
  if (domain === '') return { code: 'email-invalid', problem: 'has nothing after the @', remedy: EXAMPLE };
  if (domain.includes(',')) {
    return {
      code: 'email-invalid',
      problem: 'has a comma instead of a dot after the @',
      remedy: 'write a dot for the comma',
    };
  }
  const stranger = DOMAIN_STRANGER.exec(domain)?.[0];
  if (stranger !== undefined) {
    return {
      code: 'email-invalid',
      problem: `has ${describeCharacter(stranger)} after the @`,
      remedy: 'delete that character',
    };
  }
  return checkDots(domain, 'after the @') ?? checkLabels(domain.split('.'));
}

function checkDots(part: string, where: string): Finding | undefined {
  // A quick look: it finds nothing in most, and each of those below takes longer.
  if (!BAD_DOTS.test(part)) return undefined;
  const remedy = 'delete the dot';
  if (part.startsWith('.')) return { code: 'email-invalid', problem: `begins with a dot ${where}`, remedy };
  if (part.endsWith('.')) return { code: 'email-invalid', problem: `ends with a dot ${where}`, remedy };
  return part.includes('..')
    ? { code: 'email-invalid', problem: `has two dots in a row ${where}`, remedy }
    : undefined;
}

function checkLabels(labels: readonly string[]): Finding | undefined {
  if (labels.length < 2) return { code: 'email-invalid', problem: 'has no dot after the @', remedy: EXAMPLE };
  if (labels.some((label) => label.length > LONGEST_LABEL)) {
    return {
      code: 'email-invalid',
      problem: `has more than ${LONGEST_LABEL} characters between two dots`,
      remedy: EXAMPLE,
    };
  }
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) {
    return {
      code: 'email-invalid',
      problem: 'has a hyphen beside a dot or at an end after the @',
      remedy: 'delete the hyphen',
    };
  }
  return /^\d+$/.test(labels.at(-1) ?? '')
    ? { code: 'email-invalid', problem: 'ends in digits only, which no domain does', remedy: EXAMPLE }
    : undefined;
}
