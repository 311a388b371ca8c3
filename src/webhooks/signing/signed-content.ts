import type { Content } from './algorithms.ts';

/** What a delivery has that may be signed; undefined where it has it not. */
export interface SignedParts {
  id: string | undefined;
  timestamp: string | undefined;
  url: string | undefined;
  body: Uint8Array;
}

const PARTS = /(id|timestamp|url|body)/;
type Part = keyof SignedParts;

/** Pieces by turns: what stands for itself, then the name of a part. */
const split = (template: string): string[] => template.split(PARTS);

/** Whether it holds the part. */
export function templateUses(template: string, part: Part): boolean {
  return split(template).some((piece, at) => at % 2 === 1 && piece === part);
}

/** What is wrong with a template, in words; undefined when nothing is. A misspelt part must not pass for a text. */
export function templateFlaw(template: string): string | undefined {
  const odd = split(template).find(
    (piece, at) => at % 2 === 0 && !/^(?:v\d+)?[^\p{L}\p{N}\s]*$/u.test(piece),
  );
  if (odd !== undefined) {
    return `what is signed is made of id, timestamp, url and body with signs between them, not ${JSON.stringify(odd)}`;
  }
  return templateUses(template, 'body') ? undefined : 'what is signed must hold the body';
}

/** What is signed; undefined when a part of it is missing. Headers are bytes, which Node.js shows as Latin-1. */
export function contentOf(template: string, parts: SignedParts): Content | undefined {
  const pieces = split(template).map((piece, at) => (at % 2 === 0 ? piece : parts[piece as Part]));
  if (pieces.includes(undefined)) return undefined;
  return pieces.map((piece) => (piece instanceof Uint8Array ? piece : Buffer.from(piece ?? '', 'latin1')));
}
