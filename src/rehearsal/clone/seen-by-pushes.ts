import { readLearned, readRecognition } from '../../sync/journal/learned.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { SENT, among } from '../../registration/model/row-states.ts';
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

/** Reads it from the journal of this machine. */
export function seenByPushes(journal: Journal, service: string, now: number): SeenByPushes {
  const learned = <Name extends Parameters<typeof readLearned>[2]>(name: Name) =>
    readLearned(journal, service, name, now)?.value;
  const messages = learned('messages');
  const fields = learned('fields');
  return {
    createStatus: createStatusOf(journal, service),
    createBody: createBodyOf(journal, service),
    deleteStatus: deleteStatusOf(journal, service),
    recognise: recogniseOf(readRecognition(journal, service, now)),
    upsert: learned('upsert'),
    commsOnUpdate: messages && (messages === 'kept' ? 'merge' : 'replace'),
    fieldsForm: fields === 'unproven' ? undefined : fields,
    deletesByBarcode: learned('deletesBy') === 'barcode',
  };
}

const SENT_THERE = `FROM run CROSS JOIN row ON row.run = run.id
  WHERE run.service = $service AND row.op = 'send' AND row.state ${among(SENT)}`;

function statusesOf(journal: Journal, service: string, plan: string): number[] {
  return journal
    .all<{ status: number | undefined }>(
      `SELECT DISTINCT row.status AS status ${SENT_THERE} AND row.plan = $plan`,
      {
        service,
        plan,
      },
    )
    .flatMap(({ status }) => status ?? []);
}

/** One status of each, or it was not always the same. */
function createStatusOf(journal: Journal, service: string): Switches['createStatus'] | undefined {
  const created = statusesOf(journal, service, 'create');
  const updated = statusesOf(journal, service, 'update');
  const [ofNew, ofKnown = ofNew] = [created[0], updated[0]];
  if (created.length !== 1 || updated.length > 1) return undefined;
  const known: readonly Switches['createStatus'][] = ['201-200', '200-201', '200', '201', '202', '204'];
  const name = ofNew === ofKnown ? String(ofNew) : `${ofNew}-${ofKnown}`;
  return known.find((status) => status === name);
}

function createBodyOf(journal: Journal, service: string): Switches['createBody'] | undefined {
  if (journal.has(`${SENT_THERE} AND row.remote_id IS NOT NULL AND row.state = 'done'`, { service }))
    return 'record';
  return journal.has(`${SENT_THERE} AND row.state = 'accepted'`, { service }) ? 'empty' : undefined;
}

function deleteStatusOf(journal: Journal, service: string): Switches['deleteStatus'] | undefined {
  const found = journal.get<{ status: number }>(
    `SELECT row.status AS status FROM run CROSS JOIN row ON row.run = run.id
     WHERE run.service = $service AND row.op = 'delete' AND row.state = 'deleted' AND row.status IN (200, 204)`,
    { service },
  );
  return found === undefined ? undefined : found.status === 200 ? '200' : '204';
}

function recogniseOf(knows: ReturnType<typeof readRecognition>): Switches['recognise'] | undefined {
  if (knows['email-across'] === 'yes') return 'barcode-or-email';
  if (knows.email === 'yes') return 'email-in-persona';
  if (knows.case === 'yes') return 'barcode-any-case';
  return knows.email === 'no' ? 'barcode' : undefined;
}
