import { describe, expect, test } from 'vitest';
import { heardOfNodes, keptByNodes, ofAllNodes } from '../../src/pacing/nodes.ts';
import { Pacer } from '../../src/pacing/pacer.ts';
import type { Answer, PacerState } from '../../src/pacing/pacer-state.ts';
import { at, began, learning, learnt } from './states.ts';

const said = (remaining: number, more: Partial<Answer> = {}): Answer => ({
  refused: false,
  limit: 30,
  remaining,
  retryAfterMs: undefined,
  ...more,
});

/** A window of a few hundred milliseconds so far, of which these answers told. */
function after(told: readonly number[]): PacerState {
  const state = learning({ limit: 30, sentCount: told.length, began: began(0) });
  for (const remaining of told) heardOfNodes(state, said(remaining), at(500));
  return state;
}

describe('nodes that count apart', () => {
  test('show in values that come again, all the time', () => {
    const state = after([29, 29, 28, 27, 28, 26, 27, 26, 25, 24]);
    expect(state).toMatchObject({ limit: 60, granted: 60 });
    expect(state.nodes.map(([left]) => left)).toEqual([24, 26]);
    expect(after([29, 29, 29, 28, 28, 28, 27, 27, 27]).limit).toBe(90);
  });

  test('are none where values come again once: a window ended, or the counter is late', () => {
    expect(after([29, 28, 27, 26, 29, 28, 27, 26, 25, 24]).nodes).toEqual([]);
    expect(after([29, 29, 28, 27, 26, 25, 24, 23]).nodes).toEqual([]);
    const overtaken = [
      29, 26, 28, 29, 25, 24, 23, 22, 27, 28, 22, 26, 24, 27, 25, 21, 23, 19, 17, 20, 18, 15, 16,
    ];
    expect(after(overtaken).nodes).toEqual([]);
    expect(after([29, 29, 29, 29, 29, 29, 29, 29]).nodes).toEqual([]);
  });

  const two = (a: number, b: number) =>
    learnt({
      limit: 60,
      nodes: [
        [a, 0],
        [b, 0],
      ],
    });

  test('say together what all have left, and nobody uses more of any than the one with least has', () => {
    const state = two(20, 12);
    expect(ofAllNodes(state, said(11))).toMatchObject({ limit: 60, remaining: 31 });
    expect(state.nodes).toEqual([
      [20, 1],
      [11, 0],
    ]);
    expect(keptByNodes(state)).toBe(9);
    expect(ofAllNodes(state, said(19))).toMatchObject({ remaining: 30 });
  });

  test('get back together what one got back', () => {
    const state = two(0, 2);
    expect(ofAllNodes(state, said(29)).remaining).toBe(59);
    const part = two(0, 2);
    expect(ofAllNodes(part, said(11)).remaining).toBe(21);
  });

  test('refuse for themselves: the others still have theirs', () => {
    const state = two(1, 9);
    const refusal = said(0, { refused: true });
    expect(ofAllNodes(state, refusal)).toMatchObject({ limit: 60, remaining: 0 });
    heardOfNodes(state, refusal, at(500));
    expect(state.granted).toBe(state.sentCount + 9);
  });
});

test('refused at the door while others are worked on, so many at once are too many, unless one alone is, too', () => {
  const pacer = new Pacer();
  const send = (): number => pacer.sent(at(0));
  pacer.answered(send(), at(320), said(999, { limit: 1000 }));
  const tickets = [1, 2, 3].map(() => pacer.sent(at(400)));
  pacer.answered(tickets[0] ?? 0, at(420), said(999, { limit: 1000, refused: true }));
  expect(pacer.toJSON()).toMatchObject({ atOnce: 2, refusals: 0, silentUntilMs: at(420) });
  expect(pacer.delayMs(at(420))).toBe(Number.POSITIVE_INFINITY);
  for (const ticket of tickets.slice(1)) pacer.answered(ticket, at(720), said(998, { limit: 1000 }));
  pacer.answered(pacer.sent(at(800)), at(820), said(998, { limit: 1000, refused: true }));
  expect(pacer.toJSON()).toMatchObject({ atOnce: 0, beside: { refusals: 1 } });
});
