import { expect, test } from 'vitest';
import { playShare } from './play-share.ts';

test('every promise is kept, by what the service holds', async () => {
  expect((await playShare(0)).join('\n\n')).toBe('');
});
