import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isZip, MAGIC_LENGTH, refuseBinary } from '../../../src/input/source/file-kind.ts';
import { type ZipFile, zip } from '../../support/zip.ts';
import { refusal } from '../open-text.ts';
import { readSheet } from '../open-workbook.ts';

const refuse = (head: Uint8Array) => refusal(Promise.resolve().then(() => refuseBinary(head, 'guests.xlsx')));
const ole2 = (...names: string[]) =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(504),
    ...names.map((name) => Buffer.from(`${name}\0\0`, 'utf16le')),
  ]);

describe('a file that is no table we read is called what it is, by its content:', () => {
  test.each([
    ['a damaged workbook: it does not begin as one', Buffer.from('a\0b\0c'), /save it anew/],
    ['a PDF file', Buffer.from('%PDF-1.7\n'), /as a spreadsheet/],
    ['a gzip file', Buffer.from('1f8b0800', 'hex'), /Unpack/],
    ['a 7z archive', Buffer.from('377abcaf271c', 'hex'), /Unpack/],
    ['a picture (PNG)', Buffer.from('89504e470d0a1a0a', 'hex'), /as a spreadsheet/],
    ['a picture (JPEG)', Buffer.from('ffd8ffe0', 'hex'), /as a spreadsheet/],
    ['a text document (RTF)', Buffer.from('{\\rtf1\\ansi'), /table/],
    ['an old Excel workbook (.xls)', ole2('Workbook'), /"Excel Workbook \(\.xlsx\)"/],
    ['an old Excel workbook (.xls)', ole2('Book'), /"Excel Workbook \(\.xlsx\)"/],
    ['a workbook with a password', ole2('EncryptionInfo', 'EncryptedPackage'), /take the password off/],
    ['an old Word document (.doc)', ole2('WordDocument'), /as a spreadsheet/],
    ['an old Excel workbook (.xls) or a workbook with a password', ole2(), /password must be taken off/],
    ['a web page (HTML), whatever its name says', Buffer.from('\uFEFF\r\n<HTML><body>'), /"Excel Workbook/],
    ['a web page (HTML), whatever its name says', Buffer.from('<table border="1"><tr>'), /"Excel Workbook/],
    [
      'a web page (HTML), whatever its name says',
      Buffer.from('<?xml version="1.0"?>\n<!DOCTYPE html><html>'),
      /"Excel Workbook/,
    ],
    ['a web page (HTML), whatever its name says', Buffer.from('\uFEFF <html>', 'utf16le'), /"Excel Workbook/],
    [
      'an Excel 2003 XML spreadsheet',
      Buffer.from('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>'),
      /"Excel Workbook/,
    ],
    [
      'an Excel 2003 XML spreadsheet',
      Buffer.from('<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'),
      /"Excel Workbook/,
    ],
    ['an XML file', Buffer.from('<?xml version="1.0"?><guests/>'), /as a spreadsheet/],
    [
      'an old Excel workbook (.xls)',
      readFileSync('fixtures/workbooks/old.xls').subarray(0, MAGIC_LENGTH),
      /"Excel Workbook/,
    ],
  ])('%s', async (what, head, hint) => {
    const refused = await refuse(head);
    expect(refused.message).toBe(`guests.xlsx: this is ${what}.`);
    expect(refused.hint).toMatch(hint);
  });

  test.each([
    ['CSV', 'name,email\n'],
    ['CSV that begins with a smaller-than sign', '<5,table\n<html,x'],
    ['JSON', '[{"a":"<table>"}]'],
    ['a column called PK', 'PK,name\n'],
    ['a column called Rar!', 'Rar!,name\n'],
    ['nothing', ''],
  ])('%s passes', (_, text) => {
    expect(() => refuseBinary(Buffer.from(text), 'guests.csv')).not.toThrow();
  });
});

test.each([
  ['504b0304', true],
  ['504b0506', true],
  ['504b0708', true],
  ['504b0102', false],
  ['504b', false],
  ['', false],
])('%s begins a zip: %s', (hex, expected) => {
  expect(isZip(Buffer.from(hex, 'hex'))).toBe(expected);
});

describe('a zip that is no workbook is called what it is:', () => {
  const start = (target: string): ZipFile => ({
    name: '_rels/.rels',
    content: `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="${target}"/></Relationships>`,
  });
  const file = (name: string): ZipFile => ({ name, content: '' });
  test.each([
    [
      'a binary Excel workbook (.xlsb)',
      [start('xl/workbook.bin'), file('xl/workbook.bin')],
      /Excel Workbook/,
    ],
    ['an Apple Numbers document (.numbers)', [file('Index/Document.iwa'), file('Metadata/x')], /Export To/],
    ['a Word document (.docx)', [start('word/document.xml'), file('word/document.xml')], /as a spreadsheet/],
    [
      'a presentation (.pptx)',
      [start('/ppt/presentation.xml'), file('ppt/presentation.xml')],
      /as a spreadsheet/,
    ],
    ['a zip archive with spreadsheets in it', [file('May/guests.XLSX')], /Unpack/],
    ['a zip file, but no workbook', [file('photo.jpg')], /as a spreadsheet/],
    ['an empty zip file', [], /as a spreadsheet/],
  ])('%s', async (what, files, hint) => {
    const refused = await refusal(readSheet(zip(files)));
    expect(refused.message).toBe(`guests.xlsx: this is ${what}.`);
    expect(refused.hint).toMatch(hint);
  });
});
