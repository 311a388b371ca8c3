/** Rooms of the core, the last first: each imports those below it only. */
const ROOMS = [
  'push',
  'undo',
  'plan',
  'prune',
  'delete',
  'tell',
  'prove',
  'perform',
  'match',
  'snapshot',
  'journal',
  'ingest',
].map((name) => `sync/${name}`);

/** What every room may use besides. */
const UNDER_ROOMS = [
  'codes',
  'documents',
  'sync/decide',
  'registration',
  'report',
  'service',
  'input',
  'pacing',
  'sqlite',
];

const REPORT = ['registration', 'documents', 'report/words', 'report/views'];

const FILE = ['registration', 'input/source', 'input/text'];

/** What is under every command. */
const UNDER_COMMANDS = [
  'registration',
  'documents',
  'report',
  'service',
  'input',
  'sync',
  'state',
  'pacing',
  'settings',
  'sqlite',
  'sandbox',
  'webhooks',
  'prompts',
  'commands/options',
  'commands/terminal',
  'commands/connect',
];

/**
 * The folders of src, and what the files of each may import besides those of their own folder: a folder with all that
 * is in it, or a file beside the folders.
 */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  documents: [],
  'registration/model': ['codes'],
  'registration/rules': ['registration/model'],
  'registration/changes': ['registration/model', 'registration/rules'],
  'registration/repairs': ['registration/model', 'registration/rules'],
  'registration/evidence': ['registration/model', 'registration/rules', 'registration/repairs'],
  'registration/reading': [
    'registration/model',
    'registration/rules',
    'registration/repairs',
    'registration/evidence',
  ],
  pacing: [],
  'pacing/shared': ['pacing', 'sqlite'],
  'service/contracts': ['registration'],
  'service/http': ['service/contracts', 'registration/rules/contacts', 'pacing', 'errors'],
  'service/list': ['registration', 'service/contracts', 'service/http', 'errors'],
  service: ['registration', 'service/contracts', 'service/http', 'service/list', 'pacing', 'errors'],
  'report/words': ['registration', 'documents'],
  'report/views': ['registration', 'report/words'],
  'report/xlsx': [...REPORT, 'errors'],
  'report/records': [...REPORT, 'report/xlsx', 'errors', 'put-in-place'],
  'report/rejects': ['report/records', ...REPORT, 'report/xlsx', 'errors'],
  'report/progress': [...REPORT, 'pacing'],
  'report/summary': [...REPORT, 'report/progress'],
  'report/plan': [...REPORT, 'report/records'],
  'report/story': [...REPORT, 'report/records', 'report/progress'],
  'report/ci': [...REPORT, 'report/records', 'report/progress', 'report/xlsx'],
  'report/html': [...REPORT, 'report/records', 'report/progress', 'report/story'],
  'input/source': ['registration', 'errors'],
  'input/text': ['registration', 'input/source', 'errors'],
  'input/csv': [...FILE, 'errors'],
  'input/json': [...FILE, 'codes', 'errors'],
  'input/columns': [...FILE, 'input/json', 'errors'],
  'input/table': [...FILE, 'input/columns', 'errors'],
  'input/workbook': [...FILE, 'errors'],
  'input/ods': ['registration', 'input/workbook', 'errors'],
  'input/xlsx': ['registration', 'input/workbook', 'errors'],
  input: [
    ...FILE,
    'input/csv',
    'input/json',
    'input/table',
    'input/workbook',
    'input/ods',
    'input/xlsx',
    'errors',
  ],
  prompts: ['report/words', 'errors', 'pacing'],
  'sync/decide': REPORT,
  ...Object.fromEntries(
    ROOMS.map((room, at): [string, string[]] => [
      room,
      [...ROOMS.slice(at + 1), ...UNDER_ROOMS, 'errors', 'make-directory', 'put-in-place'],
    ]),
  ),
  'sync/ingest': ['codes', 'registration', 'report', 'service', 'input', 'errors'],
  state: ['sync/journal', 'sqlite', 'settings/state-address', 'pacing/clock', 'errors', 'make-directory'],
  sqlite: ['registration/model', 'errors', 'make-directory', 'put-in-place'],
  settings: ['errors', 'make-directory', 'put-in-place'],
  'webhooks/signing': ['errors'],
  'webhooks/deliveries': ['service', 'settings', 'report/words', 'sqlite', 'errors', 'make-directory'],
  'webhooks/receive': ['webhooks/deliveries', 'settings', 'report/words', 'pacing', 'errors'],
  'webhooks/own': ['webhooks/deliveries', 'service', 'sqlite', 'pacing', 'errors'],
  'sandbox/store': ['service/contracts', 'sqlite', 'errors', 'make-directory'],
  'sandbox/deliver': ['sandbox/store', 'sqlite', 'webhooks/signing'],
  sandbox: ['sandbox/store', 'sandbox/deliver', 'service/contracts', 'registration/rules/countries'],
  'rehearsal/mask': ['registration'],
  'rehearsal/clone': [
    'rehearsal/mask',
    'registration',
    'service/contracts',
    'service/http',
    'sync/journal',
    'sync/decide',
    'pacing',
    'sandbox/store',
    'settings',
    'sqlite',
  ],
  'commands/options': ['registration', 'report', 'input', 'sync/decide', 'errors'],
  'commands/terminal': ['documents', 'report', 'input', 'commands/options', 'errors', 'runtime'],
  'commands/connect': [
    ...UNDER_COMMANDS,
    'rehearsal/mask',
    'errors',
    'make-directory',
    'put-in-place',
    'runtime',
  ],
  ...Object.fromEntries(
    ['profiles', 'push', 'list', 'delete', 'doctor', 'event', 'completion', 'state'].map((name) => [
      `commands/${name}`,
      [...UNDER_COMMANDS, 'errors', 'make-directory', 'runtime'],
    ]),
  ),
  'commands/runs': [...UNDER_COMMANDS, 'commands/doctor', 'errors', 'make-directory', 'runtime'],
  'commands/webhooks': [...UNDER_COMMANDS, 'commands/profiles', 'errors', 'runtime'],
  'commands/rehearse': [
    ...UNDER_COMMANDS,
    'rehearsal',
    'commands/push',
    'errors',
    'make-directory',
    'put-in-place',
    'runtime',
  ],
  commands: [...UNDER_COMMANDS, 'commands/rehearse', 'errors', 'runtime'],
};

