/**
 * The points that the interface leaves open, each a switch: what the sandbox does by default, and every
 * other answer a real service might give.
 */
interface WordSwitch<Word extends string> {
  meaning: string;
  words: readonly Word[];
  initial: NoInfer<Word>;
}

interface NumberSwitch {
  meaning: string;
  range: { min: number; max: number };
  initial: number;
}

const word = <const Word extends string>(
  meaning: string,
  words: readonly Word[],
  initial: NoInfer<Word>,
): WordSwitch<Word> => ({ meaning, words, initial });

const number = (meaning: string, min: number, max: number, initial: number): NumberSwitch => ({
  meaning,
  range: { min, max },
  initial,
});

const DEFINITIONS = {
  limit: number('requests a window; 0 switches the limiter off', 0, 1_000_000, 30),
  windowMs: number('length of the window in milliseconds', 1, 86_400_000, 1000),
  limiter: word(
    'how requests are counted; punishing: like first-request, but each refused request begins the window again',
    ['first-request', 'aligned', 'sliding-log', 'sliding-counter', 'token-bucket', 'gcra', 'punishing'],
    'first-request',
  ),
  pastLimit: word(
    'answer to a request past the limit',
    ['429', '429-retry-after', '429-retry-after-date', '503-retry-after'],
    '429',
  ),
  rateHeaders: word(
    'which answers carry the X-Ratelimit headers',
    ['always', 'good-only', 'never'],
    'always',
  ),
  filterSpelling: word(
    'name of the persona filter; strict: the other name is refused with 422',
    ['both', 'persona', 'pesona', 'strict-persona', 'strict-pesona', 'none'],
    'both',
  ),
  barcodeFilter: word('the barcode filter', ['honoured', 'ignored'], 'honoured'),
  pageShape: word(
    'shape of a page of registrations',
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
    'data-meta',
  ),
  recordShape: word('where a record keeps its fields', ['nested', 'flat', 'entries', 'no-fields'], 'nested'),
  recordBarcode: word('whether a record shows its barcodes', ['shown', 'hidden'], 'shown'),
  recordParent: word('whether a record shows the barcode of its parent', ['shown', 'hidden'], 'shown'),
  recordComms: word('whether a record shows enable_comms', ['shown', 'hidden'], 'shown'),
  idKey: word(
    'key of the identifier in a record; none: not shown, and the barcode is the identifier',
    ['registratoin_id', 'registration_id', 'id', 'uuid', 'none'],
    'registratoin_id',
  ),
  idShown: word(
    'where the identifier shows; nowhere: it is still what a delete wants',
    ['everywhere', 'lists', 'answers', 'nowhere'],
    'everywhere',
  ),
  idForm: word(
    'form of new identifiers; reused: the lowest number that no registration has; odd: with + / and =',
    ['text', 'number', 'reused', 'odd'],
    'text',
  ),
  createStatus: word(
    'status of a create; 201-200: 201 when created, 200 when updated; 200-201 the other way round',
    ['201-200', '200-201', '200', '201', '202', '204'],
    '201-200',
  ),
  createBody: word(
    'body of the answer to a create; echo: a record of what was sent, whatever was kept',
    ['record', 'wrapped', 'echo', 'empty', 'text'],
    'record',
  ),
  errorShape: word(
    'shape of an error',
    ['message', 'errors-map', 'errors-list', 'problem', 'html', 'empty', 'error-string'],
    'message',
  ),
  recognise: word(
    'what a create knows a registration by; email: in any persona, and its barcode becomes the one that is sent',
    ['barcode', 'barcode-any-case', 'email', 'email-in-persona', 'barcode-or-email'],
    'barcode',
  ),
  upsert: word(
    'a create of a registration that is already there; double: nothing is known again',
    ['update', 'double', 'refuse', 'ignore'],
    'update',
  ),
  fieldsOnUpdate: word(
    'fields that an update does not name: kept, or gone; by-persona: gone for exhibitors alone; by-field: phone, company and remarks alone',
    ['merge', 'replace', 'by-persona', 'by-field'],
    'merge',
  ),
  parentOnUpdate: word(
    'the parent that an update does not name: kept, or gone',
    ['merge', 'replace'],
    'merge',
  ),
  commsOnUpdate: word(
    'enable_comms that an update does not name: kept, or false again',
    ['merge', 'replace'],
    'merge',
  ),
  emptyParent: word(
    'a parent_barcode that is sent empty or null',
    ['refused', 'cleared', 'ignored'],
    'refused',
  ),
  parentDelete: word(
    'deleting a parent: its members keep naming it, lose it, go with it, or stand in the way (409)',
    ['kept', 'orphaned', 'cascade', 'refused'],
    'kept',
  ),
  ownBarcodes: word(
    'barcodes that the platform made: kept, or made anew at each update',
    ['kept', 'reissued'],
    'kept',
  ),
  fieldsForm: word(
    'form in which fields are wanted; entries: an array of slug and value, anything else is refused, naming fields',
    ['object', 'entries', 'entries-400'],
    'object',
  ),
  storedAs: word(
    'how values are kept; tidied: e-mail in lower case, phone as + and digits, names without needless spaces, country in 2 capitals; capitals: last name and company; zero-time: a date gets 00:00:00',
    ['as-sent', 'tidied', 'capitals', 'zero-time'],
    'as-sent',
  ),
  misstored: word(
    'the field company: kept; dropped; cut to 3 characters when a registration is created, or always',
    ['nothing', 'dropped', 'once', 'always'],
    'nothing',
  ),
  uploads: word(
    'how links of uploads are listed; signed: with a signature that is new at each reading and refused when it is sent back; signed-taken: and kept when it is sent back',
    ['as-sent', 'signed', 'signed-taken'],
    'as-sent',
  ),
  choicesListed: word(
    'what a record shows of a chosen option: the value that is sent, or its label',
    ['values', 'labels'],
    'values',
  ),
  listTotal: word('whether a list says how many there are', ['shown', 'hidden'], 'shown'),
  listOrder: word('which registrations a list begins with', ['oldest', 'newest'], 'oldest'),
  readLagMs: number('how long lists go on showing what was before a change', 0, 600_000, 0),
  pageOverflow: word(
    'a page past the last; endless: the last one again, each time with other times of change',
    ['empty', 'repeat-last', 'repeat-first', 'endless', '404', '422'],
    'empty',
  ),
  perPageCap: number('most records a page, whatever per_page asks for', 1, 100, 100),
  valuesShape: word(
    'shape of the options of a choice field',
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
    'strings',
  ),
  labels: word('labels of fields and names of personas', ['text', 'languages'], 'text'),
  deleteStatus: word('status of a delete', ['200', '204'], '200'),
  deleteAgain: word('status of deleting what was deleted before', ['404', '204'], '404'),
  webhookList: word(
    'the list of webhooks; absent: there is no such path',
    ['shown', 'no-ids', 'absent'],
    'shown',
  ),
  webhookDelete: word(
    'deleting a webhook; ignored: it says that it did it; absent: there is no such path',
    ['done', 'ignored', 'absent'],
    'done',
  ),
  auth: word('401 refuses every token', ['ok', '401'], 'ok'),
  event: word(
    'the event; html and redirect answer every path with a login page',
    ['ok', '404', 'html', 'redirect', '500'],
    'ok',
  ),
  latencyMs: number('how long an answer waits once the work is done', 0, 600_000, 0),
  landMs: number(
    'how long after a POST came its work is done and its answer begins, also when nobody waits for that any more',
    0,
    600_000,
    0,
  ),
  requestIds: word(
    'x-request-id of answers: that of the request, one of the service, or none',
    ['echo', 'own', 'none'],
    'none',
  ),
};

type Definitions = typeof DEFINITIONS;

/** One setting of every switch. */
export type Switches = {
  [Name in keyof Definitions]: Definitions[Name] extends WordSwitch<infer Word> ? Word : number;
};

/** One line of the table of switches: what help prints. */
interface SwitchInfo {
  name: keyof Switches;
  meaning: string;
  /** The words it takes, or the range of whole numbers. */
  allowed: readonly string[] | { min: number; max: number };
  initial: string;
}

const entries = Object.entries(DEFINITIONS) as [keyof Switches, WordSwitch<string> | NumberSwitch][];

/** Every switch, in the order of help. */
export const SWITCHES: readonly SwitchInfo[] = entries.map(([name, definition]) => ({
  name,
  meaning: definition.meaning,
  allowed: 'words' in definition ? definition.words : definition.range,
  initial: String(definition.initial),
}));

/** What the sandbox does when nothing is set. */
export const DEFAULT_SWITCHES: Readonly<Switches> = Object.fromEntries(
  entries.map(([name, definition]) => [name, definition.initial]),
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
