import type { Reporter } from './events.ts';

/** What is named in one line. */
const NAMED = 3;

/** A note that names the first few, and all of them where that is wished. */
export function noteSome(text: string, names: readonly string[], reporter: Reporter): void {
  const all = `${text}: ${names.join(', ')}.`;
  const some = `${text}: ${names.slice(0, NAMED).join(', ')}, … (--verbose names all).`;
  reporter.report({ type: 'note', text: names.length > NAMED ? some : all, full: all });
}
