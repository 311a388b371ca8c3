/** Where conversation goes: a terminal when `isTTY`. Width in columns. */
export interface MessageStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Writes whole lines. At a terminal they are wrapped at words; elsewhere every message stays the line that it is. */
export function writeMessage(stream: MessageStream, text: string): void {
  const { isTTY, columns = 0 } = stream;
  stream.write(`${isTTY === true && columns > 0 ? wrapWords(text, columns) : text}\n`);
}

/** A line that goes on is set in by this much more. */
const HANGING = '  ';
/** Narrower than this, lines are left to the terminal. */
const LEAST_WIDTH = 20;

/**
 * Text whose lines take no more than `width` columns, broken at spaces only: a path, an id or an address that is wider
 * stays whole. What goes on in the next line is set in, below the last of its columns where it has some.
 */
export function wrapWords(text: string, width: number): string {
  if (width < LEAST_WIDTH || (text.length <= width && ASCII.test(text))) return text;
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

/** A command, or flags, to be copied: a line break within would end the command there. */
const TO_COPY = /^(?:(.*:) (?=eventreg|--\w)| *(?=eventreg ))(.*)$/;
/** Its words, a flag together with what follows it. */
const WORDS_OF_COMMAND = /(?:--[\w-]+ (?!-))?(?:"(?:\\.|[^"\\])*"|'[^']*'|[^ "'])+/g;
/** What stands in a line before the last of its columns. */
const BEFORE_LAST_COLUMN = /^(?:.*\S {2,}| {8,})(?=\S)/;

function wrapLine(line: string, width: number): string {
  if (columnsOf(line) <= width) return line;
  const [, told, command] = TO_COPY.exec(line) ?? [];
  const [start = '', , indent = ''] = INDENT.exec(line) ?? [];
  if (command !== undefined) {
    return told === undefined
      ? fillLines(command, indent, width)
      : `${wrapLine(told, width)}\n${fillLines(command, indent + HANGING, width)}`;
  }
  const before = columnsOf(BEFORE_LAST_COLUMN.exec(line.replace(COLOURS, ''))?.[0] ?? '');
  const hanging = before > 0 && before <= width / 2 ? ' '.repeat(before) : indent + HANGING;
  const lines: string[] = [];
  let current = start;
  let used = indent.length;
  let isEmpty = true;
  for (const [, gap = '', word = ''] of line.slice(start.length).matchAll(/( *)([^ ]+)/g)) {
    const columns = columnsOf(word);
    if (!isEmpty && used + gap.length + columns > width) {
      lines.push(current);
      current = hanging + word;
      used = hanging.length + columns;
    } else {
      current += gap + word;
      used += gap.length + columns;
    }
    isEmpty = false;
  }
  return [...lines, current].join('\n');
}

/**
 * A command broken between its words by spaces up to the end of each line: to the terminal, and to whoever copies it, it
 * is one line.
 */
function fillLines(command: string, indent: string, width: number): string {
  let filled = indent;
  let used = indent.length;
  for (const [word] of command.matchAll(WORDS_OF_COMMAND)) {
    const columns = columnsOf(word);
    const isFirst = used === indent.length;
    if (!isFirst && used + 1 + columns > width) {
      filled += ' '.repeat(width - used) + indent + word;
      used = indent.length + columns;
    } else {
      filled += isFirst ? word : ` ${word}`;
      used += columns + (isFirst ? 0 : 1);
    }
    // A word that is wider than a line ends in a later one.
    while (used > width) used -= width;
  }
  return filled;
}

const ASCII = /^[ -~]*$/;
// oxlint-disable-next-line no-control-regex
const INDENT = /^((?:\u001B\[[\d;]*m)*)( *)/;
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001B\[[\d;]*m/g;
const NO_COLUMN = /[\p{Mn}\p{Me}\u200B-\u200D]/gu;
const TWO_COLUMNS =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/gu;

/**
 * Columns that a text takes, no fewer than it does: emoji that are joined into one count each. To know it to the
 * column takes tables that are not worth loading for where a line is broken.
 */
function columnsOf(text: string): number {
  const plain = text.replace(COLOURS, '');
  if (ASCII.test(plain)) return plain.length;
  return Array.from(plain.replace(NO_COLUMN, '').replace(TWO_COLUMNS, 'xx')).length;
}
