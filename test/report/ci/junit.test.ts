import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { writeJunitFailure, writeJunitReport } from '../../../src/report/ci/junit.ts';
import type { RunReport } from '../../../src/report/views/run-report.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { anyText } from '../arbitrary-text.ts';
import { refused, rejected, reportOf, VIEW } from './run-report-fixture.ts';

const SCHEMA = readFileSync(join(import.meta.dirname, '../../../docs/schema/junit.xsd'), 'utf8');

/** What the schema has against each of some documents. */
async function complaints(...documents: readonly string[]): Promise<string[]> {
  const xml = documents.map((contents, at) => ({ fileName: `${at}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: SCHEMA });
  return errors.map(({ message }) => message);
}

async function junitOf(report: RunReport): Promise<string> {
  const path = join(temporaryDirectory(), 'junit.xml');
  await writeJunitReport(path, report, VIEW);
  return readFileSync(path, 'utf8');
}

interface Case {
  suite: string;
  name: string;
  file: string | undefined;
  line: string | undefined;
  wrong?: { kind: string; type: string; message: string; text: string };
}

function casesOf(xml: string): Case[] {
  const cases: Case[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const of = attributes as Record<string, string>;
    const { classname: suite = '', file, line } = of;
    if (name === 'testcase') cases.push({ suite, name: of['name'] ?? '', file, line });
    const last = cases.at(-1);
    if (['failure', 'error'].includes(name) && last !== undefined)
      last.wrong = { kind: name, type: of['type'] ?? '', message: of['message'] ?? '', text: '' };
  });
  parser.on('text', (text) => {
    const wrong = cases.at(-1)?.wrong;
    if (wrong !== undefined && text.trim() !== '') wrong.text += text;
  });
  parser.write(xml).close();
  return cases;
}

describe('a report for whoever reads JUnit', () => {
  test('of a good push passes, with a case for each step', async () => {
    const xml = await junitOf(reportOf([], { files: ['guests.csv', 'press.csv'] }));
    expect(await complaints(xml)).toEqual([]);
    expect(casesOf(xml).map(({ suite, name, wrong }) => [suite, name, wrong])).toEqual([
      ['guests.csv', 'read', undefined],
      ['press.csv', 'read', undefined],
      ['push', 'sent', undefined],
      ['push', 'audit', undefined],
    ]);
    expect(xml).toContain('<testsuites name="eventreg push" tests="4" failures="0" errors="0" time="2.5">');
  });

  test('has a failure for each reason, masked, with file and line', async () => {
    const twice = rejected(12);
    const problems = [
      { ...twice, reasons: [...(twice.reasons ?? []), ...(twice.reasons ?? [])] },
      refused('no'),
    ];
    const xml = await junitOf(reportOf(problems));
    expect(await complaints(xml)).toEqual([]);
    const text =
      'column "E-mail" (email): "a••.e••••••" is not a valid e-mail address; write it as name@example.com';
    const wrong = { kind: 'failure', type: 'rejected', message: text, text };
    const place = { suite: 'guests.csv', file: 'lists/guests.csv', line: '12' };
    expect(casesOf(xml).slice(1, 4)).toEqual([
      { ...place, name: 'guests.csv:12 E-mail', wrong },
      { ...place, name: 'guests.csv:12 E-mail (2)', wrong },
      {
        ...place,
        line: '7',
        name: 'guests.csv:7 (barcode T-7)',
        wrong: { kind: 'failure', type: 'failed', message: 'no', text: 'no' },
      },
    ]);
    expect(xml).toContain('tests="6" failures="3" errors="0"');
  });

  test('has an error where the run did not come to its end, or never began', async () => {
    const xml = await junitOf(reportOf([], { state: 'interrupted', complete: false, remarks: ['Ctrl-C'] }));
    const path = join(temporaryDirectory(), 'junit.xml');
    await writeJunitFailure(path, 'delete', 'The token is not accepted.');
    const failed = readFileSync(path, 'utf8');
    expect(await complaints(xml, failed)).toEqual([]);
    expect(failed).toContain('<testsuites name="eventreg delete"');
    expect(casesOf(xml)[1]?.wrong).toMatchObject({ kind: 'error', text: 'interrupted\nCtrl-C' });
    expect(casesOf(failed)).toMatchObject([{ wrong: { kind: 'error', text: 'The token is not accepted.' } }]);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('is that of a plan where nothing was sent, and names what no row stands for', async () => {
    const gone = { ...refused('is gone'), at: undefined, place: 'registration 8f14', state: 'gone' } as const;
    const elsewhere = { ...refused('is in no file of it'), at: { file: 'other.csv', line: 1 } };
    const xml = await junitOf(
      reportOf([gone, elsewhere], { dry: true, files: [], kind: 'undo of run 1', audit: undefined }),
    );
    expect(await complaints(xml)).toEqual([]);
    expect(casesOf(xml).map(({ suite, name }) => [suite, name])).toEqual([
      ['undo', 'planned'],
      ['undo', 'registration 8f14 (barcode T-7)'],
      ['undo', 'guests.csv:7 (barcode T-7)'],
    ]);
  });

  test('has the first thousand', async () => {
    const xml = await junitOf(reportOf(Array.from({ length: 1200 }, (_, at) => rejected(at + 2))));
    expect(casesOf(xml).filter(({ wrong }) => wrong !== undefined)).toHaveLength(1000);
  });

  test('is valid whatever the file holds', async () => {
    const marks = fc.constantFrom('<', '&', '"', ']]>', '\uFFFE', '\uFFFF', '\u0000', '\uD800', '\n', '&#0;');
    const hostile = fc.array(fc.oneof(anyText(), marks)).map((parts) => parts.join(''));
    const samples = fc.sample(hostile, 25);
    const documents = await Promise.all(
      samples.map((text) => {
        const problems = [rejected(2, { column: text, problem: text, value: text }), refused(text)];
        return junitOf(reportOf(problems, { files: [text, 'guests.csv'], remarks: [text] }));
      }),
    );
    expect(await complaints(...documents)).toEqual([]);
    for (const document of documents) expect(casesOf(document)).toHaveLength(6);
  });

  test('is held against a schema that refuses others', async () => {
    const xml = await junitOf(reportOf([rejected(2)]));
    expect(await complaints(xml.replace(/ classname="[^"]*"/, ''))).not.toEqual([]);
    expect(await complaints(xml.replaceAll('failure', 'skipped'))).not.toEqual([]);
    expect(await complaints(xml.replace('line="2"', 'line="0"'))).not.toEqual([]);
  });
});
