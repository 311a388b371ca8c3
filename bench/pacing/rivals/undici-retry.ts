import { Dispatcher, RetryAgent } from 'undici';
import type { Answer } from '../../../src/pacing/pacer-state.ts';
import type { Rival } from './rival.ts';

/** undici's RetryAgent with POST and its own waits; what it gives up is asked for again. */
export const undiciRetry: Rival = (ask) => {
  const agent = new RetryAgent(new WireDispatcher(ask), { methods: ['POST'], statusCodes: [429] });
  const post = () =>
    new Promise<boolean>((resolve) => {
      agent.dispatch(
        { origin: 'http://wire', path: '/', method: 'POST' },
        {
          // Unless it has this, undici takes a handler for one of the older kind.
          onRequestStart: () => undefined,
          onResponseEnd: () => resolve(true),
          onResponseError: () => resolve(false),
        },
      );
    });
  return async () => {
    while (!(await post()));
  };
};

const RESPONSE = { 200: 'OK', 429: 'Too Many Requests' };

/** Answers through the simulated network what undici would send over a socket. */
class WireDispatcher extends Dispatcher {
  readonly #ask: () => Promise<Answer>;

  constructor(ask: () => Promise<Answer>) {
    super();
    this.#ask = ask;
  }

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    void this.#answer(handler);
    return true;
  }

  async #answer(handler: Dispatcher.DispatchHandler): Promise<void> {
    handler.onRequestStart?.(CONTROLLER, {});
    const { refused, retryAfterMs } = await this.#ask();
    const status = refused ? 429 : 200;
    const headers: Record<string, string> = { 'content-length': '0' };
    if (retryAfterMs !== undefined) headers['retry-after'] = String(retryAfterMs / 1000);
    try {
      handler.onResponseStart?.(CONTROLLER, status, headers, RESPONSE[status]);
      handler.onResponseEnd?.(CONTROLLER, {});
    } catch (error) {
      // As undici's own client does with what a handler throws: this is how RetryAgent asks for another try.
      handler.onResponseError?.(CONTROLLER, error as Error);
    }
  }
}

const CONTROLLER: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};
