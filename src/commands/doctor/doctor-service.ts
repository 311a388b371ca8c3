import { type EventregError, EXIT } from '../../errors.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { formatDuration, plural } from '../../report/words/number.ts';
import { readEvent } from '../../service/contracts/read-event.ts';
import { hideContacts } from '../../registration/rules/contacts.ts';
import { readError } from '../../service/contracts/read-error.ts';
import type { ServiceClient } from '../../service/client.ts';
import { type HttpResponse, TransportError } from '../../service/http/http.ts';
import { isTooDeep, readJson } from '../../service/contracts/json.ts';
import { mendOf } from '../../service/http/trouble.ts';
import { typedCommand } from '../options/help.ts';
import type { Connection } from '../connect/connection.ts';
import type { Listed } from '../../webhooks/own/evidence.ts';
import { leftAt, webhookService } from '../../webhooks/own/find-own.ts';
import { checkBudget } from './doctor-budget.ts';
import { type Finding, type Findings, ok, problem, problemOf, skipped, warning } from './doctor-finding.ts';
import type { Call } from '../terminal/terminal.ts';

/** Names of these checks, for whoever has to skip them all. */
export const SERVICE_CHECKS = [
  'reachable',
  'answer',
  'event',
  'field types',
  'clock',
  'rate limit',
  'requests an hour',
  'webhooks',
  'persona filter',
] as const;

/** One answer to GET /event. */
type Probe = Awaited<ReturnType<ServiceClient['probe']>>;

const CLOCK_TOLERANCE_MS = 2 * 60_000;
const CHECK_ADDRESS = 'Check base_url: it stands here with where it comes from.';

/** Asks the service: for the event, then for webhooks and for one registration of a persona. */
export async function* checkService(
  connection: Pick<Connection, 'client' | 'settings' | 'service' | 'gate'>,
  call: Call,
): Findings {
  const { client, settings, gate } = connection;
  const { clock } = call.runtime;
  const { probe, finding } = await reach(client, settings.baseUrl);
  yield finding;
  const reading = probe === undefined ? undefined : readAnswer(probe.response);
  const event = reading?.event;
  yield reading?.finding ?? skipped('answer', 'there is none');
  yield* event === undefined
    ? [skipped('event', 'it was not read'), skipped('field types', 'the event was not read')]
    : [checkEvent(event), checkFieldTypes(event)];
  yield checkClock(probe?.response, clock.now());
  const isHeldBack = finding.exitCode === EXIT.gaveUp;
  yield* event === undefined && !isHeldBack
    ? [skipped('rate limit', 'the event was not read'), skipped('requests an hour', 'the event was not read')]
    : checkBudget(probe, gate.budget(), clock.now());
  if (isHeldBack) yield skipped('webhooks', 'the service takes no requests for now');
  else if (reading?.finding.exitCode === EXIT.unauthorised)
    yield skipped('webhooks', 'the token comes first');
  else yield await checkWebhooks(connection, call);
  yield event === undefined
    ? skipped('persona filter', 'the event was not read')
    : await checkPersonaFilter(client, event);
}

async function reach(
  client: ServiceClient,
  { origin }: URL,
): Promise<{ finding: Finding; probe: Probe | undefined }> {
  const check = 'reachable';
  try {
    const probe = await client.probe();
    return { finding: ok(check, `${origin} answered in ${probe.tookMs} ms`), probe };
  } catch (error) {
    if (!(error instanceof TransportError)) return { finding: problemOf(check, error), probe: undefined };
    const advice =
      mendOf(error.code) ?? `${CHECK_ADDRESS} If it is right: is the network up, and is a proxy needed?`;
    return { finding: problem(check, `${origin}: ${error.message}`, advice), probe: undefined };
  }
}

/** What the answer to GET /event says about address and token. */
function readAnswer(response: HttpResponse): { finding: Finding; event?: EventInfo } {
  const { status, body } = response;
  const message = hideContacts(readError(status, body).message);
  if (status < 200 || status > 299) return { finding: readRefusal(response, message) };
  const event = eventIn(body);
  if (event !== undefined) return { finding: ok('answer', `${status}, an event`), event };
  const isPage = body.trimStart().startsWith('<');
  const found = `${status}, but ${isPage || isTooDeep(body) ? message : 'no event as the interface describes it'}`;
  const advice = isPage ? `This looks like a web site, not the service. ${CHECK_ADDRESS}` : CHECK_ADDRESS;
  return { finding: problem('answer', found, advice, EXIT.usage) };
}

function eventIn(body: string): EventInfo | undefined {
  const read = readEvent(readJson(body));
  return 'event' in read ? read.event : undefined;
}

