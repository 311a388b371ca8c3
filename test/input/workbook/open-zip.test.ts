import { describe, expect, test } from 'vitest';
import type { StoredInput } from '../../../src/input/source/stored-input.ts';
import { partChunks } from '../../../src/input/workbook/workbook-package.ts';
import { text, workbookParts } from '../../support/workbook.ts';
import { type ZipFile, zip } from '../../support/zip.ts';
import { refusal } from '../open-text.ts';
import { readSheet } from '../open-workbook.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
const rows = Array.from({ length: 50 }, (_, at) => `<row>${text(`guest ${at}`)}</row>`).join('');
const parts = (xml = `<sheetData>${rows}</sheetData>`) =>
  workbookParts({ sheets: [{ name: 'Guests', xml }] });
/** The parts of a workbook, the sheet with other facts. */
const withSheet = (facts: Partial<ZipFile>, xml?: string) =>
  parts(xml).map((file) => (file.name === SHEET ? { ...file, ...facts } : file));
const message = async (bytes: Uint8Array) => (await refusal(readSheet(bytes))).message;

describe('a zip is read', () => {
  const all = (facts: Partial<ZipFile>) => parts().map((file) => ({ ...file, ...facts }));
  test.each([
    ['deflated', zip(parts())],
    ['stored', zip(all({ stored: true }))],
    ['with descriptors behind the parts', zip(all({ descriptor: true }))],
    ['stored with descriptors', zip(all({ stored: true, descriptor: true }))],
    ['with ZIP64 records', zip(parts(), { zip64: true })],
    ['in another order', zip(parts().toReversed())],
    ['with names in another case', zip(parts().map((file) => ({ ...file, name: file.name.toUpperCase() })))],
    [
      'with backslashes in names',
      zip(parts().map((file) => ({ ...file, name: file.name.replaceAll('/', '\\') }))),
    ],
    [
      'with a damaged part that is no rows',
      zip([...parts(), { name: 'docProps/app.xml', content: 'x', crc: 1 }]),
    ],
    ['with something in front', prefixed(zip(parts()), 10)],
  ])('%s', async (_, bytes) => {
    const sheet = await readSheet(bytes);
    expect(sheet.rows).toHaveLength(50);
    expect(sheet.rows[49]).toEqual([50, 'guest 49']);
  });
});

/** Bytes in front of the first part, with the offsets moved on. */
function prefixed(bytes: Buffer, length: number): Buffer {
  const moved = Buffer.from(bytes);
  const end = moved.length - 22;
  const start = moved.readUInt32LE(end + 16);
  for (let at = start; at < end; at += 46 + moved.readUInt16LE(at + 28)) {
    moved.writeUInt32LE(moved.readUInt32LE(at + 42) + length, at + 42);
  }
  moved.writeUInt32LE(start + length, end + 16);
  return Buffer.concat([Buffer.alloc(length), moved]);
}

