import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import { isOfAnother, personOf } from '../decide/judge-person.ts';
import { judgeUndo, type UndoVerdict } from '../decide/undo-judge.ts';
import { namesInBackup } from '../delete/backup.ts';
import { addHolders, holdBack, unseenMembers } from '../delete/hold.ts';
import { MEMBERS_AT_RISK } from '../delete/removal-summary.ts';
import { deletions } from '../journal/delete-rows.ts';
import { readLearned, readRecognition } from '../journal/learned.ts';
import { changeRow } from '../journal/row-tables.ts';
import { sendAfterParents } from '../journal/rows-to-send.ts';
import type { Run } from '../journal/run.ts';
import { backupsOf } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { earlierSends } from '../journal/sent-facts.ts';
import { addFinding, type Finding, readFindings } from '../journal/steps.ts';
import { type ToldRow, toldRows } from '../journal/told-rows.ts';
import { addUndo, Since, type UndoneRow, undoneRows } from '../journal/undo-rows.ts';
import { namedBy } from '../perform/send-row.ts';
import { PARENTS_AT_RISK } from '../plan/plan-remarks.ts';
import { CHEAP_PAGES, hasShownLike, isWhole, readShown } from '../snapshot/read-now.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { waitToSettle } from '../snapshot/wait-until.ts';

/**
 * Reads what became of the registrations of a run, and puts on the list of the undo what is to be deleted
 * and sent, and what is left alone and why; each under the number of the row that it undoes. Returns what was read.
 */
export async function planUndo(context: SendContext, undone: Run): Promise<ListReading> {
  const { journal, run, reporter } = context;
  const rows = undoneRows(journal, undone.id);
  // No request of the run can land any more then, and a list shows what has.
  const unseen = rows.filter((row) => row.sent && !row.isReadBack && row.state !== 'conflict');
  await waitToSettle(context, Math.max(...unseen.flatMap(({ sentAt }) => sentAt ?? [])));
  const reading = await readRegistrations(context, rows);
  const judge = judgeWith(context, undone, reading);
  const judged = rows.map((row) => ({ row, verdict: judge(row) }));
  journal.transaction(() => {
    for (const { row, verdict } of judged) {
      addUndo(journal, run, row, verdict);
      if (verdict.kind === 'send') noteLeft(context, row, verdict.unseen);
    }
    sendAfterParents(journal, run);
  });
  noteStillLost(context, undone, reading);
  await addHolders(context, reading, deletions(journal, run, ['pending']));
  holdBack(context, reading, { keepParents: true });
  const warn = (text: string): void => reporter.report({ type: 'warning', text });
  const isUpdate = judged.some(({ verdict }) => verdict.kind === 'send' && verdict.plan === 'update');
  if (!reading.parentsShown && isUpdate) warn(PARENTS_AT_RISK);
  if (!reading.parentsShown && judged.some(({ verdict }) => verdict.kind === 'delete')) warn(MEMBERS_AT_RISK);
  const isBack = ({ row, verdict }: (typeof judged)[number]) =>
    verdict.kind === 'send' && row.op === 'delete';
  const back = judged.filter(isBack).map(({ row: { barcode } }) => ({ barcode }));
  const parts = judged.filter(
    ({ verdict }) => verdict.kind === 'send' && verdict.unseen !== undefined,
  ).length;
  if (parts > 0)
    warn(
      `${plural(parts, 'registration comes', 'registrations come')} back without all that was there: --dry-run names what.`,
    );
  const members = back.length === 0 ? 0 : unseenMembers(context, reading, back).length;
  if (members > 0)
    warn(
      `${plural(members, 'member', 'members')} of those who come back may have gone with them, which no list shows: pushing their list again brings them back.`,
    );
  return reading;
}

async function readRegistrations(context: SendContext, rows: readonly UndoneRow[]): Promise<ListReading> {
  // A service that knew the person by something else may have changed the barcode.
  const barcodes = new Set(
    rows.flatMap((row) => [row.barcode, row.before?.barcode, newBarcode(row)].flatMap((one) => one ?? [])),
  );
  return await readShown(context, {
    barcodes,
    // A short list also shows what else an undo does.
    pages: Math.max(barcodes.size, CHEAP_PAGES),
    // What is registered again has to be known not to be there.
    whole: rows.some(({ op, barcode }) => op === 'delete' || barcode === undefined),
  });
}

