import type { Answer, PacerState } from './pacer-state.ts';
import { SHORTEST_MS } from './window-opened.ts';

/** More nodes than that are a counter that is not exact, and less of anything may be noise. */
const MOST_NODES = 4;
const LEAST = 3;
/** Of a node that so many times as many answers were not from, nothing is known. */
const UNHEARD = 4;

/** What an answer of one of several nodes, each with a limit of its own, says of all of them together. */
export function ofAllNodes(state: PacerState, answer: Answer): Answer {
  const { nodes, limit = 0 } = state;
  const { refused, remaining } = answer;
  const own = limit / nodes.length;
  if (answer.limit !== own || remaining === undefined) return answer;
  const off = ([left]: [number, number]): number => Math.abs(left - (refused ? 0 : remaining + 1));
  const nearest = nodes.reduce((best, node) => (off(node) < off(best) ? node : best));
  const unheard = refused ? undefined : nodes.find(([, since]) => since >= UNHEARD * nodes.length);
  const rise = unheard === undefined ? remaining + 1 - nearest[0] : 0;
  // What came back to one came back to the others.
  const back = rise < LEAST ? 0 : remaining < own - 1 ? rise : own;
  state.nodes = nodes.map((node) =>
    node === (unheard ?? nearest) ? [remaining, 0] : [Math.min(own, node[0] + back), node[1] + 1],
  );
  return { ...answer, limit, remaining: refused ? 0 : leftOf(state) };
}

/** So much is left that nobody may use, as the next request may meet the node that has least. */
export function keptByNodes(state: PacerState): number {
  const least = Math.min(...state.nodes.map(([left]) => left));
  return state.nodes.length === 0 ? 0 : leftOf(state) - state.nodes.length * least;
}

/** What follows once an answer is booked. */
export function heardOfNodes(state: PacerState, { refused, limit, remaining }: Answer, now: number): void {
  if (remaining === undefined) return;
  if (state.nodes.length === 0) {
    if (!refused) tellApart(state, remaining, now);
  } else if (refused) {
    // The others still have theirs.
    if (state.shape !== 'flow') state.granted = state.sentCount + leftOf(state);
  } else if (remaining + 1 === limit && state.shape === 'window') {
    // The newest window ends last.
    state.began = { ...state.began, atMs: state.toldMs, byMs: now };
  }
}

/** Several nodes: each value comes once from each. What a window gave back meanwhile comes again only later on. */
function tellApart(state: PacerState, remaining: number, now: number): void {
  if (state.windowMs !== undefined || state.refusals > 0 || now - state.began.atMs > SHORTEST_MS) return;
  const told = (state.told = [...state.told, remaining].slice(-64));
  const { underWay, limit = 0, sentCount, began } = state;
  if (underWay.length > 0 || told.length < sentCount) return;
  const before = (at: number): number => told.slice(0, at).filter((value) => value === told[at]).length;
  const apart = Array.from({ length: MOST_NODES }, (_, node) =>
    told.map((_value, at) => at).filter((at) => before(at) === node),
  )
    .filter(
      ([first = told.length, ...more]) =>
        3 * first < told.length && 4 * ((more.at(-1) ?? 0) + 1) >= 3 * told.length,
    )
    .map((ats) => ({ count: ats.length, least: Math.min(...ats.map((at) => told[at] ?? 0)) }))
    .filter(({ count, least }) => count >= LEAST && count === Math.max(...told) - least + 1);
  if (apart.length < 2) return;
  state.nodes = apart.map(({ least }) => [least, 0]);
  state.limit = apart.length * limit;
  state.granted = leftOf(state) + sentCount;
  // Each of them began with the first request that met it.
  state.began = { ...began, byMs: began.byMs + 4 * state.roundTripMs };
}

function leftOf({ nodes }: PacerState): number {
  return nodes.reduce((sum, [left]) => sum + left, 0);
}
