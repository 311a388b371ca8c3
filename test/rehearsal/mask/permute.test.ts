import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyed, permute } from '../../../src/rehearsal/mask/permute.ts';
import { readSign } from '../../../src/rehearsal/mask/alphabets.ts';

test.each([
  ['k', 'text'],
  ['k'.repeat(64), ''],
  ['k'.repeat(65), 'é 李'],
])('is the HMAC of node:crypto under %j', (key, text) => {
  expect(keyed(key, text)).toEqual(createHmac('sha256', key).update(text).digest());
});

test.each([1, 2, 3])('all texts of %i digits become all of them', (length) => {
  const count = 10 ** length;
  const masked = Array.from({ length: count }, (_, n) => {
    const signs = Array.from(String(n).padStart(length, '0')).flatMap((one) => readSign(one)?.sign ?? []);
    return permute('a key', signs).join('');
  });
  expect(new Set(masked).size).toBe(count);
});
