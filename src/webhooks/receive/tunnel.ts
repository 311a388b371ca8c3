import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Clock } from '../../pacing/clock.ts';
import { isLoopback } from '../../settings/service-url.ts';

/** A command of the user's own that makes a way from outside to this machine. */
export interface Tunnel {
  urls: PrintedUrls;
  /** Resolves with how it ended, when it has. */
  ended: Promise<string>;
  /** Resolves when it prints an address that it has not printed before. */
  printed(): Promise<void>;
  /** Ends it, with all that it has started. */
  stop(): Promise<void>;
}

/** What it needs of the process. */
interface TunnelParts {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  killGroup: (pid: number, signal: 'SIGTERM' | 'SIGKILL') => void;
}

const END_MS = 2_000;
/** A line is taken for whole when nothing follows. */
const LINE_MS = 200;
/** Of what it said last, for whoever has to find out why it ended. */
const LAST_SAID = 300;
const SECRETS = /^EVENTREG_(?:TOKEN|WEBHOOK_SECRET)$/;

/** Found without a PATH, too. */
const SHELL = '/bin/sh';

/**
 * The shell that starts the command also waits for the end of descriptor 3, whose other end is ours: when this process is
 * killed, the command ends too, with all that it has started.
 */
const TIED = `(trap '' TERM; read -r _; kill -s TERM 0; sleep 2; kill -s KILL 0) <&3 >/dev/null 2>&1 &
exec ${SHELL} -c "$1" 3<&-`;

/** Starts the command in the user's shell, `{url}` in it being where the receiver listens. */
export function startTunnel(
  command: string,
  url: string,
  { cwd, env, clock, killGroup }: TunnelParts,
): Tunnel {
  const urls = new PrintedUrls();
  let said = '';
  let wake = (): void => undefined;
  const own = command.replaceAll('{url}', () => url);
  const hasGroups = platform() !== 'win32';
  const child = spawn(hasGroups ? SHELL : own, hasGroups ? ['-c', TIED, 'sh', own] : [], {
    shell: !hasGroups,
    cwd,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.test(name))),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own: it ends with all that the shell has started, and not by Ctrl-C before us.
    detached: hasGroups,
    windowsHide: true,
  });
  const [, , , lifeline] = child.stdio;
  lifeline?.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      lifeline?.destroy();
      const last = said.trim().split('\n').at(-1)?.slice(0, LAST_SAID) ?? '';
      resolve(`${signal ?? `exit code ${code}`}${last === '' ? '' : `; it said last: ${last}`}`);
    });
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      said = `${said}${piece}`.slice(-2 * LAST_SAID);
      if (urls.take(piece)) wake();
      void clock.sleep(LINE_MS, undefined, { ref: false }).then(() => urls.endLine() && wake());
    });
  }
  return {
    urls,
    ended,
    printed: () => new Promise((resolve) => (wake = resolve)),
    async stop() {
      const { pid } = child;
      if (pid === undefined) return;
      killGroup(pid, 'SIGTERM');
      await Promise.race([ended, clock.sleep(END_MS, undefined, { ref: false })]);
      killGroup(pid, 'SIGKILL');
      for (const stream of [lifeline, child.stdout, child.stderr]) stream?.destroy();
    },
  };
}

// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001B\[[\d;?]*[A-Za-z]/g;
const URLS = /https?:\/\/[^\s"'`<>|\\^{}]+/gi;
/** What a sentence or a frame puts behind an address. */
const BEHIND = /[).,;:!?\]│*]+$/u;
/** Longer is no address of a tunnel. */
const LONGEST = 300;
/** The newest of them are kept. */
const MOST = 50;
/** Longer lines are cut: nobody writes an address behind so much. */
const LONGEST_LINE = 8 * 1024;

/** Collects the addresses that a program prints, whatever stands around them. */
export class PrintedUrls {
  readonly #found = new Set<string>();
  #rest = '';

  /** Takes a piece of what it prints. Returns whether there is a new address in it. */
  take(piece: string): boolean {
    const lines = `${this.#rest}${piece}`.split(/[\r\n]/);
    this.#rest = lines.at(-1)?.slice(-LONGEST_LINE) ?? '';
    const known = new Set(this.#found);
    // The last line may go on: it is looked at again when it does.
    for (const line of lines.slice(0, -1)) this.#read(line);
    return [...this.#found].some((url) => !known.has(url));
  }

  /** Takes what stands in the line that has not ended. */
  endLine(): boolean {
    return this.#rest !== '' && this.take('\n');
  }

  /** Those of this machine first, then the newest. */
  inOrder(): string[] {
    const newest = [...this.#found].reverse();
    const isNear = (url: string): boolean => isLoopback(new URL(url).hostname);
    return [...newest.filter(isNear), ...newest.filter((url) => !isNear(url))];
  }

  #read(line: string): void {
    for (const [url] of line.replace(COLOURS, '').matchAll(URLS)) {
      const clean = url.replace(BEHIND, '');
      if (clean.length > LONGEST || !URL.canParse(clean)) continue;
      // What is printed again is the newest again.
      this.#found.delete(clean);
      this.#found.add(clean);
      const [oldest] = this.#found;
      if (this.#found.size > MOST && oldest !== undefined) this.#found.delete(oldest);
    }
  }
}
