import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../pacing/clock.ts';
import { formatDuration } from '../../report/words/number.ts';
import { isLoopback } from '../../settings/service-url.ts';
import type { BytesSender } from '../deliveries/send-bytes.ts';
import type { Receiver } from './receiver.ts';
import type { Tunnel } from './tunnel.ts';

/** How deliveries get to the receiver. */
export interface WayIn {
  /** What leads to it; the path is still to be added. */
  base: string;
  /** Resolves with the address that leads to it now, when the one before does no more; rejects when there is none. */
  moved(): Promise<string>;
}

export interface WayParts {
  receiver: Receiver;
  sender: BytesSender;
  clock: Clock;
  /** Ends all waiting. */
  stopping: AbortSignal;
  /** The service runs on this machine, and reaches what else does. */
  isLocal: boolean;
}

const FIND_MS = 60_000;
const ROUND_MS = 1_000;
/** An address that does not lead here is asked again after this at the latest: most of them are pages of somebody's. */
const SELDOM_MS = 8_000;
const WATCH_MS = 30_000;

const never = (): Promise<string> => new Promise(() => undefined);

/** The receiver itself, for a service on this machine. */
export const localWay = ({ receiver }: Pick<WayParts, 'receiver'>): WayIn => ({
  base: receiver.url,
  moved: never,
});

/** An address of the user's own. Throws ServiceError when it does not lead here within a minute. */
export async function publicWay(base: string, parts: WayParts): Promise<WayIn> {
  const { hostname } = new URL(base);
  parts.receiver.hosts.add(hostname);
  const untilMs = parts.clock.now() + FIND_MS;
  while (!(await leadsHere(base, parts.receiver, parts.sender))) {
    if (parts.clock.now() >= untilMs) {
      throw new ServiceError(`${base} does not lead to ${parts.receiver.url}: asked for a minute.`, {
        hint: 'Is the tunnel or the proxy behind it running, and does it lead to this port?',
      });
    }
    await parts.clock.sleep(ROUND_MS, parts.stopping);
  }
  return { base, moved: never };
}

/** The first address that the tunnel prints and that leads here. Throws ServiceError when none does, or when it ends. */
export async function tunnelWay(tunnel: Tunnel, parts: WayParts): Promise<WayIn> {
  let base = await findAddress(tunnel, parts);
  return {
    base,
    async moved() {
      const before = base;
      while (base === before) {
        await whicheverFirst(tunnel, WATCH_MS, parts);
        if (await leadsHere(base, parts.receiver, parts.sender)) continue;
        base = await findAddress(tunnel, parts);
      }
      return base;
    },
  };
}

async function findAddress(tunnel: Tunnel, parts: WayParts): Promise<string> {
  const { receiver, sender, clock, isLocal } = parts;
  const untilMs = clock.now() + FIND_MS;
  const asked = new Map<string, { times: number; nextMs: number }>();
  while (clock.now() < untilMs) {
    const nowMs = clock.now();
    const due = tunnel.urls
      .inOrder()
      .filter((url) => mayLeadHere(url, receiver, isLocal) && (asked.get(url)?.nextMs ?? 0) <= nowMs);
    for (const url of due) {
      const times = (asked.get(url)?.times ?? 0) + 1;
      asked.set(url, { times, nextMs: nowMs + Math.min(SELDOM_MS, ROUND_MS * 2 ** (times - 1)) });
      receiver.hosts.add(new URL(url).hostname);
    }
    const answers = await Promise.all(due.map((url) => leadsHere(url, receiver, sender)));
    const found = due.find((_, at) => answers[at]);
    receiver.hosts.clear();
    if (found !== undefined) {
      receiver.hosts.add(new URL(found).hostname);
      return found;
    }
    await whicheverFirst(tunnel, ROUND_MS, parts);
  }
  const printed = tunnel.urls.inOrder().length;
  throw new ServiceError(
    `The tunnel has printed no address that leads here within ${formatDuration(FIND_MS)} (${printed} were asked).`,
    {
      hint: 'Does its command say where it leads to? Write {url} there, as in --tunnel "cloudflared tunnel --url {url}".',
    },
  );
}

/** Our own address would lead here for us alone; others of this machine do for a service on it. */
function mayLeadHere(url: string, { port }: Receiver, isLocal: boolean): boolean {
  const { hostname, port: its } = new URL(url);
  return !isLoopback(hostname) || (isLocal && its !== String(port));
}

/** Until it prints something new, or the time is over. Throws when it ends. */
async function whicheverFirst(tunnel: Tunnel, ms: number, { clock, stopping }: WayParts): Promise<void> {
  const waiting = new AbortController();
  const signal = AbortSignal.any([stopping, waiting.signal]);
  try {
    await Promise.race([
      tunnel.printed(),
      clock.sleep(ms, signal),
      tunnel.ended.then((how) => {
        throw new ServiceError(`The command of the tunnel has ended (${how}).`, {
          hint: 'Try it in a terminal of its own, and give the address that it shows with --public-url.',
        });
      }),
    ]);
  } finally {
    waiting.abort(new Error('over'));
  }
}

const TIMEOUT_MS = 5_000;

/** Whether an address leads to the receiver, by an answer that nobody else knows. Nothing else is told to whoever is there. */
export async function leadsHere(
  base: string,
  { proof }: Pick<Receiver, 'proof'>,
  sender: BytesSender,
): Promise<boolean> {
  const url = new URL(addressBelow(base, proof.path));
  const answer = await sender.send(url, ['content-type', 'text/plain'], new Uint8Array(), TIMEOUT_MS);
  return answer.status === 200 && answer.body.toString() === proof.answer;
}

/** A path below an address, whose query and fragment are left out. */
export function addressBelow(base: string, path: string): string {
  const { origin, pathname } = new URL(base);
  return `${origin}${pathname.replace(/\/+$/, '')}${path}`;
}
