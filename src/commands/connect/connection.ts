import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { GaveUpError, UsageError } from '../../errors.ts';
import { Gate, type GateWishes } from '../../pacing/gate.ts';
import { createMemoryLedger, type Ledger } from '../../pacing/ledger.ts';
import { Pacer } from '../../pacing/pacer.ts';
import { SteadyTime } from '../../pacing/steady-time.ts';
import { toldBudget } from '../../pacing/pacer-memory.ts';
import { formatDuration } from '../../report/words/number.ts';
import { visible } from '../../report/words/escape.ts';
import { sandboxService, serviceName } from '../../report/words/service-name.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Runtime } from '../../runtime.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createServiceClient, type ServiceClient } from '../../service/client.ts';
import type { HttpResponse, TraceEntry } from '../../service/http/http.ts';
import { resolveSettings, type Settings } from '../../settings/settings.ts';
import { isLoopback } from '../../settings/service-url.ts';
import { noteEvent } from '../../settings/known-events.ts';
import { redactor } from '../../settings/redactor.ts';
import { cloneFile, cloneNames, holdClone } from './clone-files.ts';
import { watchIds } from './tell-ids.ts';
import { guardLeave } from '../options/budget-options.ts';
import type { GlobalOptions } from '../options/options.ts';
import type { Call } from '../terminal/terminal.ts';

/** A way to the service, open until it is closed. */
export interface Connection {
  client: ServiceClient;
  /** The same for what has to be put in order after Ctrl-C: only the second one ends it. */
  closing: ServiceClient;
  settings: Settings;
  /** What registrations are kept apart by: base URL, or the identity of a sandbox's data. */
  service: string;
  /** The service in words, for questions. */
  label: string;
  /** True when the service is on this machine: nothing about it needs the network. */
  loopback: boolean;
  gate: Gate;
  close(): Promise<void>;
}

/** When `maxWaitMs` is used up, the command gives up (exit 6); when `leave` leaves nothing, it ends (exit 7). */
export interface ConnectOptions extends Pick<GateWishes, 'leave' | 'leadMs' | 'maxWaitMs' | 'onWait'> {
  /** Told when a request has to wait before it is tried again, and until when. */
  onRetryWait?: (untilMs: number) => void;
  /** Where it is told what becomes of each request, with `--verbose`; on stderr unless given. */
  onTrace?: (text: string) => void;
  onAttempt?: ((entry: TraceEntry) => void) | undefined;
  /** Told each answer, without the token. */
  onAnswer?: ((url: URL, answer: HttpResponse) => void) | undefined;
  /** As of the transport: asked before each request. */
  mayLeave?: ((isRead: boolean) => Promise<void>) | undefined;
  /** Addresses that the command sends something to besides the service, or lets it be sent to. */
  alsoTo?: readonly (string | undefined)[];
  /** Ends all waiting, as Ctrl-C does. */
  halted?: AbortSignal;
  /** Where the service is, when that is not yet saved. */
  settings?: Settings;
}

/** Longest time that one request may be refused before the command gives up (exit 6). */
const MAX_REFUSED_MS = 2 * 60 * 60_000;

/** Of the embedded sandbox, or of the copy of a live event that is called so. */
export function sandboxFile(runtime: Runtime, sandbox: GlobalOptions['sandbox'] = true): string {
  if (typeof sandbox !== 'string') return join(runtime.paths.state, 'sandbox.sqlite');
  const file = cloneFile(runtime.paths.state, sandbox);
  if (existsSync(file)) return file;
  const names = cloneNames(runtime.paths.state);
  throw new UsageError(`There is no clone "${sandbox}".`, {
    hint:
      names.length === 0
        ? 'Make one with `eventreg sandbox clone`.'
        : `There are: ${names.join(', ')}; make another with \`eventreg sandbox clone\`.`,
  });
}