/** The files beside the folders, and what each may import. */
export const BESIDE: Readonly<Record<string, readonly string[]>> = {
  codes: [],
  errors: ['codes'],
  'make-directory': [],
  'put-in-place': [],
  'system-paths': ['errors'],
  interrupts: ['errors'],
  runtime: ['system-paths', 'interrupts', 'prompts', 'pacing', 'report/records', 'errors'],
  program: ['commands', 'errors', 'runtime'],
  main: ['program', 'settings', 'report/records', 'report/words', 'report/ci', 'errors', 'runtime'],
  start: ['main', 'runtime'],
};

/** An import of one file of src by another; paths from src. */
export interface Import {
  from: string;
  to: string;
}

/** The imports that point to where the table lets them not. */
export function forbidden(imports: readonly Import[]): Import[] {
  return imports.filter(({ from, to }) => {
    const folder = folderOf(from);
    if (folderOf(to) === folder && folder !== '') return false;
    const may = folder === '' ? BESIDE[nameOf(from)] : ARROWS[folder];
    const target = nameOf(to);
    return !(may ?? []).some((one) => target === one || target.startsWith(`${one}/`));
  });
}

/** Imports and re-exports in the text of a file, also those of types and those at run time. */
export function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])(\.[^'"]+)\1/g);
  return [...found].map(([, , specifier = '']) => ({
    from: file,
    to: new URL(specifier, `file:///${file}`).pathname.slice(1),
  }));
}

export const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf('/')));

const nameOf = (file: string): string => file.replace(/\.ts$/, '');
