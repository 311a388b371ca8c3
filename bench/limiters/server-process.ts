import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Decision } from './decisions.ts';
import type { ServerSpec } from './servers.ts';

const SERVER = fileURLToPath(new URL('server.ts', import.meta.url));
const TYPESCRIPT = new URL('../../test/crash/typescript.js', import.meta.url).href;

export interface ServerProcess {
  origin: string;
  decisions(): Promise<readonly Decision[]>;
  stop(): Promise<void>;
}

/** Starts a server that knows of no request yet. It ends with this process at the latest. */
export async function startServer(spec: ServerSpec): Promise<ServerProcess> {
  const child = fork(SERVER, [JSON.stringify(spec)], { execArgv: ['--import', TYPESCRIPT] });
  const port = await nextMessage<number>(child);
  return {
    origin: `http://127.0.0.1:${port}`,
    decisions() {
      child.send('tell');
      return nextMessage<readonly Decision[]>(child);
    },
    async stop() {
      if (!child.connected) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** Throws an Error with a sentence when the process ends instead. */
function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('A server ended before its time.'));
    child.once('exit', fail);
    child.once('message', (message) => {
      child.off('exit', fail);
      resolve(message as Message);
    });
  });
}
