import { number, type NumberSwitch, word, type WordSwitch, WEBHOOK_SWITCHES } from './webhook-switches.ts';

/**
 * The points that the interface leaves open, each a switch: what the sandbox does by default, and every
 * other answer a real service might give.
 */
const DEFINITIONS = {
  limit: number('requests a window; 0 switches the limiter off', 0, 1_000_000, 30),
  windowMs: number('length of the window in milliseconds', 1, 86_400_000, 1000),
  limiter: word(
    ['first-request', 'aligned', 'sliding-log', 'sliding-counter', 'token-bucket', 'gcra', 'punishing'],
    'how requests are counted; punishing: like first-request, but each refused request begins the window again',
  ),
  pastLimit: word(
    ['429', '429-retry-after', '429-retry-after-date', '503-retry-after'],
    'answer to a request past the limit',
  ),
  rateHeaders: word(
    ['always', 'good-only', 'posts', 'remaining-only', 'never'],
    'which answers carry the X-Ratelimit headers; posts: those to POST alone; remaining-only: all of them, but Limit is never told',
  ),
  filterSpelling: word(
    ['both', 'persona', 'pesona', 'strict-persona', 'strict-pesona', 'none', 'nobody'],
    'name of the persona filter; strict: the other name is refused with 422; nobody: there is one, and it finds nobody',
  ),
  barcodeFilter: word(['honoured', 'ignored'], 'the barcode filter'),
  pageShape: word(
    [
      'array',
      'data-meta',
      'registrations-pagination',
      'items-flat',
      'results-links',
      'laravel',
      'header-total',
      'link-header',
    ],
    'shape of a page of registrations',
    'data-meta',
  ),
  recordShape: word(
    ['nested', 'flat', 'entries', 'labels', 'no-fields', 'no-values', 'no-phone'],
    'where a record keeps its fields; labels: keyed by their labels; no-values: it has none in them; no-phone: all but phone',
  ),
  recordBarcode: word(['shown', 'hidden'], 'whether a record shows its barcodes'),
  recordParent: word(['shown', 'hidden'], 'whether a record shows the barcode of its parent'),
  recordComms: word(['shown', 'hidden'], 'whether a record shows enable_comms'),
  idKey: word(
    ['registratoin_id', 'registration_id', 'id', 'uuid', 'none'],
    'key of the identifier in a record; none: not shown, and the barcode is the identifier',
  ),
  idShown: word(
    ['everywhere', 'lists', 'answers', 'nowhere'],
    'where the identifier shows; nowhere: it is still what a delete wants',
  ),
  idForm: word(
    ['text', 'number', 'reused', 'odd'],
    'form of new identifiers; reused: the lowest number that no registration has; odd: with + / and =',
  ),
  createStatus: word(
    ['201-200', '200-201', '200', '201', '202', '204'],
    'status of a create; 201-200: 201 when created, 200 when updated; 200-201 the other way round',
  ),
  createBody: word(
    ['record', 'wrapped', 'echo', 'empty', 'text'],
    'body of the answer to a create; echo: a record of what was sent, whatever was kept',
  ),
  errorShape: word(
    ['message', 'errors-map', 'errors-list', 'problem', 'html', 'empty', 'error-string'],
    'shape of an error',
  ),
  recognise: word(
    ['barcode', 'barcode-any-case', 'email', 'email-in-persona', 'barcode-or-email', 'barcode-or-name'],
    'what a create knows a registration by; email: in any persona, and its barcode becomes the one that is sent, as with name',
  ),
  upsert: word(
    ['update', 'double', 'refuse', 'ignore'],
    'a create of a registration that is already there; double: nothing is known again',
  ),
  fieldsOnUpdate: word(
    ['merge', 'replace', 'by-persona', 'by-field'],
    'fields that an update does not name: kept, or gone; by-persona: gone for exhibitors alone; by-field: phone, company and remarks alone',
  ),
  parentOnUpdate: word(['merge', 'replace'], 'the parent that an update does not name: kept, or gone'),
  commsOnUpdate: word(
    ['merge', 'replace'],
    'enable_comms that an update does not name: kept, or false again',
  ),
  emptyParent: word(['refused', 'cleared', 'ignored'], 'a parent_barcode that is sent empty or null'),
  parentDelete: word(
    ['kept', 'orphaned', 'cascade', 'refused'],
    'deleting a parent: its members keep naming it, lose it, go with it, or stand in the way (409)',
  ),
  ownBarcodes: word(
    ['kept', 'reissued'],
    'barcodes that the platform made: kept, or made anew at each update',
  ),
  fieldsForm: word(
    ['object', 'entries', 'entries-400'],
    'form in which fields are wanted; entries: an array of slug and value, anything else is refused, naming fields',
  ),
  storedAs: word(
    ['as-sent', 'tidied', 'capitals', 'zero-time', 'day-early', 'tenfold'],
    'how values are kept; tidied: e-mail in lower case, phone as + and digits, names without needless spaces, country in 2 capitals; capitals: last name and company; zero-time: a date gets 00:00:00; day-early: a date becomes the day before; tenfold: a number ten times itself',
  ),
  misstored: word(
    ['nothing', 'dropped', 'emptied', 'once', 'always'],
    'the field company: kept; dropped; dropped when a registration is updated; cut to 3 characters when one is created, or always',
  ),
  uploads: word(
    ['as-sent', 'signed', 'signed-taken'],
    'how links of uploads are listed; signed: with a signature that is new at each reading and refused when it is sent back; signed-taken: and kept when it is sent back',
  ),
  personaListed: word(['slug', 'name'], 'what a record shows of its persona'),
  choicesListed: word(
    ['values', 'labels'],
    'what a record shows of a chosen option: the value that is sent, or its label',
  ),
  listTotal: word(['shown', 'hidden'], 'whether a list says how many there are'),
  listOrder: word(['oldest', 'newest'], 'which registrations a list begins with'),
  readLagMs: number('how long lists go on showing what was before a change', 0, 600_000, 0),
  pageOverflow: word(
    ['empty', 'repeat-last', 'repeat-first', 'endless', '404', '422'],
    'a page past the last; endless: the last one again, each time with other times of change',
  ),
  perPageCap: number('most records a page, whatever per_page asks for', 1, 100, 100),
  valuesShape: word(
    [
      'strings',
      'numbers',
      'objects-label-value',
      'objects-id-name',
      'objects-slug-label',
      'map',
      'one-key-maps',
      'groups',
      'languages',
    ],
    'shape of the options of a choice field',
  ),
  labels: word(['text', 'languages'], 'labels of fields and names of personas'),
  deleteStatus: word(['200', '204', '404'], 'status of a delete; 404: it is done all the same'),
  deleteAgain: word(
    ['404', '204'],
    'status of deleting what was deleted before; of webhooks also what never was there',
  ),
  ...WEBHOOK_SWITCHES,
  auth: word(['ok', '401'], '401 refuses every token'),
  event: word(
    ['ok', '404', 'html', 'redirect', '500'],
    'the event; html and redirect answer every path with a login page',
  ),
  latencyMs: number('how long an answer waits once the work is done', 0, 600_000, 0),
  landMs: number(
    'how long after a POST came its work is done and its answer begins, also when nobody waits for that any more',
    0,
    600_000,
    0,
  ),
  requestIds: word(
    ['echo', 'own', 'none'],
    'x-request-id of answers: that of the request, one of the service, or none',
    'none',
  ),
};

