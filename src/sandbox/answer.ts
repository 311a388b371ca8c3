import type { Switches } from './store/switches.ts';
/** One answer before it is put on the wire. An empty body is sent as none. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

/** An answer with a web page. The title and text are escaped. */
export function pageAnswer(status: number, title: string, text: string): Answer {
  const body =
    `<!doctype html>\n<html><head><title>${escapeHtml(title)}</title></head>` +
    `<body><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></body></html>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

export function emptyAnswer(status: number): Answer {
  return { status, headers: {}, body: '' };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** One thing that is wrong with a request. The message never repeats the value. */
export interface FieldError {
  field: string;
  message: string;
}

/** A request that is not done: why, and what is wrong field by field. */
interface Refusal {
  status: number;
  message: string;
  errors: readonly FieldError[] | undefined;
}

/** A refusal in the shape that the switch asks for. */
export function refuse(
  { errorShape }: Pick<Switches, 'errorShape'>,
  status: number,
  message: string,
  errors?: readonly FieldError[],
): Answer {
  return SHAPES[errorShape]({ status, message, errors });
}

const SHAPES: Readonly<Record<Switches['errorShape'], (refusal: Refusal) => Answer>> = {
  message: (refusal) => jsonAnswer(refusal.status, { message: sentence(refusal) }),
  'errors-map': ({ status, message, errors = [] }) =>
    jsonAnswer(status, { message, errors: groupByField(errors) }),
  'errors-list': ({ status, message, errors = [] }) => jsonAnswer(status, { message, errors }),
  problem: problemAnswer,
  html: (refusal) => pageAnswer(refusal.status, refusal.message, sentence(refusal)),
  empty: ({ status }) => emptyAnswer(status),
  'error-string': (refusal) => jsonAnswer(refusal.status, { error: sentence(refusal) }),
};

/** RFC 9457. */
function problemAnswer({ status, message, errors = [] }: Refusal): Answer {
  const problem = {
    type: 'about:blank',
    title: message,
    status,
    ...(errors.length === 0
      ? {}
      : { errors: errors.map((error) => ({ pointer: error.field, detail: error.message })) }),
  };
  return jsonAnswer(status, problem, { 'content-type': 'application/problem+json' });
}

function sentence({ message, errors = [] }: Refusal): string {
  return [message, ...errors.map((error) => `${error.field}: ${error.message}`)].join(' ');
}

function groupByField(errors: readonly FieldError[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { field, message } of errors) groups.set(field, [...(groups.get(field) ?? []), message]);
  return Object.fromEntries(groups);
}
