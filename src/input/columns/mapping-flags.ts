import { UsageError } from '../../errors.ts';

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