describe('a workbook is damaged', () => {
  const damaged = (what: string) => `guests.xlsx: this workbook is damaged: ${what}.`;
  const sheetPart = (what: string) => damaged(`its part ${SHEET} ${what}`);
  const contents = 'its table of contents is cut off or makes no sense';
  test.each([
    [damaged(`two parts are called ${SHEET}`), zip([...parts(), ...parts().slice(3, 4)])],
    [
      damaged(`two parts are called ${SHEET.toUpperCase()}`),
      zip([...parts(), { name: SHEET.toUpperCase(), content: '' }]),
    ],
    [
      damaged(`the part ${SHEET} is described in two different ways`),
      zip(withSheet({ localName: 'xl/worksheets/sheet2.xml' })),
    ],
    [
      damaged(`the part ${SHEET} is described in two different ways`),
      zip(withSheet({ stored: true, method: 8 })),
    ],
    [
      damaged(`the part ${SHEET} is packed in a way that workbooks do not use`),
      zip(withSheet({ method: 12 })),
    ],
    [damaged(`the part ${SHEET} is encrypted`), zip(withSheet({ flags: 1 }))],
    [
      damaged('the part /etc/passwd lies outside the file'),
      zip([...parts(), { name: '/etc/passwd', content: '' }]),
    ],
    [damaged('the part C:/x lies outside the file'), zip([...parts(), { name: 'C:/x', content: '' }])],
    [
      damaged('the part xl/../../x lies outside the file'),
      zip([...parts(), { name: 'xl\\..\\..\\x', content: '' }]),
    ],
    [
      damaged(`the part ${SHEET} is described in two different ways`),
      zip(withSheet({ offset: 0, localName: '_rels/.rels' })),
    ],
    [sheetPart('has a wrong checksum'), zip(withSheet({ crc: 1 }))],
    [sheetPart('is longer than it says'), zip(withSheet({ size: 10 }))],
    [sheetPart('is shorter than it says'), zip(withSheet({ size: 100_000 }))],
    [damaged('its table of contents is not as long as it says'), zip(parts(), { entryCount: 3 })],
    [damaged(contents), zip(parts(), { entryCount: 9 })],
    [
      damaged(`the part ${SHEET} of the sheet "Guests" is missing`),
      zip(parts().filter(({ name }) => name !== SHEET)),
    ],
    [damaged(`the part ${SHEET} is described in two different ways`), zip(withSheet({ localSize: 7 }))],
    [damaged('its table of contents overlaps a part'), zip(withSheet({ reach: 20 }))],
    [sheetPart('is followed by bytes of no use'), zip(withSheet({ trailing: 'abc' }))],
  ])('%s', async (expected, bytes) => {
    expect(await message(bytes)).toBe(expected);
  });

  test('when a part reaches into the next one', async () => {
    const bytes = zip([{ name: 'a', content: inner(), stored: true }, ...parts()]);
    expect(await message(shared(bytes))).toBe(damaged('the part b overlaps another one'));
  });

  test('when it is cut off anywhere', async () => {
    const whole = zip(parts());
    for (let end = 4; end < whole.length; end += 7) {
      expect(await message(whole.subarray(0, end)), `cut at ${end}`).toBe(damaged(contents));
    }
  });

  test('when bytes follow its end', async () => {
    expect(await message(Buffer.concat([zip(parts()), Buffer.alloc(3)]))).toBe(damaged(contents));
  });
});

/** A stored part `b` with its header, to lie inside another part. */
function inner(): Buffer {
  const one = zip([{ name: 'b', content: 'b', stored: true }]);
  return one.subarray(0, 30 + 1 + 1);
}

/** Adds an entry for the part that lies inside the first one. */
function shared(bytes: Buffer): Buffer {
  const one = zip([{ name: 'b', content: 'b', stored: true }]);
  const entry = Buffer.from(one.subarray(32, -22));
  entry.writeUInt32LE(31, 42);
  const end = Buffer.from(bytes.subarray(-22));
  end.writeUInt16LE(end.readUInt16LE(10) + 1, 10);
  end.writeUInt16LE(end.readUInt16LE(10), 8);
  end.writeUInt32LE(end.readUInt32LE(12) + entry.length, 12);
  return Buffer.concat([bytes.subarray(0, -22), entry, end]);
}

