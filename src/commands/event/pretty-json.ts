import { replaceUnsafe } from '../../report/words/escape.ts';

/**
 * A value as JSON over several lines, ending in a newline. As safe to print as `jsonText`: characters
 * that drive or confuse a terminal are written as `\uXXXX`.
 */
export function prettyJson(value: unknown): string {
  // A line break in the text is the layout's own: inside strings JSON writes it as \n.
  const lines = JSON.stringify(value, undefined, 2).split('\n');
  return `${lines.map((line) => replaceUnsafe(line, codeUnitEscapes)).join('\n')}\n`;
}

function codeUnitEscapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
