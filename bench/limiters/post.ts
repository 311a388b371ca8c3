import type { Dispatcher } from 'undici';
import { HEADERS, type Target } from './client.ts';

export class Refused extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(retryAfterMs: number | undefined) {
    super('The server refused a row for its rate.');
    this.name = 'Refused';
    this.retryAfterMs = retryAfterMs;
  }
}

/** One request, no try again. Throws Refused on 429, and an Error on everything else but 201. */
export async function post(
  dispatcher: Dispatcher,
  { url, signal }: Target,
  body: string,
  onRemaining?: (remaining: number | undefined) => void,
): Promise<void> {
  const { origin, pathname: path } = url;
  const answer = await dispatcher.request({ origin, path, method: 'POST', headers: HEADERS, body, signal });
  await answer.body.dump();
  onRemaining?.(wholeNumber(answer.headers['x-ratelimit-remaining']));
  if (answer.statusCode === 201) return;
  if (answer.statusCode !== 429) throw new Error(`The server answered ${answer.statusCode}.`);
  const seconds = wholeNumber(answer.headers['retry-after']);
  throw new Refused(seconds === undefined ? undefined : seconds * 1000);
}

function wholeNumber(text: string | string[] | undefined): number | undefined {
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : undefined;
}