describe('XML is refused', () => {
  const sheetXml = (content: string | Uint8Array) => zip(withSheet({ content }));
  const refused = (what: string) => `guests.xlsx: this workbook is damaged: in its part ${SHEET}, ${what}.`;
  const overlong = (what: string) => `${what} holds more than 1 MiB of text.`;
  const broken = refused('its XML is not well-formed');
  test.each([
    [
      refused('its XML declares entities, which workbooks do not'),
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>',
    ],
    [broken, '<worksheet>&constructor;</worksheet>'],
    [broken, '<worksheet>&#xFFFFFFFF;</worksheet>'],
    [broken, '<worksheet><sheetData><row>'],
    [broken, ''],
    [broken, '<worksheet><a></worksheet></a>'],
    [broken, '<worksheet a="1" a="2"/>'],
    [refused('there is <html> where <worksheet> belongs'), '<html/>'],
    [refused('its XML is written in iso-8859-1'), '<?xml version="1.0" encoding="ISO-8859-1"?><worksheet/>'],
    [refused('its XML holds bytes that are no text'), Buffer.from('<worksheet>\xe9</worksheet>', 'latin1')],
    [refused('its XML is nested too deeply'), '<worksheet>'.repeat(101)],
    [
      'guests.xlsx: this workbook is refused: its part xl/worksheets/sheet1.xml unpacks to more than 100 times its size.',
      `<worksheet>${'x'.repeat(5 * 1024 * 1024)}`,
    ],
  ])('%s', async (expected, content) => {
    expect(await message(sheetXml(content))).toBe(expected);
  });

  test('in UTF-16 it is read', async () => {
    const xml = `\uFEFF<?xml version="1.0" encoding="UTF-16"?><worksheet><sheetData><row>${text('Zoë')}</row></sheetData></worksheet>`;
    expect((await readSheet(sheetXml(Buffer.from(xml, 'utf16le')))).rows).toEqual([[1, 'Zoë']]);
  });

  test('with endless text it is refused, stored or packed', async () => {
    const content = `<worksheet><sheetData><row><c t="str"><v>${'x'.repeat(6 * 1024 * 1024)}`;
    expect(await message(zip(withSheet({ content, stored: true })))).toBe(
      overlong('guests.xlsx:Guests:1: cell A1'),
    );
    const elsewhere = `<worksheet><sheetData>${' '.repeat(6 * 1024 * 1024)}</sheetData></worksheet>`;
    expect(await message(zip(withSheet({ content: elsewhere, stored: true })))).toBe(
      refused('its XML goes on without any tag for more than 4 MiB'),
    );
  });

  test.each([
    ['runs', '<is>', `<r><t>${'x'.repeat(1000)}</t></r>`],
    ['items', '', `<is><t>${'x'.repeat(1000)}</t></is>`],
    ['pieces', '<v>', `${'x'.repeat(1000)}<a/>`],
  ])('with a cell of endless %s it is refused', async (_, before, piece) => {
    const cell = `<c t="${before === '<v>' ? 'str' : 'inlineStr'}">${before}${piece.repeat(3000)}${before.replace('<', '</')}</c>`;
    const content = `<worksheet><sheetData><row>${cell}</row></sheetData></worksheet>`;
    expect(await message(zip(withSheet({ content, stored: true })))).toBe(
      overlong('guests.xlsx:Guests:1: cell A1'),
    );
  });

  test.each([
    ['', ''],
    ['after one without numbers', '<col hidden="1"/><col min="1" hidden="1"/>'],
    ['after one that ends before it begins', '<col min="900000000" max="1" hidden="1"/>'],
  ])('with columns told again and again it is refused %s', async (_, before) => {
    const columns = before + '<col min="2" max="16384" hidden="1"/>'.repeat(20);
    const content = `<worksheet><cols>${columns}</cols><sheetData/></worksheet>`;
    expect(await message(sheetXml(content))).toBe(
      'guests.xlsx:Guests: this workbook is damaged: its columns are described too often.',
    );
  });

  test('with columns before the first it is read', async () => {
    const content = `<worksheet><cols><col min="-900000000" max="1" hidden="1"/></cols><sheetData>${rows}</sheetData></worksheet>`;
    const { rows: read } = await readSheet(sheetXml(content), { includeHidden: false });
    expect(read).toEqual([]);
  });

  test('with more styles than any workbook it is refused', async () => {
    const styles = `<cellXfs>${'<xf/>'.repeat(100_001)}</cellXfs>`;
    const files = workbookParts({ sheets: [{ name: 'Guests', xml: '' }], styles });
    expect(await message(zip(files))).toBe(
      'guests.xlsx: this workbook is damaged: in its part xl/styles.xml, it holds too many styles.',
    );
  });

  test('with two sheets of one part it is refused', async () => {
    const sheets = [
      { name: 'A', xml: '' },
      { name: 'B', xml: '' },
    ];
    const files = workbookParts({ sheets }).map((file) => ({
      ...file,
      content: String(file.content).replace('sheet2', 'SHEET1'),
    }));
    expect(await message(zip(files))).toBe(
      'guests.xlsx: this workbook is damaged: two sheets share their rows.',
    );
  });
});