/** Judges rows of the run that is undone by what was read, and by what the journal knows. */
function judgeWith(context: SendContext, undone: Run, reading: ListReading): (row: UndoneRow) => UndoVerdict {
  const { journal, target, event } = context;
  const since = new Since(journal, target, undone.id);
  const facts = {
    givesNewIds: readLearned(context, 'ids')?.value === 'new',
    parentsShown: reading.parentsShown,
    fields: fieldsOf(event),
    recognition: readRecognition(context),
    isTaken: (barcode: string) => reading.listed.hasBarcode(barcode),
    sight: reading.sight,
  };
  const unseenOf = (run: string, wanted: number): string | undefined =>
    readFindings(journal, run).find(({ kind, seq }) => kind === 'unseen' && seq === wanted)?.message;
  return (row) => {
    const { barcode, remoteId: id } = row;
    const by = since.undoneBy(undone.id, row.seq);
    return judgeUndo({
      ...facts,
      row,
      found: findRecords(row, reading),
      undoneBy: by,
      leftBy: by === undefined ? undefined : unseenOf(by, row.seq),
      sentAgainBy: since.sentAgainBy(row),
      unfound: whyUnfound(row, reading),
      earlier: () => earlierSends(journal, target, { barcode, id }, row.sentNo),
      alike: (one) => {
        const wasSent = (by: RecordImage) => earlierSends(journal, target, by, row.sentNo).length > 0;
        const isNew = (other: RecordImage) => !wasSent(other) && !wasSent({ id: other.id });
        return listedLike(one, reading, facts.fields).find(isNew);
      },
    });
  };
}

/** Those listed that share the barcode but for its case, the e-mail, or the name and no other e-mail with somebody. */
function listedLike(one: Registration, { listed }: ListReading, fields: FieldsOf): RegistrationRecord[] {
  const { email, name } = personOf(one, fields);
  const named = listed.withName(name).filter((other) => (other.email ?? email) === (email ?? other.email));
  const all = [...listed.withFolded(one.barcode), ...listed.withEmail(email), ...named];
  return all.map(({ record }) => record);
}

/** The one that the answer to an update has named, where the service shows no ids. */
const newBarcode = ({ before, remoteId }: UndoneRow): string | undefined =>
  before !== undefined && before.id === undefined ? remoteId : undefined;

/**
 * Those with its id or its barcode, each once; of one that had another barcode before, that with its id. Where the row
 * names neither, it is known by the barcode that it was listed with.
 */
function findRecords(row: UndoneRow, { listed }: ListReading): RegistrationRecord[] {
  const { remoteId, before, barcode = before?.barcode } = row;
  const given = newBarcode(row);
  const byId = given === undefined ? listed.byId(remoteId ?? '') : listed.byBarcode(given);
  const hadAnother = before?.barcode !== undefined && before.barcode !== barcode && before.id === remoteId;
  if (hadAnother && byId.length > 0) return byId;
  const byBarcode = barcode === undefined ? [] : listed.byBarcode(barcode);
  const others = byBarcode.filter(({ id }) => id === undefined || byId.every((record) => record.id !== id));
  return [...byId, ...others];
}

const NEW_BARCODE =
  'nobody has seen it since it was changed, and the service shows no id to find it by under another barcode';

/** Why a registration of the row may not have been found though there is one; undefined where it would have been. */
function whyUnfound(row: UndoneRow, reading: ListReading): string | undefined {
  const { remoteId, barcode = row.before?.barcode, state, sent, isReadBack } = row;
  // A deletion is called done once it was seen.
  const isSeen = isReadBack || state === 'deleted';
  // Of what nobody has ever seen an empty list says nothing either.
  if (sent !== undefined && !isSeen && !(reading.kinds.size > 0 && hasShownLike(reading, sent)))
    return 'nobody has seen it in the service, and the list shows none of its kind';
  if (remoteId !== undefined && row.before === undefined && IN_DOUBT.has(state))
    return 'the service answered that it took it, and lists neither its barcode nor who it named';
  if (barcode !== undefined && reading.barcodesShown)
    return row.before === undefined || isSeen || reading.idsShown ? undefined : NEW_BARCODE;
  if (remoteId === undefined) {
    const what = IN_DOUBT.has(state) ? 'what became of it is not known, and ' : '';
    return barcode === undefined
      ? `${what}it has no barcode, nor an id that is known, to find it by`
      : `${what}the service lists no barcodes to find it by`;
  }
  if (!reading.idsShown) return 'the service does not list the id that it answered with';
  return isWhole(reading) ? undefined : 'the list changed while it was read';
}

