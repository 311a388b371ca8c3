import { type Finding, findingOf } from '../model/row.ts';
import { wordsAgainst } from './people-words.ts';
import { describeCharacter } from './text-rule.ts';

const wrong = (problem: string, remedy: string): Finding => findingOf('email-invalid', problem, remedy);

const LONGEST = 254;
const LONGEST_LOCAL = 64;
const LONGEST_LABEL = 63;
const LOCAL_STRANGER = /[^\p{L}\p{M}\p{Nd}!#$%&'*+/=?^_`{|}~.-]/u;
const DOMAIN_STRANGER = /[^\p{L}\p{M}\p{Nd}.-]/u;
const BAD_DOTS = /^\.|\.\.|\.$/;
const EXAMPLE = 'write it as name@example.com';
const ONE = 'keep one, and give another person a row of their own';
const OWN = 'write the guest’s own address, or leave the cell blank';
const ALONE = 'keep the address alone: no words beside it, and no space in it';

/** An e-mail address. Length first, then single characters: linear in time whatever the text. */
export function checkEmail(text: string): Finding | undefined {
  if (text.length > LONGEST) return wrong(`is longer than ${LONGEST} characters`, EXAMPLE);
  const at = text.indexOf('@');
  if (at < 0) return wrong('has no @', EXAMPLE);
  if (text.includes('@', at + 1)) {
    const isSeveral = /[\s,;|/&<>]/u.test(text);
    return isSeveral
      ? wrong('holds more than one e-mail address', ONE)
      : wrong('has more than one @', EXAMPLE);
  }
  if (isSaidOfOthers(text)) return wrong('is said to be somebody else’s, or an old one', OWN);
  if (/\s/u.test(text)) return wrong('has a space inside', ALONE);
  return checkLocal(text.slice(0, at)) ?? checkDomain(text.slice(at + 1));
}

/** Whether words beside an address say that it is not, or no more, the guest's; a name may hold one: `Mae West <mae@…>`. */
export function isSaidOfOthers(text: string): boolean {
  if (!/[\s:()<]/.test(text)) return false;
  const beside = text.replace(/[^\s<>():;,]*@[^\s<>():;,]*/g, ' ');
  const { all, against } = wordsAgainst(beside);
  return against > 0 && (against === all || /[:()]/.test(beside));
}

/** The part behind the @ of a valid address, lower case: what is looked up in DNS. */
export function emailDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

function checkLocal(local: string): Finding | undefined {
  if (local === '') return wrong('has nothing before the @', EXAMPLE);
  if (local.length > LONGEST_LOCAL) {
    return wrong(`has more than ${LONGEST_LOCAL} characters before the @`, EXAMPLE);
  }
  const stranger = LOCAL_STRANGER.exec(local)?.[0];
  if (stranger !== undefined) {
    // What stands in front of a colon is no part of the address either.
    const remedy = stranger === ':' ? EXAMPLE : 'delete that character';
    return wrong(`has ${describeCharacter(stranger)} before the @`, remedy);
  }
  return checkDots(local, 'before the @');
}

function checkDomain(domain: string): Finding | undefined {
  if (domain === '') return wrong('has nothing after the @', EXAMPLE);
  if (domain.includes(',')) {
    return wrong('has a comma instead of a dot after the @', 'write a dot for the comma');
  }
  const stranger = DOMAIN_STRANGER.exec(domain)?.[0];
  if (stranger !== undefined) {
    return wrong(`has ${describeCharacter(stranger)} after the @`, 'delete that character');
  }
  return checkDots(domain, 'after the @') ?? checkLabels(domain.split('.'));
}

function checkDots(part: string, where: string): Finding | undefined {
  // A quick look: it finds nothing in most, and each of those below takes longer.
  if (!BAD_DOTS.test(part)) return undefined;
  const remedy = 'delete the dot';
  if (part.startsWith('.')) return wrong(`begins with a dot ${where}`, remedy);
  if (part.endsWith('.')) return wrong(`ends with a dot ${where}`, remedy);
  return part.includes('..') ? wrong(`has two dots in a row ${where}`, remedy) : undefined;
}

function checkLabels(labels: readonly string[]): Finding | undefined {
  if (labels.length < 2) return wrong('has no dot after the @', EXAMPLE);
  if (labels.some((label) => label.length > LONGEST_LABEL)) {
    return wrong(`has more than ${LONGEST_LABEL} characters between two dots`, EXAMPLE);
  }
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) {
    return wrong('has a hyphen beside a dot or at an end after the @', 'delete the hyphen');
  }
  return /^\d+$/.test(labels.at(-1) ?? '')
    ? wrong('ends in digits only, which no domain does', EXAMPLE)
    : undefined;
}
