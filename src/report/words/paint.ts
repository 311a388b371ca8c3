/** What a colour says, the same everywhere: done is green, waiting yellow, refused red, asked cyan. */
export type Meaning = 'done' | 'waiting' | 'refused' | 'asked' | 'faint' | 'strong';

/** Text in the colour of its meaning, where there are colours. The text is safe to print already. */
export type Paint = (meaning: Meaning | undefined, text: string) => string;

const CODES: Readonly<Record<Meaning, readonly [on: number, off: number]>> = {
  done: [32, 39],
  waiting: [33, 39],
  refused: [31, 39],
  asked: [36, 39],
  faint: [2, 22],
  strong: [1, 22],
};

const plain: Paint = (_meaning, text) => text;

const coloured: Paint = (meaning, text) => {
  if (meaning === undefined || text === '') return text;
  const [on, off] = CODES[meaning];
  return `\u001B[${on}m${text}\u001B[${off}m`;
};

/** Whoever wants colours, or none, says so in the environment of all programs. */
interface ColorWish {
  /** False with `--no-color`. */
  color: boolean;
  env: Readonly<Record<string, string | undefined>>;
  stream: { readonly isTTY?: boolean | undefined };
}

/** Whether output on a stream has colours: `NO_COLOR` before `FORCE_COLOR`, and that before what the stream is. */
export function wantsColor({ color, env, stream }: ColorWish): boolean {
  if (!color || env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/** Paints with the 16 colours that every terminal has, or not at all. */
export const painter = (color: boolean): Paint => (color ? coloured : plain);
