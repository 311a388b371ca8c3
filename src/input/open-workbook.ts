import { InputError } from '../errors.ts';
import type { StoredInput } from './source/stored-input.ts';
import { openOds } from './ods/open-ods.ts';
import { openZip } from './workbook/open-zip.ts';
import type { Workbook } from './workbook/workbook.ts';
import { WorkbookPackage } from './workbook/workbook-package.ts';
import { openXlsx } from './xlsx/open-xlsx.ts';

/**
 * Opens a workbook of any format: everything but the rows. Throws an InputError when it is damaged, beyond the
 * limits, or another kind of file in a zip.
 */
export async function openWorkbook(input: StoredInput): Promise<Workbook> {
  const parts = await openZip(input);
  const packed = new WorkbookPackage(input, parts);
  const workbook = (await openXlsx(packed)) ?? (await openOds(packed));
  if (workbook === undefined) throw otherZip(parts.keys(), input.file);
  return workbook;
}

const SAVE_AS_XLSX = 'and save it as "Excel Workbook (.xlsx)".';
const ASK_FOR_LIST = 'Ask for the list as a spreadsheet or as CSV.';

/** Zip files that are no workbook, by the name of a part; names are in lower case. */
const KINDS: readonly { holds: (part: string) => boolean; what: string; hint: string }[] = [
  {
    holds: (part) => part === 'xl/workbook.bin',
    what: 'a binary Excel workbook (.xlsb)',
    hint: `Open it in Excel, choose File > Save As, ${SAVE_AS_XLSX}`,
  },
  {
    holds: (part) => part.startsWith('index/') && part.endsWith('.iwa'),
    what: 'an Apple Numbers document (.numbers)',
    hint: `Open it in Numbers, choose File > Export To > Excel, ${SAVE_AS_XLSX}`,
  },
  { holds: (part) => part === 'word/document.xml', what: 'a Word document (.docx)', hint: ASK_FOR_LIST },
  { holds: (part) => part === 'ppt/presentation.xml', what: 'a presentation (.pptx)', hint: ASK_FOR_LIST },
  {
    holds: (part) => /\.(?:xlsx|csv|xls)$/.test(part),
    what: 'a zip archive with spreadsheets in it',
    hint: 'Unpack it, and name the files in it.',
  },
];

/** The error for a zip file that is no workbook, judged by the names of its parts (in lower case). */
function otherZip(parts: Iterable<string>, file: string): InputError {
  const names = [...parts];
  const kind = KINDS.find(({ holds }) => names.some(holds));
  const what = kind?.what ?? (names.length === 0 ? 'an empty zip file' : 'a zip file, but no workbook');
  return new InputError(`${file}: this is ${what}.`, { hint: kind?.hint ?? ASK_FOR_LIST });
}
