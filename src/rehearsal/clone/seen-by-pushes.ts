import { readShares, type Share } from '../../sync/journal/count-run.ts';
import { readLearned, readRecognition } from '../../sync/journal/learned.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { listRuns } from '../../sync/journal/runs.ts';
import { SENT } from '../../registration/model/row-states.ts';
import type { Switches } from '../../sandbox/store/switches.ts';

/** What earlier pushes have shown of a service; what is undefined they have not. */
export interface SeenByPushes {
  createStatus: Switches['createStatus'] | undefined;
  createBody: Switches['createBody'] | undefined;
  deleteStatus: Switches['deleteStatus'] | undefined;
  recognise: Switches['recognise'] | undefined;
  upsert: Switches['upsert'] | undefined;
  commsOnUpdate: Switches['commsOnUpdate'] | undefined;
  fieldsForm: Switches['fieldsForm'] | undefined;
  deletesByBarcode: boolean;
}

/** Reads it from what is known here. */
export function seenByPushes(journal: Journal, service: string, now: number): SeenByPushes {
  const context = { journal, target: { service }, clock: { now: () => now } };
  const learned = <Name extends Parameters<typeof readLearned>[1]>(name: Name) =>
    readLearned(context, name)?.value;
  const runs = listRuns(journal).filter((run) => run.service === service);
  const shares = runs.flatMap(({ id }) => readShares(journal, id));
  const sent = shares.filter(({ op, state }) => op === 'send' && SENT.has(state));
  const messages = learned('messages');
  const fields = learned('fields');
  return {
    createStatus: createStatusOf(sent),
    createBody: createBodyOf(sent),
    deleteStatus: deleteStatusOf(shares),
    recognise: recogniseOf(readRecognition(context)),
    upsert: learned('upsert'),
    commsOnUpdate: messages && (messages === 'kept' ? 'merge' : 'replace'),
    fieldsForm: fields === 'unproven' ? undefined : fields,
    deletesByBarcode: learned('deletesBy') === 'barcode',
  };
}

/** One status of each, or it was not always the same. */
function createStatusOf(sent: readonly Share[]): Switches['createStatus'] | undefined {
  const [created, updated] = ['create', 'update'].map((kind) => [
    ...new Set(sent.flatMap(({ plan, status }) => (plan === kind ? (status ?? []) : []))),
  ]) as [number[], number[]];
  const [ofNew, ofKnown = ofNew] = [created[0], updated[0]];
  if (created.length !== 1 || updated.length > 1) return undefined;
  const known: readonly Switches['createStatus'][] = ['201-200', '200-201', '200', '201', '202', '204'];
  const name = ofNew === ofKnown ? String(ofNew) : `${ofNew}-${ofKnown}`;
  return known.find((status) => status === name);
}

function createBodyOf(sent: readonly Share[]): Switches['createBody'] | undefined {
  if (sent.some(({ state, hasId }) => state === 'done' && hasId)) return 'record';
  return sent.some(({ state }) => state === 'accepted') ? 'empty' : undefined;
}

function deleteStatusOf(shares: readonly Share[]): Switches['deleteStatus'] | undefined {
  const deleted = shares.filter(({ op, state }) => op === 'delete' && state === 'deleted');
  return (['200', '204'] as const).find((one) => deleted.some(({ status }) => String(status) === one));
}

function recogniseOf(knows: ReturnType<typeof readRecognition>): Switches['recognise'] | undefined {
  if (knows['email-across'] === 'yes') return 'barcode-or-email';
  if (knows.email === 'yes') return 'email-in-persona';
  if (knows.case === 'yes') return 'barcode-any-case';
  return knows.email === 'no' ? 'barcode' : undefined;
}
