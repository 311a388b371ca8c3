import { describe, expect, test } from 'vitest';
import { behaviourOf } from '../../../src/rehearsal/clone/behaviour.ts';
import { SeenAnswers } from '../../../src/rehearsal/clone/seen-answers.ts';

const page = (from: number, length: number) =>
  Array.from({ length }, (_, at) => ({ id: from + at, barcode: `B${from + at}` }));

/** What pages, the first of them first, have shown. */
function seen(...pages: object[][]): SeenAnswers {
  const answers = new SeenAnswers();
  answers.reading = 'list';
  for (const [at, data] of pages.entries()) {
    const url = new URL(`https://events.example/registration?page=${at + 1}&per_page=100`);
    answers.add(url, { status: 200, headers: {}, body: JSON.stringify({ data }) });
  }
  return answers;
}

describe('how many records a page has at most', () => {
  test.each([
    ['one page that is the last', [page(1, 13)], undefined],
    ['one page, and nothing past it', [page(1, 13), []], undefined],
    ['one page that comes again past its end', [page(1, 13), page(1, 13)], undefined],
    ['a page that was followed by more', [page(1, 25), page(26, 13)], 25],
  ])('is seen of %s: %s', (_, pages, most) => {
    expect(seen(...pages).perPage).toBe(most);
  });
});

test('beside a window that is assumed stands that durations are not those of the live service', () => {
  const evidence = {
    answers: seen(page(1, 3)),
    records: { count: 0 },
    pushes: {},
    fieldsForm: undefined,
    asksWebhooks: false,
    webhookIds: undefined,
  };
  const windowOf = (windowMs?: number) =>
    behaviourOf({
      ...evidence,
      pacing: windowMs && { limit: 30, windowMs, shape: 'window', isSure: true },
    } as never).find(({ name }) => name === 'windowMs');
  expect(windowOf()).toMatchObject({
    seen: false,
    from: expect.stringContaining('not as at the live service'),
  });
  expect(windowOf(60_000)).toMatchObject({
    seen: true,
    value: 60_000,
    from: expect.stringContaining('pacing'),
  });
});