type Definitions = typeof DEFINITIONS;

export type Switches = {
  [Name in keyof Definitions]: Definitions[Name] extends WordSwitch<infer Word> ? Word : number;
};

/** One line of the table of switches: what help prints. */
export type SwitchInfo = { name: keyof Switches } & (WordSwitch<string> | NumberSwitch);

/** Every switch, in the order of help. */
export const SWITCHES: readonly SwitchInfo[] = Object.entries<WordSwitch<string> | NumberSwitch>(
  DEFINITIONS,
).map(([name, definition]) => ({ name: name as keyof Switches, ...definition }));

/** What the sandbox does when nothing is set. */
export const DEFAULT_SWITCHES: Readonly<Switches> = Object.fromEntries(
  SWITCHES.map(({ name, initial }) => [name, initial]),
) as unknown as Switches;

/** Reads `name=value` pairs; the last of a name counts. Throws an Error that lists what is allowed. */
export function parseSwitches(pairs: readonly string[]): Partial<Switches> {
  return Object.fromEntries(pairs.map(parsePair));
}

function parsePair(pair: string): [string, string | number] {
  const at = pair.indexOf('=');
  const name = at < 0 ? pair : pair.slice(0, at);
  const info = SWITCHES.find((candidate) => candidate.name === name);
  if (info === undefined) {
    const names = SWITCHES.map((candidate) => candidate.name).join(', ');
    throw new Error(`There is no switch ${JSON.stringify(name)}. Switches: ${names}.`);
  }
  if (at < 0) throw new Error(`The switch ${name} needs a value: ${name}=… with ${describe(info)}.`);
  return [name, parseValue(info, pair.slice(at + 1))];
}

function parseValue(info: SwitchInfo, value: string): string | number {
  const { allowed } = info;
  if ('min' in allowed) {
    const count = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (count >= allowed.min && count <= allowed.max) return count;
  } else if (allowed.includes(value)) {
    return value;
  }
  throw new Error(`The switch ${info.name} takes ${describe(info)}, not ${JSON.stringify(value)}.`);
}

function describe({ allowed }: SwitchInfo): string {
  return 'min' in allowed ? `a whole number from ${allowed.min} to ${allowed.max}` : allowed.join(' | ');
}
