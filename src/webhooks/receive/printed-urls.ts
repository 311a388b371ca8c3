import { isLoopback } from '../../settings/service-url.ts';

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
