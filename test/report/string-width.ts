import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The measure of another hand: the string-width that ora brings along. */
export async function loadStringWidth(): Promise<(text: string) => number> {
  const ora = createRequire(import.meta.url).resolve('ora');
  const path = createRequire(ora).resolve('string-width');
  const module = (await import(pathToFileURL(path).href)) as { default: (text: string) => number };
  return module.default;
}
