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
    [
      'a workbook that is damaged',
      Buffer.from('a\0b\0c'),
      'a damaged workbook: it does not begin as one',
      /save it anew/,
    ],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'a PDF file', /as a spreadsheet/],
    ['gzip', Buffer.from('1f8b0800', 'hex'), 'a gzip file', /Unpack/],
    ['7z', Buffer.from('377abcaf271c', 'hex'), 'a 7z archive', /Unpack/],
    ['PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'a picture (PNG)', /as a spreadsheet/],
    ['JPEG', Buffer.from('ffd8ffe0', 'hex'), 'a picture (JPEG)', /as a spreadsheet/],
    ['RTF', Buffer.from('{\\rtf1\\ansi'), 'a text document (RTF)', /table/],
    ['an old workbook', ole2('Workbook'), 'an old Excel workbook (.xls)', /"Excel Workbook \(\.xlsx\)"/],
    ['a very old workbook', ole2('Book'), 'an old Excel workbook (.xls)', /"Excel Workbook \(\.xlsx\)"/],
    [
      'an encrypted workbook',
      ole2('EncryptionInfo', 'EncryptedPackage'),
      'a workbook with a password',
      /take the password off/,
    ],
    ['an old document', ole2('WordDocument'), 'an old Word document (.doc)', /as a spreadsheet/],
    [
      'either, when it does not show',
      ole2(),
      'an old Excel workbook (.xls) or a workbook with a password',
      /password must be taken off/,
    ],
    [
      'a web page',
      Buffer.from('\uFEFF\r\n<HTML><body>'),
      'a web page (HTML), whatever its name says',
      /"Excel Workbook/,
    ],
    [
      'a bare table',
      Buffer.from('<table border="1"><tr>'),
      'a web page (HTML), whatever its name says',
      /"Excel Workbook/,
    ],
    [
      'a web page with a declaration',
      Buffer.from('<?xml version="1.0"?>\n<!DOCTYPE html><html>'),
      'a web page (HTML), whatever its name says',
      /"Excel Workbook/,
    ],
    [
      'a web page in UTF-16',
      Buffer.from('\uFEFF <html>', 'utf16le'),
      'a web page (HTML), whatever its name says',
      /"Excel Workbook/,
    ],
    [
      'Excel 2003 XML',
      Buffer.from('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>'),
      'an Excel 2003 XML spreadsheet',
      /"Excel Workbook/,
    ],
    [
      'Excel 2003 XML by its namespace',
      Buffer.from('<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'),
      'an Excel 2003 XML spreadsheet',
      /"Excel Workbook/,
    ],
    ['other XML', Buffer.from('<?xml version="1.0"?><guests/>'), 'an XML file', /as a spreadsheet/],
    [
      'a real old workbook',
      readFileSync('fixtures/workbooks/old.xls').subarray(0, MAGIC_LENGTH),
      'an old Excel workbook (.xls)',
      /"Excel Workbook/,
    ],
  ])('%s', async (_, head, what, hint) => {
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
      'a binary workbook',
      [start('xl/workbook.bin'), file('xl/workbook.bin')],
      'a binary Excel workbook (.xlsb)',
      /Excel Workbook/,
    ],
    [
      'Numbers',
      [file('Index/Document.iwa'), file('Metadata/x')],
      'an Apple Numbers document (.numbers)',
      /Export To/,
    ],
    ['OpenDocument', [file('mimetype'), file('content.xml')], 'an OpenDocument file (.ods)', /LibreOffice/],
    [
      'Word',
      [start('word/document.xml'), file('word/document.xml')],
      'a Word document (.docx)',
      /as a spreadsheet/,
    ],
    [
      'PowerPoint',
      [start('/ppt/presentation.xml'), file('ppt/presentation.xml')],
      'a presentation (.pptx)',
      /as a spreadsheet/,
    ],
    [
      'an archive of spreadsheets',
      [file('May/guests.XLSX')],
      'a zip archive with spreadsheets in it',
      /Unpack/,
    ],
    ['any archive', [file('photo.jpg')], 'a zip file, but no Excel workbook', /as a spreadsheet/],
    ['an empty archive', [], 'an empty zip file', /as a spreadsheet/],
  ])('%s', async (_, files, what, hint) => {
    const refused = await refusal(readSheet(zip(files)));
    expect(refused.message).toBe(`guests.xlsx: this is ${what}.`);
    expect(refused.hint).toMatch(hint);
  });

  test('a real OpenDocument file', async () => {
    const refused = await refusal(readSheet(readFileSync('fixtures/workbooks/libreoffice.ods')));
    expect(refused.message).toBe('guests.xlsx: this is an OpenDocument file (.ods).');
  });
});
