import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of the packages of which something is in a bundle, by what esbuild tells of it, in the order of their names. */
export function packageFolders({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** The text of a licence that stands in the README of a package; undefined where none does. */
function toldInReadme(folder) {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const text = readme && readFileSync(join(folder, readme), 'utf8');
  return /^#+ *licen[cs]e\s*^([^#]*permission is hereby granted[^#]*)/im.exec(text ?? '')?.[1]?.trim();
}

/**
 * Name, version and licence of each package in those folders.
 * @param texts licences of packages that bring no text of theirs along, by name; another such package is an error
 */
export function thirdParty(folders, texts = {}) {
  const packages = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const found = readdirSync(folder)
      .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    const told = found.length > 0 ? found : [texts[name] ?? toldInReadme(folder)].filter(Boolean);
    if (told.length === 0) throw new Error(`${folder} has no text of its licence (${license}).`);
    return { title: `${name} ${version} (${license})`, text: told.join('\n\n') };
  });
  // Those that share a text stand over it together.
  const parts = [...new Set(packages.map(({ text }) => text))].map((text) => {
    const theirs = packages.filter((one) => one.text === text);
    return `${theirs.map(({ title }) => title).join('\n')}\n\n${text}\n`;
  });
  const head = 'The program holds parts of these packages, under the licences below.\n';
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}
