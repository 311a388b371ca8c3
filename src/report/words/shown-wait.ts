/** A shorter wait, in milliseconds, is the usual gap between two requests and not worth a word. */
export const SHOWN_WAIT_MS = 5_000;
