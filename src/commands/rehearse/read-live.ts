import { EventregError, EXIT } from '../../errors.ts';
import { type BehaviourLine, behaviourOf } from '../../rehearsal/clone/behaviour.ts';
import { MaskedBases } from '../../rehearsal/clone/masked-bases.ts';
import { SeenAnswers } from '../../rehearsal/clone/seen-answers.ts';
import { seenByPushes } from '../../rehearsal/clone/seen-by-pushes.ts';
import { SeenRecords } from '../../rehearsal/clone/seen-records.ts';
import { imageOfStored, toStored } from '../../rehearsal/clone/to-stored.ts';
import type { Masker } from '../../rehearsal/mask/masker.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { noteSent } from '../../sync/journal/note-sent.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { CopyWriter } from '../../sandbox/store/copied.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import type { Connection } from '../connect/connection.ts';
import { withConnection } from '../connect/connect-saying.ts';
import { readPacing } from '../connect/pacing-file.ts';
import type { CloneOptions } from './rehearse-options.ts';
import type { Call } from '../terminal/terminal.ts';

/** What was read of a live event, and what it shows of its service. */
export interface LiveReading {
  event: EventInfo;
  /** As the service showed it. */
  shown: unknown;
  /** By which the journal knows the service, and people. */
  service: string;
  label: string;
  behaviour: BehaviourLine[];
  bases: MaskedBases;
  masker: Masker;
  webhooks: readonly WebhookRecord[];
  requests: number;
  /** Of registrations at the service; undefined where it does not tell. */
  total: number | undefined;
}

interface Place {
  /** What is known of the live service, and where that of the clone is kept. */
  memory: Journal;
  journal: Journal;
  /** Made once the event is known: where registrations go to, and how they are masked. */
  open: (event: EventInfo) => Promise<{ writer: CopyWriter; masker: Masker }>;
}

/** Reads event, registrations and webhooks, each page masked before it is written. Sends nothing but reads. */
export async function readLive(call: Call<CloneOptions>, place: Place): Promise<LiveReading> {
  const { options, runtime } = call;
  const answers = new SeenAnswers();
  const { read, settings, service, label, gate } = await withConnection(
    call,
    async (connection) => ({
      ...connection,
      read: await readAll(call, { ...place, answers, connection }),
    }),
    { onAnswer: (url, answer) => answers.add(url, answer) },
  );
  const { clock, paths } = runtime;
  const now = clock.now();
  const account = { origin: settings.baseUrl.origin, token: settings.token };
  const learnt = options.sandbox === false ? readPacing(paths.state, account, now) : undefined;
  const { limit, windowMs } = gate.budget();
  const pushes = seenByPushes(place.memory, service, now);
  const behaviour = behaviourOf({
    ...read.evidence,
    answers,
    pushes,
    pacing: learnt ?? { limit, windowMs, shape: 'window', isSure: false },
    fieldsForm: settings.fields,
  });
  return {
    ...read,
    shown: answers.event,
    service,
    label,
    behaviour,
    requests: answers.requests,
    total: answers.total,
  };
}

interface Parts extends Place {
  answers: SeenAnswers;
  connection: Connection;
}

async function readAll(call: Call<CloneOptions>, { open, answers, connection, ...journals }: Parts) {
  const { options, runtime } = call;
  const { client, settings, service } = connection;
  const { clock } = runtime;
  const event = await client.getEvent();
  const target = { service, eventId: event.eventId, eventName: event.name };
  noteSent({ journal: journals.memory, target, event, clock });
  const { writer, masker } = await open(event);
  const records = new SeenRecords();
  const bases = new MaskedBases(journals, target, event, masker);
  const most = options.registrations === 'none' ? 0 : (options.limit ?? Number.POSITIVE_INFINITY);
  const fields = fieldsOf(event);
  let kept = 0;
  answers.reading = 'list';
  await client.registrations.readAll(
    {},
    (page) => {
      if (page.restart) {
        kept = 0;
        writer.clear();
        bases.clear();
      }
      for (const record of page.records) records.add(record, fields);
      const stored = page.records.slice(0, most - kept).map((record, at) => {
        const one = toStored(record, { event, masker, number: kept + at + 1, now: clock.now() });
        bases.add(record, imageOfStored(one, record));
        return one;
      });
      kept += stored.length;
      writer.add(stored);
    },
    { goOn: () => kept < most },
  );
  answers.reading = 'webhooks';
  const asksWebhooks = settings.integUrl !== undefined;
  const webhooks = asksWebhooks ? await listWebhooks(connection) : [];
  const webhookIds = webhooks.length === 0 ? undefined : webhooks.some(({ id }) => id !== undefined);
  return { event, bases, masker, webhooks, evidence: { records, asksWebhooks, webhookIds } };
}

/** A service that lists none may have no such path: that is no reason to give up. */
async function listWebhooks({ client }: Connection): Promise<readonly WebhookRecord[]> {
  try {
    return await client.webhooks.list();
  } catch (error) {
    if (!(error instanceof EventregError) || error.exitCode !== EXIT.failed) throw error;
    return [];
  }
}
