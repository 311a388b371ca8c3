/** A command that GitHub's runner has found in the output of a step. */
interface WorkflowCommand {
  name: string;
  properties: Record<string, string>;
  message: string;
}

const KNOWN = ['error', 'warning', 'notice', 'debug', 'group', 'endgroup', 'add-mask', 'add-matcher', 'echo'];
const ALL = new Set([
  ...KNOWN,
  'remove-matcher',
  'stop-commands',
  'set-output',
  'save-state',
  'set-env',
  'add-path',
]);

/**
 * What the runner makes of an output, by the rules of its reader: each line by itself, in the newer form or else the
 * older; between `::stop-commands::word` and `::word::` nothing.
 */
export function readWorkflowCommands(output: string): WorkflowCommand[] {
  let stoppedBy: string | undefined;
  return output.split(/\r\n|\r|\n/).flatMap((line) => {
    if (stoppedBy !== undefined) {
      if (line.trimStart().startsWith(`::${stoppedBy}::`)) stoppedBy = undefined;
      return [];
    }
    const found = readNewer(line.trimStart()) ?? readOlder(line);
    if (found?.name === 'stop-commands') stoppedBy = found.message;
    return found === undefined || found.name === 'stop-commands' ? [] : [found];
  });
}

/** `::error file=a,line=1::text`, at the beginning of a line only. */
function readNewer(line: string): WorkflowCommand | undefined {
  const end = line.startsWith('::') ? line.indexOf('::', 2) : -1;
  if (end < 0) return undefined;
  const found = split(line.slice(2, end), ',', (value) => unescape(value, NEWER_PROPERTY));
  return found && { ...found, message: unescape(line.slice(end + 2), MESSAGE) };
}

/** `##[error file=a;line=1]text`, wherever it stands. */
function readOlder(line: string): WorkflowCommand | undefined {
  const start = line.indexOf('##[');
  const end = start < 0 ? -1 : line.indexOf(']', start);
  if (end < 0) return undefined;
  const found = split(line.slice(start + 3, end), ';', (value) => unescape(value, OLDER));
  return found && { ...found, message: unescape(line.slice(end + 1), OLDER) };
}

function split(
  head: string,
  between: string,
  read: (value: string) => string,
): Omit<WorkflowCommand, 'message'> | undefined {
  const [name = '', ...rest] = head.split(' ');
  if (!ALL.has(name)) return undefined;
  const pairs = rest
    .join(' ')
    .trim()
    .split(between)
    .map((pair) => /^([^=]+)=(.+)$/su.exec(pair))
    .filter((pair) => pair !== null);
  return {
    name,
    properties: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, read(value)])),
  };
}

const MESSAGE = ['%0D\r', '%0A\n', '%25%'];
const NEWER_PROPERTY = ['%0D\r', '%0A\n', '%3A:', '%2C,', '%25%'];
const OLDER = ['%3B;', '%0D\r', '%0A\n', '%5D]', '%25%'];

/** One after the other, as the runner does. */
const unescape = (text: string, escapes: readonly string[]): string =>
  escapes.reduce((all, escape) => all.replaceAll(escape.slice(0, 3), escape.slice(3)), text);