/**
 * Keeps as findings of an undo what was gone after the delete that it takes back, or had lost its parent, though
 * nothing had asked for that, and is not as before by now: an undo brings back only what was asked for.
 */
function noteStillLost(
  { journal, run }: SendContext,
  undone: Pick<Run, 'id' | 'kind'>,
  { listed }: Pick<ListReading, 'listed'>,
): void {
  if (undone.kind !== 'delete') return;
  const isLost = ({ kind, id, barcode }: Finding): boolean => {
    const found = [...listed.byId(id ?? ''), ...listed.byBarcode(barcode ?? '')];
    if (kind === 'gone') return found.length === 0;
    return kind === 'orphaned' && found.every(({ parentBarcode }) => parentBarcode === undefined);
  };
  const lost = readFindings(journal, undone.id).filter(isLost);
  if (lost.length === 0) return;
  const files = backupsOf(journal, undone.id).map((file) => ({ file, names: namesInBackup(file) }));
  for (const { kind, seq, id, barcode } of lost) {
    const file = files.find(({ names }) => names.has(id ?? barcode ?? ''))?.file;
    const { what, still, again } = kind === 'gone' ? GONE : ORPHANED;
    const way = file === undefined ? NOT_KEPT : `eventreg push ${file} ${again}`;
    const message = `it ${what} since run ${undone.id}, and ${still}: ${way}`;
    addFinding(journal, run, { kind: 'lost', seq, id, barcode, message });
  }
}

const NOT_KEPT = 'the backup of that run does not have it';
const GONE = { what: 'is gone', still: 'is not back', again: 'adds it again' };
const ORPHANED = {
  what: 'has lost its parent',
  still: 'has not got it back',
  again: '--overwrite makes it a member again',
};

/** Keeps as a finding what of a row stays as the run has left it, though the rest is brought back. */
function noteLeft(
  { journal, run }: Pick<SendContext, 'journal' | 'run'>,
  { seq, remoteId: id, barcode }: Pick<ToldRow, 'seq' | 'remoteId' | 'barcode'>,
  message: string | undefined,
): void {
  if (message !== undefined) addFinding(journal, run, { kind: 'unseen', seq, id, barcode, message });
}

/**
 * Puts back on the list of an undo what the service has refused because of values that it names, without those: a
 * refusal has changed nothing, and the rest can be brought back, unless it tells who it is. Returns whether there is any.
 */
export function sendWithoutRefused({ journal, run, event }: SendContext): boolean {
  const failed = [...toldRows(journal, run, 'problems')].filter(
    ({ op, plan, state }) => op === 'send' && plan === 'update' && state === 'failed',
  );
  const again = failed.filter((row) => {
    const { sent, before = {} } = row;
    if (sent === undefined) return false;
    const { persona, fields } = sent;
    const refused = namedBy(row.message ?? '', Object.keys(fields), fieldsOf(event)(persona));
    const rest = Object.entries(fields).filter(([slug]) => !refused.includes(slug));
    const isMixed = isOfAnother(Object.keys(fields), before, fieldsOf(event));
    if (refused.length === 0 || rest.length === 0 || isMixed) return false;
    journal.transaction(() => {
      const ask = { ...sent, fields: Object.fromEntries(rest) };
      changeRow(journal, run, row.seq, { state: 'pending', ask });
      const why = `what ${refused.join(', ')} held is refused by the service: ${row.message}`;
      noteLeft({ journal, run }, row, why);
    });
    return true;
  });
  return again.length > 0;
}
