import { InputError, UsageError } from '../../errors.ts';
import { findDuplicateKey } from '../json/json-keys.ts';
import { isObject } from '../json/check-values.ts';

/**
 * Reads the values of `--map`, each `Header=slug`; the last `=` separates, so a header may hold one.
 * Throws a UsageError on any other form and on a header with two different targets.
 */
export function parseMapFlags(flags: readonly string[]): Map<string, string> {
  const overrides = new Map<string, string>();
  for (const flag of flags) {
    const separator = flag.lastIndexOf('=');
    const header = flag.slice(0, Math.max(separator, 0)).trim();
    const target = flag.slice(separator + 1).trim();
    if (header === '' || target === '') {
      throw new UsageError(`--map "${flag}" is not of the form "Header=field".`, {
        hint: 'Write for example --map "E-mail address=email".',
      });
    }
    const known = overrides.get(header);
    if (known !== undefined && known !== target) {
      throw new UsageError(`--map names the column "${header}" twice, for "${known}" and for "${target}".`, {
        hint: 'Keep the one that is meant.',
      });
    }
    overrides.set(header, target);
  }
  return overrides;
}

/** Reads a file of `{"Header": "slug", …}`. Throws an InputError on anything else. */
export function readMappingFile(text: string, file: string): Map<string, string> {
  const hint = 'Write it as {"Header in the file": "field", "Another header": "barcode"}.';
  const json = text.replace(/^\uFEFF/, '');
  const value = parse(json);
  if (value === undefined) throw new InputError(`${file}: the mapping is not valid JSON.`, { hint });
  if (!isObject(value)) throw new InputError(`${file}: the mapping is not a JSON object.`, { hint });
  const duplicate = findDuplicateKey(json);
  if (duplicate !== undefined) {
    throw new InputError(`${file}: the mapping names the column "${duplicate}" twice.`, { hint });
  }
  const wrong = Object.entries(value).filter(
    ([, target]) => typeof target !== 'string' || target.trim() === '',
  );
  const [first, ...more] = wrong.map(
    ([header]) => `${file}: the field for the column "${header}" is not a text.`,
  );
  if (first !== undefined) throw new InputError(first, { details: more, hint });
  return new Map(Object.entries(value).map(([header, target]) => [header, String(target).trim()]));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
