import { emitKeypressEvents } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';

/** One key, what it is called, and the text that it types, if any; or what was pasted, as `paste`. */
export interface Key {
  name: string;
  text: string;
}

/** Who is told of keys while something is asked. */
interface KeyListener {
  press(key: Key): void;
  interrupted(): void;
  /** The process is about to be stopped (Ctrl-Z): leaves the screen in order. */
  suspended(): void;
  /** It goes on: the screen is another one. */
  resumed(): void;
}

/** The keys of the terminal. They are neither echoed nor kept while somebody holds it. */
export interface Keyboard {
  /** Takes the keys until the returned function is called. Without a listener they are dropped, but for Ctrl-C. */
  hold(listener?: KeyListener): () => void;
  /** Resolves when all keys that were pressed before now have been handed out. */
  drained(): Promise<void>;
  /** To be called when the process goes on after it was stopped. */
  resume(): void;
  /** Gives the terminal back as it was, for the end of the process. False when nobody holds it. */
  restore(): boolean;
}

interface KeyboardParts {
  input: NodeJS.ReadStream;
  /** What Ctrl-C does while nothing is asked. */
  interrupt: () => void;
  /** Stops this process until it is told to go on; undefined where there is no such thing. */
  suspend: (() => void) | undefined;
}

/** An arrow key is told from Esc by what follows it at once. */
const ESCAPE_MS = 50;

/** Makes the one keyboard of a process. */
export function createKeyboard({ input, interrupt, suspend }: KeyboardParts): Keyboard {
  let holders = 0;
  const listeners: KeyListener[] = [];
  /** What has come so far of what is being pasted. */
  let pasted: string | undefined;

  const onKeypress = (
    text: string | undefined,
    { name = '', ctrl = false, meta = false }: Keypress,
  ): void => {
    const listener = listeners.at(-1);
    if (ctrl && name === 'c') {
      if (listener === undefined) interrupt();
      else listener.interrupted();
      return;
    }
    if (ctrl && name === 'z' && suspend !== undefined) {
      listener?.suspended();
      input.setRawMode(false);
      suspend();
      return;
    }
    if (name === 'paste-start') {
      pasted = '';
    } else if (name === 'paste-end') {
      listener?.press({ name: 'paste', text: (pasted ?? '').trim().replace(/\p{Cc}+/gu, ' ') });
      pasted = undefined;
    } else if (pasted === undefined) {
      listener?.press(toKey(text, { name, ctrl, meta }));
    } else {
      pasted += text ?? '';
    }
  };
  const start = (): void => {
    emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as never);
    input.setRawMode(true);
    input.on('keypress', onKeypress);
    input.resume();
  };
  const stop = (): void => {
    input.off('keypress', onKeypress);
    input.setRawMode(false);
    input.pause();
  };
  return {
    hold(listener) {
      holders += 1;
      if (holders === 1) start();
      if (listener !== undefined) listeners.push(listener);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        if (listener !== undefined) listeners.splice(listeners.indexOf(listener), 1);
        if (holders === 0) stop();
      };
    },
    async drained() {
      // Between two turns of the event loop everything is read that lies in the terminal; the first may be half over.
      for (let turns = 0; turns < 3; turns += 1) await turn();
    },
    resume() {
      if (holders === 0) return;
      // Whoever had the terminal meanwhile may have changed its mode, unknown to the stream.
      input.setRawMode(false);
      input.setRawMode(true);
      listeners.at(-1)?.resumed();
    },
    restore() {
      if (holders > 0) input.setRawMode(false);
      return holders > 0;
    },
  };
}

function toKey(text: string | undefined, { name, ctrl, meta }: Required<Keypress>): Key {
  // Esc alone comes with the mark that it sets on the key after it.
  const chord = (ctrl || meta) && name !== 'escape';
  const types = !chord && text !== undefined && !/\p{Cc}/u.test(text);
  return { name: chord ? `${ctrl ? 'ctrl' : 'meta'}-${name}` : name, text: types ? text : '' };
}

interface Keypress {
  name?: string;
  ctrl?: boolean;
  meta?: boolean;
}
