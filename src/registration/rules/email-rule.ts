import { faultOf, type Faults, type Finding, findingOf } from '../model/row.ts';
import { wordsAgainst } from './people-words.ts';
import { describeCharacter } from './text-rule.ts';

const wrong = (problem: string, remedy: string): Finding => findingOf('email-invalid', problem, remedy);

const LONGEST = 254;
const LOCAL_STRANGER = /[^\p{L}\p{M}\p{Nd}!#$%&'*+/=?^_`{|}~.-]/u;
const DOMAIN_STRANGER = /[^\p{L}\p{M}\p{Nd}.-]/u;
const EXAMPLE = 'write it as name@example.com';
const ONE = 'keep one, and give another person a row of their own';
const OWN = 'write the guest’s own address, or leave the cell blank';
const ALONE = 'keep the address alone: no words beside it, and no space in it';

const faultsOfDots = (where: string): Faults => [
  [/^\./, `begins with a dot ${where}`, 'delete the dot'],
  [/\.$/, `ends with a dot ${where}`, 'delete the dot'],
  [/\.\./, `has two dots in a row ${where}`, 'delete the dot'],
];
const LOCAL_FAULTS: Faults = faultsOfDots('before the @');
const DOMAIN_FAULTS: Faults = [
  ...faultsOfDots('after the @'),
  [/^[^.]*$/, 'has no dot after the @', EXAMPLE],
  [/[^.]{64}/, 'has more than 63 characters between two dots', EXAMPLE],
  [/^-|-$|-\.|\.-/, 'has a hyphen beside a dot or at an end after the @', 'delete the hyphen'],
  [/\.\d+$/, 'ends in digits only, which no domain does', EXAMPLE],
];

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
  if (local.length > 64) return wrong('has more than 64 characters before the @', EXAMPLE);
  const stranger = LOCAL_STRANGER.exec(local)?.[0];
  // What stands in front of a colon is no part of the address either.
  const remedy = stranger === ':' ? EXAMPLE : 'delete that character';
  return stranger === undefined
    ? faultOf(local, LOCAL_FAULTS, 'email-invalid')
    : wrong(`has ${describeCharacter(stranger)} before the @`, remedy);
}

function checkDomain(domain: string): Finding | undefined {
  if (domain === '') return wrong('has nothing after the @', EXAMPLE);
  if (domain.includes(',')) {
    return wrong('has a comma instead of a dot after the @', 'write a dot for the comma');
  }
  const stranger = DOMAIN_STRANGER.exec(domain)?.[0];
  return stranger === undefined
    ? faultOf(domain, DOMAIN_FAULTS, 'email-invalid')
    : wrong(`has ${describeCharacter(stranger)} after the @`, 'delete that character');
}
