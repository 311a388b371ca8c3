import { UsageError } from '../../errors.ts';
import { formatDuration } from '../../report/words/number.ts';
import { isLoopback } from '../../settings/service-url.ts';
import { startTunnel } from '../../webhooks/receive/tunnel.ts';
import { localWay, publicWay, tunnelWay, type WayIn, type WayParts } from '../../webhooks/receive/way-in.ts';
import type { Call } from '../terminal/terminal.ts';
import type { ListenOptions } from './delivery-options.ts';

/** Throws UsageError where the service could not get to this machine. */
export function requireWayIn({ publicUrl, tunnel }: ListenOptions, isLocal: boolean): void {
  if (isLocal || publicUrl !== undefined || tunnel !== undefined) return;
  throw new UsageError('The service cannot call this machine: it needs an address that leads here.', {
    hint: 'Give --public-url with one of your own, --tunnel "cloudflared tunnel --url {url}" with a command that makes one, or --sandbox.',
  });
}

const MINUTE_MS = 60_000;

/** What is waited for before anything can come; undefined: nothing. */
export function waitForWay({ publicUrl, tunnel, for: forMs }: ListenOptions): string | undefined {
  if (publicUrl === undefined && tunnel === undefined) return undefined;
  const what =
    publicUrl === undefined ? 'the tunnel has an address that leads here' : `${publicUrl} leads here`;
  const most = forMs === undefined || forMs >= MINUTE_MS ? 'a minute' : formatDuration(forMs);
  const begins = forMs === undefined ? '' : '; --for begins then';
  return `Waiting until ${what}, for ${most} at most${begins}.`;
}

/** Opens what leads deliveries to the receiver. `end` is told how to end it. */
export async function openWay(
  { options: { publicUrl, tunnel }, runtime }: Call<ListenOptions>,
  parts: WayParts,
  end: (close: () => Promise<void>) => void,
): Promise<WayIn> {
  if (publicUrl !== undefined) return await publicWay(publicUrl, parts);
  if (tunnel === undefined) return localWay(parts);
  const { cwd, env, clock, killGroup } = runtime;
  const started = startTunnel(tunnel, parts.receiver.url, { cwd, env, clock, killGroup });
  end(() => started.stop());
  return await tunnelWay(started, parts);
}

export const UNENCRYPTED =
  'The --public-url begins with http: deliveries come unencrypted, and whoever is on their way can read what they tell of people.';

/** Whether what comes by an address can be read on its way. */
export const isOpen = (publicUrl = ''): boolean =>
  /^http:/i.test(publicUrl) && !isLoopback(new URL(publicUrl).hostname);
