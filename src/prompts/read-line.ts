import { StringDecoder } from 'node:string_decoder';
import { InterruptedError } from '../errors.ts';
import { withResolvers } from './with-resolvers.ts';

/** How a line is read. */
interface LineWish {
  input: NodeJS.ReadStream;
  /** Nothing of it is shown while it is typed. */
  hidden: boolean;
  stopping: AbortSignal;
  /** Called when what was typed before has been dropped. */
  begin: () => Promise<void>;
}

/** Reads one line as a terminal without any abilities gives it. Throws InterruptedError. */
export async function readLine({ input, hidden, stopping, begin }: LineWish): Promise<string> {
  const wasRaw = input.isRaw;
  const flowed = input.readableFlowing === true;
  const decoder = new StringDecoder('utf8');
  let line: string[] | undefined;
  const { promise: read, resolve, reject } = withResolvers<string>();
  // Whoever is interrupted before the line is waited for, hears of it then.
  read.catch(() => undefined);
  const interrupt = (): void => reject(new InterruptedError());
  const onData = (chunk: Buffer | string): void => {
    for (const character of typeof chunk === 'string' ? chunk : decoder.write(chunk)) {
      if (character === '\u0003') interrupt();
      if (line === undefined) continue;
      if (character === '\r' || character === '\n') resolve(line.join(''));
      else if (character === '\u007F' || character === '\b') line.pop();
      else line.push(character);
    }
  };
  stopping.addEventListener('abort', interrupt, { once: true });
  input.setRawMode(hidden);
  input.on('data', onData);
  input.resume();
  try {
    stopping.throwIfAborted();
    await begin();
    line = [];
    return await read;
  } finally {
    stopping.removeEventListener('abort', interrupt);
    input.off('data', onData);
    input.setRawMode(wasRaw);
    // A terminal that is read keeps the process alive.
    if (!flowed) input.pause();
  }
}
