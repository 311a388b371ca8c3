import { checkEmail, isSaidOfOthers } from '../rules/email-rule.ts';
import { mend, type Mended } from './clean-text.ts';

/** Longer texts are no address with a name. */
const LONGEST = 500;
const ADDRESS = String.raw`(?!['‘])[^\s"“”,;:|<>()[\]@]+@[^\s"'“”‘’,;:|<>()[\]@?]+`;
const ADDRESSES = new RegExp(ADDRESS, 'g');
/** In front: `mailto:`, `Ada: `, `(work) `; around it brackets or quotes; behind it `(work)`, `?subject=…`, `;`. */
const IN_FRONT = String.raw`(?:[^@]*:\s+)?(?:(?:mailto|smtp|e-?mail|mail):\s*)*(?:\([^()@]*\))?`;
const BEHIND = String.raw`(?:\?[^\s@]*)?["'”’)\]]*\s*(?:\([^()@]*\)|<[^<>@]*>)?[\s,;]*`;
const SET_OFF = new RegExp(
  String.raw`^(?:[^<>@]*<\s*(?:mailto:)?(${ADDRESS})\s*>|${IN_FRONT}[\s"'“‘([]*(${ADDRESS}))${BEHIND}$`,
  'i',
);

/**
 * The e-mail address of a text that sets it off from what stands beside it: `Ada Lane <ada@example.com>`. Bare words
 * beside one are left to be refused: a space may have come into the address. So is what is said to be
 * somebody else's.
 */
export function onlyAddress(text: Mended): Mended {
  const { value } = text;
  if (value.length > LONGEST || !value.includes('@') || checkEmail(value) === undefined) return text;
  const all = new Set(value.match(ADDRESSES)?.map((one) => one.toLowerCase()));
  const [, inBrackets, bare] = SET_OFF.exec(value) ?? [];
  // Where an address stands for the name, too: `ada@example.com <ada@example.com>`.
  const twice = value.split('@').length > 2 && all.size === 1 ? value.match(ADDRESSES)?.[0] : undefined;
  const address = inBrackets ?? bare ?? twice;
  if (address === undefined || checkEmail(address) !== undefined || isSaidOfOthers(value)) return text;
  return mend(text, address, 'only the address kept');
}
