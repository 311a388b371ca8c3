/** One of several answers. */
export interface WordSwitch<Word extends string> {
  meaning: string;
  allowed: readonly Word[];
  initial: NoInfer<Word>;
}

export interface NumberSwitch {
  meaning: string;
  allowed: { min: number; max: number };
  initial: number;
}

/** What is done by default is the first of the words unless another one is named. */
export const word = <const Word extends string>(
  allowed: readonly [Word, ...Word[]],
  meaning: string,
  initial: NoInfer<Word> = allowed[0],
): WordSwitch<Word> => ({ meaning, allowed, initial });

export const number = (meaning: string, min: number, max: number, initial: number): NumberSwitch => ({
  meaning,
  allowed: { min, max },
  initial,
});

/** What the interface leaves open of webhooks: where operations are, what they do, and what is delivered. */
export const WEBHOOK_SWITCHES = {
  webhookScope: word(
    ['none', 'query', 'query-untold', 'path'],
    'where operations on webhooks but the creation name the event; query: as event_id, else refused with 422; untold: and without naming it; path: under /v1/events/{event_id}, the creation too',
  ),
  webhookUpdateBy: word(
    ['PUT', 'PATCH', 'PATCH-untold', 'POST-update'],
    'how a webhook is changed; PATCH: anything else is answered with 405 and Allow; untold: without Allow; POST-update: at …/{id}/update',
  ),
  webhookDeleteBy: word(
    ['DELETE', 'POST-delete', 'DELETE-query', 'DELETE-body'],
    'how a webhook is deleted; POST-delete: at …/{id}/delete; query and body: at the path of all, by ?id= or {"id": …}',
  ),
  webhookId: word(
    ['webhook_id', 'id', '_id', 'uuid', 'null-and-_id', 'event-and-uuid'],
    'key of the identifier of a webhook; _id and uuid: a text; null-and-_id: beside an id that is null; event-and-uuid: beside an id that is of the event',
  ),
  webhookList: word(
    ['shown', 'array', 'no-ids', 'active-only', 'cut', 'empty', 'absent'],
    'the list of webhooks; array: bare, without data around it; cut: the first three, without a word; empty: none, ever; absent: there is no such path',
  ),
  webhookRead: word(['shown', 'absent'], 'a webhook at its own address; absent: there is no such path'),
  webhookShown: word(
    ['as-sent', 'other-name', 'other-address', 'host', 'no-name', 'no-address', 'neither'],
    'name and address in records of webhooks; other: the same for all, host: of the address that alone; neither: not shown',
  ),
  webhookStart: word(['as-sent', 'on'], 'whether a new webhook is switched on; on: it always is'),
  webhookAnswer: word(
    ['record', 'wrapped', 'empty', 'number'],
    'body of the answer to a new or changed webhook; empty: its id shows in the list alone; number: an id of something else',
  ),
  webhookUpdate: word(
    ['done', 'renamed', 'ignored', 'absent'],
    'changing a webhook; renamed: it gets a name of the service; ignored: it says that it did it; absent: there is no such path',
  ),
  webhookDelete: word(
    ['done', 'ignored', 'failed', 'absent'],
    'deleting a webhook; ignored: it says that it did it; failed: it did it, and answers 500; absent: there is no such path',
  ),
  webhookEvents: word(
    ['updated', 'all'],
    'what webhooks are told; updated: registration.updated of what is created or updated; all: registration.created and registration.deleted as well',
  ),
  webhookPayload: word(
    ['full', 'thin', 'list'],
    'body of a delivery; thin: identifiers alone; list: a list with one entry',
  ),
  webhookSign: word(
    ['standard', 'none', 'svix', 'github', 'stripe', 'shopify', 'slack', 'square'],
    'how deliveries are signed, where the webhook has a secret; standard: as Standard Webhooks has it',
  ),
  webhookOrder: word(
    ['kept', 'shuffled', 'doubled'],
    'order of deliveries; shuffled: each is held back for up to 2 seconds; doubled: each comes twice',
  ),
  webhookRetry: word(
    ['standard', 'every-minute', 'none'],
    'deliveries that fail; standard: again 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h after the failure before; every-minute: five times more',
  ),
  webhookScale: number(
    'how many times as fast the waits between attempts pass; 86400: days in seconds',
    1,
    1_000_000,
    1,
  ),
};