describe('a workbook made to exhaust is refused before it is unpacked:', () => {
  const MB = 1024 * 1024;
  const refused = (what: string) => `guests.xlsx: this workbook is refused: ${what}.`;
  const untouched: StoredInput = {
    file: 'guests.xlsx',
    size: 2 ** 40,
    // eslint-disable-next-line require-yield
    async *chunks() {
      throw new Error('read');
    },
    bytes: () => Promise.reject(new Error('read')),
    checkUnchanged: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const unpack = async (packedSize: number, size: number) => {
    const part = { name: 'x.xml', deflated: true, headerAt: 0, start: 30, packedSize, size, crc32: 0 };
    const first = await partChunks(untouched, part)
      .next()
      .catch((error: Error) => error);
    return first instanceof Error ? first.message : '';
  };
  const unpacks = (what: string) => refused(`its part x.xml unpacks to ${what}`);
  const fromLittle = unpacks('more than 200 MiB, and to more than 40 times its size');

  test.each([
    ['100 times a megabyte and more', 1 * MB, 101 * MB, unpacks('more than 100 times its size')],
    ['something from nothing', 0, MB + 1, unpacks('more than 100 times its size')],
    ['more than 1 GiB', 1024 * MB, 1024 * MB + 1, unpacks('more than 1 GiB')],
    ['more than 200 MiB from little', 5 * MB, 201 * MB, fromLittle],
    ['1 GiB from little', 25 * MB, 1024 * MB, fromLittle],
    ['100 times a megabyte', 1 * MB, 100 * MB, 'read'],
    ['a small part of a high ratio', 100, MB, 'read'],
    ['200 MiB from little', 2 * MB, 200 * MB, 'read'],
    ['a full sheet of rows', 60 * MB, 600 * MB, 'read'],
    ['1 GiB of rows', 26 * MB, 1024 * MB, 'read'],
  ])('%s', async (_, packedSize, size, expected) => {
    expect(await unpack(packedSize, size)).toBe(expected);
  });

  test('more than 1,000 parts', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ name: `x${at}`, content: '' }));
    expect(await message(zip([...parts(), ...many]))).toBe(refused('it consists of more than 1,000 parts'));
  });
});

describe('links', () => {
  const RELATIONS = 'xl/_rels/workbook.xml.rels';
  const relinked = (from: string, to: string) =>
    zip(
      parts().map((file) =>
        file.name === RELATIONS ? { ...file, content: String(file.content).replace(from, to) } : file,
      ),
    );

  test.each([
    ['from the root', 'Target="worksheets', 'Target="/xl/worksheets'],
    ['by way of other folders', 'Target="worksheets', 'Target="../xl/./a/../worksheets'],
    [
      'of strict workbooks',
      'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
      'http://purl.oclc.org/ooxml/officeDocument/relationships',
    ],
  ])('%s are followed', async (_, from, to) => {
    expect((await readSheet(relinked(from, to))).rows).toHaveLength(50);
  });

  test.each([
    [
      'the sheet "Guests" lies in another file',
      'Target="worksheets/sheet1.xml"',
      'TargetMode="External" Target="http://127.0.0.1/"',
    ],
    ['the sheet "Guests" leads nowhere', 'Id="rId1"', 'Id="rId9"'],
    [
      'in its part xl/workbook.xml, there is <workbook> where <worksheet> belongs',
      'worksheets/sheet1.xml',
      'workbook.xml',
    ],
  ])('%s', async (what, from, to) => {
    expect(await message(relinked(from, to))).toBe(`guests.xlsx: this workbook is damaged: ${what}.`);
  });
});
