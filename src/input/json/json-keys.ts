const QUOTE = 0x22;
const COLON = 0x3a;

/** How many keys all objects in a valid JSON text have, duplicates counted each time. */
export function countKeys(json: string): number {
  let keys = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === COLON) keys++;
  }
  return keys;
}

/** The first key that stands twice in one object of a valid JSON text. */
export function findDuplicateKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  let last = '';
  for (let at = 0; at < json.length; at++) {
    const sign = json.charAt(at);
    if (sign === '"') {
      const end = endOfString(json, at);
      last = json.slice(at, end + 1);
      at = end;
    } else if (sign === '{') open.push(new Set());
    else if (sign === '}') open.pop();
    else if (sign === ':') {
      const key = String(JSON.parse(last));
      if (open.at(-1)?.has(key) === true) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}

/** Index of the quote that closes the string which opens at `opening`, in a valid JSON text. */
export function endOfString(json: string, opening: number): number {
  let at = json.indexOf('"', opening + 1);
  while (at !== -1 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at === -1 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charAt(at - 1 - backslashes) === '\\') backslashes++;
  return backslashes % 2 === 1;
}
