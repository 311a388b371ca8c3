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

/** Zip files that are no workbook, by the name of a part in lower case. */
const KINDS: readonly (readonly [part: RegExp, what: string, hint: string])[] = [
  [
    /^xl\/workbook\.bin$/,
    'a binary Excel workbook (.xlsb)',
    `Open it in Excel, choose File > Save As, ${SAVE_AS_XLSX}`,
  ],
  [
    /^index\/.*\.iwa$/,
    'an Apple Numbers document (.numbers)',
    `Open it in Numbers, choose File > Export To > Excel, ${SAVE_AS_XLSX}`,
  ],
  [/^word\/document\.xml$/, 'a Word document (.docx)', ASK_FOR_LIST],
  [/^ppt\/presentation\.xml$/, 'a presentation (.pptx)', ASK_FOR_LIST],
  [
    /\.(?:xlsx|ods|csv|xls)$/,
    'a zip archive with spreadsheets in it',
    'Unpack it, and name the files in it.',
  ],
];

/** The error for a zip file that is no workbook, judged by the names of its parts (in lower case). */
function otherZip(parts: Iterable<string>, file: string): InputError {
  const names = [...parts];
  const other = names.length === 0 ? 'an empty zip file' : 'a zip file, but no workbook';
  const kind = KINDS.find(([part]) => names.some((name) => part.test(name)));
  const [, what, hint] = kind ?? [undefined, other, ASK_FOR_LIST];
  return new InputError(`${file}: this is ${what}.`, { hint });
}
