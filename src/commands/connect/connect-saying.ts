import { formatDuration, SHOWN_WAIT_MS } from '../../report/words/number.ts';
import type { BudgetOptions } from '../options/budget-options.ts';
import { type Connection, connect, type ConnectOptions } from './connection.ts';
import type { GlobalOptions } from '../options/options.ts';
import { say, type Call } from '../terminal/terminal.ts';

/** Does some work with such a connection, and closes it. */
export async function withConnection<Result>(
  call: Call<SayingOptions>,
  work: (connection: Connection) => Promise<Result>,
  hooks?: SayingHooks,
): Promise<Result> {
  const connection = await connectSaying(call, hooks);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

type SayingOptions = GlobalOptions & Partial<BudgetOptions>;
type SayingHooks = Pick<ConnectOptions, 'onAnswer' | 'alsoTo' | 'halted' | 'onRetryWait'>;

/** Connects for a command that shows no progress: it says of each long wait, and of many short ones, how long it takes. */
export function connectSaying(call: Call<SayingOptions>, hooks: SayingHooks = {}): Promise<Connection> {
  const { options, runtime } = call;
  let saidUntilMs = 0;
  let unsaidMs = 0;
  const tell = (what: string, untilMs: number): void => {
    const nowMs = runtime.clock.now();
    if (nowMs < saidUntilMs) return;
    unsaidMs += untilMs - nowMs;
    if (unsaidMs < SHOWN_WAIT_MS) return;
    unsaidMs = 0;
    saidUntilMs = untilMs;
    say(call, `Waiting ${formatDuration(untilMs - nowMs)} ${what}.`);
  };
  return connect(call, {
    ...hooks,
    leave: options.leave ?? 0,
    maxWaitMs: options.maxWait,
    onWait: (untilMs) => tell('for the request budget', untilMs),
    onRetryWait(untilMs) {
      hooks.onRetryWait?.(untilMs);
      tell('to try again', untilMs);
    },
  });
}