function readRefusal({ status, headers }: HttpResponse, message: string): Finding {
  const check = 'answer';
  const found = `${status}: ${message}`;
  if (status === 401 || status === 403) {
    const advice = 'Log in again with `eventreg login`, or set EVENTREG_TOKEN.';
    return problem(check, `the service does not accept the token (${found})`, advice, EXIT.unauthorised);
  }
  if (status >= 300 && status < 400) {
    return problem(
      check,
      `${status}, a redirect to ${headers['location'] ?? 'an unnamed place'}`,
      'Redirects are never followed. If that is where the service lives, put it into base_url.',
      EXIT.usage,
    );
  }
  if (status >= 500) {
    return problem(check, found, 'The fault is on the side of the service: try again later.');
  }
  const noEvent = 'There is no active event for this token, or base_url is wrong. ';
  return problem(check, found, `${status === 404 ? noEvent : ''}${CHECK_ADDRESS}`);
}

function checkEvent(event: EventInfo): Finding {
  const { name, slug, eventId, personas } = event;
  const title = `${name || slug || 'without a name'} (${eventId})`;
  if (personas.length > 0) return ok('event', `${title}, ${plural(personas.length, 'persona', 'personas')}`);
  return warning(
    'event',
    `${title}, no personas`,
    'Set up a persona first: nothing can be pushed without one.',
  );
}

function checkFieldTypes({ personas }: EventInfo): Finding {
  const check = 'field types';
  const fields = personas.flatMap((persona) =>
    persona.fields.map((field) => ({ ...field, name: `${persona.slug}.${field.slug}` })),
  );
  const unknown = fields.filter(({ known }) => !known);
  if (unknown.length === 0) return ok(check, `all of ${plural(fields.length, 'field', 'fields')} known`);
  return warning(
    check,
    `${unknown.length} of ${plural(fields.length, 'field', 'fields')} not known: ${unknown.map(({ name, type }) => `${name} (${type})`).join(', ')}`,
    'Nothing to mend: their values are sent unchecked, and the service checks them.',
  );
}

function checkClock(response: HttpResponse | undefined, nowMs: number): Finding {
  const check = 'clock';
  const theirs = Date.parse(response?.headers['date'] ?? '');
  if (Number.isNaN(theirs)) return skipped(check, 'the service did not tell its time');
  const difference = Math.abs(nowMs - theirs);
  if (difference <= CLOCK_TOLERANCE_MS) return ok(check, "within 2 min of the service's");
  const which = nowMs > theirs ? 'ahead of' : 'behind';
  return warning(
    check,
    `${formatDuration(difference)} ${which} the service's`,
    'Set the clock of this machine: certificates and waiting times depend on it.',
  );
}

async function checkWebhooks(
  { client, settings, service }: Pick<Connection, 'client' | 'settings' | 'service'>,
  { options, runtime: { paths, clock } }: Call,
): Promise<Finding> {
  const check = 'webhooks';
  if (settings.integUrl === undefined) return skipped(check, 'integ_url is not set');
  const leftBy = (list: Listed): string => {
    const left = leftAt(webhookService({ service, settings }), list, paths.state, clock.now());
    return left.length === 0 ? '' : `; left by an earlier listen: ${left.join(', ')}`;
  };
  const cleanup = typedCommand(['webhooks', 'listen', '--cleanup'], options);
  const advice = `Delete what is left with \`${cleanup}\`.`;
  try {
    const list = await client.webhooks.list();
    const found = plural(list.length, 'webhook', 'webhooks');
    const left = leftBy(list);
    return left === '' ? ok(check, found) : warning(check, `${found}${left}`, advice);
  } catch (error) {
    const finding = problemOf(check, error);
    const left = leftBy(error as EventregError);
    if (left === '') return finding;
    return {
      ...finding,
      found: `${finding.found}${left}`,
      advice: [finding.advice, advice].join(' ').trim(),
    };
  }
}

/**
 * Asks for one registration each of two personas: a service that ignores the filter gives the same one
 * twice, so one of the answers is wrong.
 */
async function checkPersonaFilter(
  { registrations }: ServiceClient,
  { personas }: EventInfo,
): Promise<Finding> {
  const check = 'persona filter';
  const asked = personas.slice(0, 2).map(({ slug }) => slug);
  const seen = { matching: 0, mismatched: 0, unverified: 0 };
  try {
    for (const persona of asked) {
      const page = await registrations.page({ persona }, 1, 1);
      seen.matching += page.records.length;
      seen.mismatched += page.mismatched;
      seen.unverified += page.unverified;
    }
  } catch (error) {
    return problemOf(check, error);
  }
  if (seen.mismatched > 0) {
    return warning(
      check,
      'the service ignores the persona filter: eventreg filters itself',
      'Nothing to mend: lists by persona only take longer.',
    );
  }
  if (seen.unverified > 0) return ok(check, 'not to be told: records do not show their persona');
  if (seen.matching > 0) return ok(check, 'works');
  return skipped(check, `no registrations of ${asked.join(' or ') || 'any persona'} to see it by`);
}
