const PLAIN_PASTES = '\u001B[?2004l';
const SHOW_CURSOR = '\u001B[?25h';

/** Gives back what a frame, or the line of progress, takes of a terminal; harmless where there is none. */
export const FRAME_OFF = `${PLAIN_PASTES}${SHOW_CURSOR}`;
