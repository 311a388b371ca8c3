import { type MessageStream, writeMessage } from '../words/wrap-words.ts';
import type { ProgressEvent } from './progress-state.ts';

/** A way to show progress: a bar, plain lines, or not at all. */
export interface ProgressDisplay {
  update(event: ProgressEvent): void;
  /** Prints whole lines above whatever is drawn. The text is safe and ends without a newline. */
  print(text: string): void;
  /** Clears what is drawn until the next update. */
  pause(): void;
  /** Clears what is drawn and stops all timers. */
  close(): void;
}

/** Prints lines, shows no progress. */
export function createNoProgress(stream: MessageStream): ProgressDisplay {
  return {
    update() {},
    print(text) {
      writeMessage(stream, text);
    },
    pause() {},
    close() {},
  };
}
