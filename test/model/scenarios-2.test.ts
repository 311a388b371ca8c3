import { expect, test } from 'vitest';
import { playShare, sharesOf } from './play-share.ts';

test.each(sharesOf(1))(
  'every promise is kept, by what the service holds, in scenarios from %i on',
  async (first) => {
    expect((await playShare(first)).join('\n\n')).toBe('');
  },
);
