import type { Chapter } from './chapter.ts';

/** A command as a person types it, with the flags that lead to the service of the story. */
export type Typed = (words: readonly string[]) => string;

/** What both are read from. */
export interface Situation {
  /** What was done last, of what did something. */
  last: Chapter;
  chapters: readonly Chapter[];
  typed: Typed;
}

/** `: no such country`, where the row says why; a service may end its words with a full stop. */
export const why = ({ last }: Situation): string =>
  last.view.message === undefined ? '' : `: ${last.view.message.replace(/\.$/, '')}`;

export function look({ last, typed }: Situation): string {
  const { barcode } = last.view;
  return barcode === undefined ? 'Look at it' : `Look at it (${typed(['list', '--barcode', barcode])})`;
}

export function again({ last, typed }: Situation): string {
  const files = filesOf(last);
  return files === undefined
    ? 'Run the same command again'
    : `Run the same command again (${typed(['push', ...files])})`;
}

/** The push of this one alone: with `--overwrite`, the whole file would put back every edit. */
export function pushOf({ typed }: Situation, chapter: Chapter, flag: string): string | undefined {
  const files = filesOf(chapter);
  const barcode = chapter.row.payload?.barcode;
  if (files === undefined || barcode === undefined) return undefined;
  return typed(['push', ...files, '--only', barcode, flag]);
}

/** Of a push that can be typed again. */
function filesOf({ view: { kind, files } }: Chapter): readonly string[] | undefined {
  return kind === 'push' && files.length > 0 && !files.includes('-') ? files : undefined;
}