/** Opens the way to the service that the options name, starting the embedded sandbox when they ask for it. */
export async function connect(call: Call, hooks: ConnectOptions = {}): Promise<Connection> {
  const { options, runtime } = call;
  const own = options.sandbox
    ? await (await import('./embedded.ts')).startEmbedded(
        sandboxFile(runtime, options.sandbox),
        call,
        hooks.alsoTo,
      )
    : undefined;
  const sandbox = own?.sandbox;
  const letGo = holdClone(runtime, options.sandbox);
  const settings =
    own?.settings ??
    hooks.settings ??
    (await resolveSettings({
      profileFlag: options.profile,
      env: runtime.env,
      configDir: runtime.paths.config,
    }));
  runtime.secrets.add(settings.token);
  const { createUndiciTransport } = await import('../../service/http/undici-transport.ts');
  const network = createUndiciTransport({
    timeoutMs: settings.timeoutMs,
    signal: runtime.aborting,
    mayLeave: hooks.mayLeave,
    env: sandbox === undefined ? runtime.env : {},
  });
  const ledger = await openLedger(settings, runtime, sandbox);
  const { leave = 0, leadMs, maxWaitMs, halted, onWait } = hooks;
  const guard = guardLeave(leave);
  const gate = new Gate({
    leave,
    leadMs,
    maxWaitMs,
    ledger,
    clock: runtime.clock,
    tooLong: (waitedMs, delayMs) => tooLong({ waitedMs, delayMs, maxWaitMs }, runtime.clock.now()),
    onWait(untilMs, budget) {
      // Another process may have learnt the limit.
      guard.heed(budget.limit);
      if (!guard.signal.aborted) onWait?.(untilMs, budget);
    },
    onAnswer: ({ limit }) => guard.heed(limit),
  });
  // One that is remembered before the first request.
  if (leave > 0) guard.heed(gate.budget().limit);
  const redact = redactor([settings.token]);
  const service =
    sandbox === undefined ? settings.baseUrl.href : sandboxService(sandbox.instanceId, options.sandbox);
  const onRecords = watchIds(runtime, service);
  const clientUntil = (signal: AbortSignal): ServiceClient =>
    createServiceClient({
      ...settings,
      onRecords,
      async network(attempt) {
        const answer = clean(await network.send(attempt), settings.token, redact);
        hooks.onAnswer?.(attempt.url, answer);
        return answer;
      },
      gate,
      clock: runtime.clock,
      random: () => runtime.random(),
      signal,
      afterRead: () => guard.signal.throwIfAborted(),
      userAgent: `eventreg/${runtime.version}`,
      policy: { refuses503: settings.refuses503 },
      maxRefusedMs: MAX_REFUSED_MS,
      onRetryWait: hooks.onRetryWait,
      onEvent: (event) => noteEvent(runtime.paths.state, sandbox === undefined ? service : 'sandbox', event),
      onAttempt: (entry) => {
        hooks.onAttempt?.(entry);
        if (!options.verbose) return;
        const text = redact(describeAttempt(entry));
        if (hooks.onTrace === undefined) writeMessage(runtime.stderr, visible(text));
        else hooks.onTrace(text);
      },
    });
  const work = [runtime.stopping, guard.signal, ...(halted === undefined ? [] : [halted])];
  return {
    client: clientUntil(AbortSignal.any(work)),
    closing: clientUntil(runtime.aborting),
    settings,
    service,
    label: sandbox === undefined ? settings.baseUrl.href : serviceName(service),
    loopback: isLoopback(settings.baseUrl.hostname),
    gate,
    async close() {
      await network.close();
      ledger.close(runtime.clock.now());
      await sandbox?.close();
      letGo();
    },
  };
}

/** All processes of this machine spend the budget of a service together, and know what other machines have learnt of it; a sandbox of its own has told its limit, and ends with this one. */
async function openLedger(
  { baseUrl, token }: Settings,
  { clock, paths }: Runtime,
  own: Sandbox | undefined,
): Promise<Ledger> {
  if (own !== undefined) {
    const pacer = new Pacer(own.budget && toldBudget(own.budget, clock.now()));
    return createMemoryLedger(pacer, new SteadyTime(clock.steadyMs));
  }
  const { SharedLedger } = await import('../../pacing/shared/shared-ledger.ts');
  const { keepPacing, openPacingFile, recallPacing } = await import('./pacing-file.ts');
  const { state, shared } = paths;
  const account = { origin: baseUrl.origin, token };
  return new SharedLedger({
    open() {
      const row = openPacingFile(state, account, clock.now());
      if (shared !== undefined) recallPacing(row, account, shared);
      return row;
    },
    clock,
    makePacer: (memory) => new Pacer(memory),
    onClosed(now) {
      if (shared !== undefined) keepPacing(state, account, shared, now);
    },
  });
}

function tooLong(
  { waitedMs, delayMs, maxWaitMs = 0 }: { waitedMs: number; delayMs: number; maxWaitMs: number | undefined },
  nowMs: number,
): GaveUpError {
  const [waited, further, most] = [waitedMs, delayMs, maxWaitMs].map(formatDuration);
  return new GaveUpError(
    `Waited ${waited} for the request budget, and the next request would wait ${further} more: --max-wait allows ${most} in all.`,
    {
      hint: 'Nothing is lost: run the same command again later, or with a longer --max-wait.',
    },
    nowMs + delayMs,
  );
}

/** A shorter token could stand in somebody's data by chance, and taking it out would falsify that. */
const SHORTEST_REDACTED = 12;

/** Nothing that comes back can carry the token further, whatever the service puts into its answers. */
function clean(answer: HttpResponse, token: string, redact: (text: string) => string): HttpResponse {
  if (token.length < SHORTEST_REDACTED) return answer;
  const all = `${Object.values(answer.headers).join('\n')}\n${answer.body}`;
  if (redact(all) === all) return answer;
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, redact(value)] as const);
  return { status: answer.status, headers: Object.fromEntries(headers), body: redact(answer.body) };
}

/** Enough of a request id to find it by. */
const ID_SHOWN = 8;

/** A request and what came of it, for people. */
function describeAttempt({ method, path, result, tookMs, remaining, requestId }: TraceEntry): string {
  const left = remaining === undefined ? '' : `, ${remaining} left`;
  return `${method} ${path} → ${result} (${tookMs} ms${left}, id ${requestId.slice(0, ID_SHOWN)})`;
}
