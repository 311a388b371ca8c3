import { GuardError, InputError } from '../../errors.ts';
import { QuestionError } from '../../input/source/question-error.ts';
import { type OpenedInput, openInput } from '../../input/read-input.ts';
import { type StoredInput, storeInput } from '../../input/source/stored-input.ts';
import { isBlank, type NamedCell, sourceOf } from '../../registration/repairs/cell-text.ts';
import { cleanText, type Mended } from '../../registration/repairs/clean-text.ts';
import {
  type Checked,
  type Finding,
  formatPlace,
  type Note,
  type Place,
  refuse,
  type SourceRow,
} from '../../registration/model/row.ts';
import { readText } from '../../registration/repairs/mend-value.ts';
import { readBarcode } from '../../registration/reading/read-cell.ts';
import { DEFAULT_REPAIRS } from '../../registration/repairs/repair-options.ts';
import type { Wanted, WantedPair } from '../../sync/delete/select.ts';
import { visible } from '../../report/words/escape.ts';
import { formatNote } from '../../report/words/row-remarks.ts';
import { plural } from '../../report/words/number.ts';

import { toSource } from '../terminal/file-source.ts';
import type { GlobalOptions } from '../options/options.ts';
import { type ReadingOptions, toInputOptions } from '../options/reading-options.ts';
import { say, type Call } from '../terminal/terminal.ts';

const NAMES = { id: ['registration_id', 'registratoin_id', 'id'], barcode: ['barcode'] } as const;
type Kind = keyof typeof NAMES;

/** What a row names its registration by; one that names none, or not well, is wrong. */
type Identity =
  | { kind: Kind; value: string; note: Note | undefined; pair: WantedPair | undefined }
  | { wrong: InputError };

interface FileIdentities extends Record<Kind, Set<string>> {
  pairs: WantedPair[];
  mended: number;
  wrong: InputError | undefined;
}

/**
 * Ids and barcodes from the columns `registration_id` and `barcode` of a file, mended as push mends them.
 * Throws a QuestionError when it may be read in more than one way: nothing is deleted on a guess.
 */
export async function readWanted(file: string, call: Call<GlobalOptions & ReadingOptions>): Promise<Wanted> {
  const stored = await storeInput(toSource(file, call.runtime));
  try {
    return await readStored(stored, call);
  } finally {
    await stored.close();
  }
}

async function readStored(stored: StoredInput, call: Call<GlobalOptions & ReadingOptions>): Promise<Wanted> {
  const { options } = call;
  const input = await openInput(stored, {
    ...toInputOptions(options),
    knows: (heading) => isNameOf(heading, 'id') || isNameOf(heading, 'barcode'),
  });
  const { id, barcode, pairs, mended, wrong } = await readIdentities(input, (place, note) => {
    if (options.verbose) say(call, formatNote(place, note, options.showValues));
  });
  // Before what is wrong with a row: the answer may be that the row is not meant at all.
  const questions = input.questions();
  if (questions.length > 0) throw new QuestionError(questions);
  if (wrong !== undefined) throw wrong;
  if (id.size + barcode.size === 0) {
    throw new GuardError(
      'nothing-chosen',
      `${visible(stored.file)} names no registration, so nothing was deleted.`,
    );
  }
  for (const remark of input.remarks()) say(call, remark);
  if (mended > 0) {
    say(call, `${plural(mended, 'cell was', 'cells were')} mended; --verbose lists each.`);
  }
  return { ids: [...id], barcodes: [...barcode], persona: undefined, pairs };
}

/** Reads to the end also after a wrong row: only then is it known what is to be asked. */
async function readIdentities(
  input: OpenedInput,
  onMended: (place: Place, note: Note) => void,
): Promise<FileIdentities> {
  const found: FileIdentities = { id: new Set(), barcode: new Set(), pairs: [], mended: 0, wrong: undefined };
  for await (const { rows, rejects } of input.batches()) {
    const [bad] = rejects;
    if (bad !== undefined) {
      const problem = bad.reasons[0]?.problem ?? 'unreadable';
      found.wrong ??= new InputError(`${formatPlace(bad.place)}: ${problem}.`);
    }
    for (const row of rows) {
      const identity = identityOf(row);
      if ('wrong' in identity) {
        found.wrong ??= identity.wrong;
        continue;
      }
      found[identity.kind].add(identity.value);
      if (identity.pair !== undefined) found.pairs.push(identity.pair);
      if (identity.note === undefined) continue;
      found.mended += 1;
      onMended(row.place, identity.note);
    }
  }
  return found;
}

function identityOf(row: SourceRow): Identity {
  const [id, barcode] = [findCell(row, 'id'), findCell(row, 'barcode')];
  const at = id ?? barcode;
  if (at === undefined) {
    const problem = 'this row has neither a registration_id nor a barcode';
    return wrongRow(`${formatPlace(row.place)}: ${problem}.`, 'Nothing was deleted.');
  }
  const kind = id === undefined ? 'barcode' : 'id';
  const read = kind === 'id' ? readId(at) : readBarcode(at, 'barcode', DEFAULT_REPAIRS);
  if (!read.ok) return unreadable(row, at, read.finding);
  const { value } = read.value;
  const identity = { kind, value, note: noteOf(at, kind, read.value) } as const;
  if (kind === 'barcode' || barcode === undefined) return { ...identity, pair: undefined };
  const other = readBarcode(barcode, 'barcode', DEFAULT_REPAIRS);
  if (!other.ok) return unreadable(row, barcode, other.finding);
  return { ...identity, pair: { place: formatPlace(row.place), id: value, barcode: other.value.value } };
}

function unreadable(row: SourceRow, { column }: NamedCell, { problem, remedy }: Finding): Identity {
  const hint = remedy === undefined ? undefined : `To mend it: ${remedy}. Nothing was deleted.`;
  return wrongRow(`${formatPlace(row.place)}: column "${column}" ${problem}.`, hint);
}

function wrongRow(message: string, hint: string | undefined): Identity {
  return { wrong: new InputError(message, hint === undefined ? {} : { hint }) };
}

/** The cell of the first column of such a name, unless it is blank. */
function findCell(row: SourceRow, kind: Kind): NamedCell | undefined {
  const at = row.columns.findIndex((column) => isNameOf(column, kind));
  const column = row.columns[at];
  const cell = row.cells[at];
  if (column === undefined || isBlank(cell)) return undefined;
  return { column, cell, escaped: row.escaped?.get(at) };
}

/** An id is the service’s own word, not digits of an article: only what nobody sees is taken off. */
function readId(at: NamedCell): Checked<Mended> {
  const text = readText(at, 'barcode');
  if (!text.ok) return text;
  const value = cleanText(text.value, 'barcode');
  return value.value === ''
    ? refuse('barcode-invalid', 'holds nothing that can be seen', 'empty the cell')
    : { ok: true, value };
}

function noteOf(at: NamedCell, kind: Kind, { value: after, done }: Mended): Note | undefined {
  const before = sourceOf(at);
  if (done.length === 0 || after === before) return undefined;
  return {
    column: at.column,
    field: NAMES[kind][0],
    repair: done.join(', '),
    before,
    after,
    personal: false,
  };
}

function isNameOf(heading: string, kind: Kind): boolean {
  const name = heading.trim().toLowerCase().replace(/[\s-]/g, '_');
  return NAMES[kind].some((known) => known === name);
}
