import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ARROWS } from './arrows.ts';

const ROOT = join(import.meta.dirname, '..');
const TEXT = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** The text from a heading to the next. */
const section = (heading: string): string =>
  TEXT.split(/^#+ /m).find((part) => part.startsWith(heading)) ?? '';

const filesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|bin)\/[^`\s]*)`/g)].map(([, file = '']) => file);

describe('CONTRIBUTING', () => {
  test('names files that are there', () => {
    expect(filesIn(TEXT).length).toBeGreaterThan(50);
    expect(filesIn(TEXT).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test('tells the way of a row in at most 20 files', () => {
    const files = filesIn(section('The way of a row'));
    expect(files.length).toBeGreaterThan(10);
    expect(files.length).toBeLessThanOrEqual(20);
  });

  test('names one file for each of 20 changes', () => {
    const rows = section('I want to change')
      .split('\n')
      .filter((line) => line.startsWith('| ') && line.includes('src/'));
    expect(rows.length).toBeGreaterThanOrEqual(20);
    expect(rows.filter((row) => filesIn(row).length !== 1)).toEqual([]);
  });

  test('names every room, in the order of the arrows', () => {
    const told = [...section('Layout').matchAll(/^\| `(sync\/[a-z-]+)` \|/gm)].map(([, name = '']) => name);
    const isRoom = (folder: string): boolean => folder.startsWith('sync/');
    const below = (station: string): string[] => (ARROWS[station] ?? []).filter(isRoom);
    expect([...told].sort()).toEqual(Object.keys(ARROWS).filter(isRoom).sort());
    expect(told.filter((one, at) => below(one).some((other) => told.indexOf(other) < at))).toEqual([]);
  });
});
