import { ServiceError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { isLoopback } from '../../settings/service-url.ts';
import { type Settings, settingsOf } from '../../settings/settings.ts';
import type { Call } from '../terminal/terminal.ts';
import type { Runtime } from '../../runtime.ts';
import { type DeliveryFile, openDeliveries } from '../../sandbox/deliver/delivery-file.ts';

/** Starts the sandbox on its file, and says what leaves this machine and how it is reached. `alsoTo`: where the command sends something besides. */
export async function startEmbedded(
  file: string,
  call: Call,
  alsoTo: readonly (string | undefined)[] = [],
): Promise<{ sandbox: Sandbox; settings: Settings }> {
  const { options, runtime } = call;
  const { startSandbox } = await import('../../sandbox/sandbox.ts');
  const sandbox = await startSandbox({ file, now: () => runtime.clock.now() }).catch((error: Error) => {
    throw new ServiceError(`The embedded sandbox cannot start: ${error.message}`, {
      hint: 'Choose another folder for it with EVENTREG_STATE_DIR.',
      cause: error,
    });
  });
  if (!options.quiet) {
    const what = typeof options.sandbox === 'string' ? `clone ${options.sandbox}` : 'sandbox';
    const called = sandbox.webhooks().map(({ active, webhook_url: to }) => (active ? to : undefined));
    const hosts = hostsElsewhere([...alsoTo, ...called].flatMap((to) => to ?? []));
    const but = hosts.length === 0 ? '' : ` but what is delivered to ${hosts.join(', ')}`;
    writeMessage(runtime.stderr, visible(`Practice service (${what}): nothing leaves this machine${but}.`));
  }
  return { sandbox, settings: sandboxSettings(sandbox) };
}

/** The hosts of addresses that are not on this machine; what is no address is a name already. */
function hostsElsewhere(addresses: readonly string[]): string[] {
  const hosts = addresses.map((text) => (URL.canParse(text) ? new URL(text).hostname : text));
  return [...new Set(hosts.filter((host) => !isLoopback(host)))];
}

/** How to reach it. */
function sandboxSettings(sandbox: Sandbox): Settings {
  return {
    profile: 'sandbox',
    baseUrl: new URL(sandbox.baseUrl),
    integUrl: new URL(sandbox.integUrl),
    token: sandbox.token,
    tokenFrom: 'sandbox',
    ...settingsOf({}),
    // The sandbox ends with this process: no request of an earlier one can still land.
    settleMs: 0,
  };
}

/** Works with the deliveries of a sandbox's file, whoever serves it. Throws ServiceError when it cannot be used. */
export async function withDeliveries<Result>(
  file: string,
  { clock }: Runtime,
  work: (deliveries: DeliveryFile) => Promise<Result>,
): Promise<Result> {
  const deliveries = open(file, () => clock.now());
  try {
    return await work(deliveries);
  } finally {
    await deliveries.close();
  }
}

function open(file: string, now: () => number): DeliveryFile {
  try {
    return openDeliveries(file, now);
  } catch (error) {
    throw new ServiceError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
