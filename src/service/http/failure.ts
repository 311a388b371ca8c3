import { AuthorisationError, EventregError, ServiceError } from '../../errors.ts';
import { hideContacts } from '../../registration/rules/contacts.ts';
import { readDenial } from '../contracts/read-create-answer.ts';
import { readError } from '../contracts/read-error.ts';
import type { HttpResponse, TransportError } from './http.ts';
import { isTooDeep, readJson, TOO_DEEP } from '../contracts/json.ts';
import { isPage } from './outcome.ts';
import { mendOf } from './trouble.ts';

/** What was asked of the service. */
export interface Attempted {
  /** Completes "Could not …". */
  doing: string;
  url: URL;
  /** Where the address comes from; `base_url` unless given. */
  setting?: AddressSetting;
  /** What to set where the service does it in another way, as the end of a sentence. */
  remedy?: string;
}

type AddressSetting = 'base_url' | 'integ_url';

/** The error for a request that got no complete answer; when it was broken off, the reason for that. */
export function silenceError(error: TransportError, { doing, url }: Attempted): EventregError {
  if (error.code === 'ABORTED' && error.cause instanceof EventregError) return error.cause;
  const hint =
    mendOf(error.code) ??
    '`eventreg doctor` shows which address that is, where it comes from, and what is wrong on the way to it.';
  return new ServiceError(`Could not ${doing}: ${url.origin}: ${error.message}.`, { hint, cause: error });
}

/** The error for an answer that is not the one hoped for. */
export function answerError(response: HttpResponse, attempted: Attempted): EventregError {
  const { status } = response;
  const { doing } = attempted;
  const { message, details } = whatItSays(response);
  if (status === 403 && isPage(response)) {
    return new ServiceError(`Could not ${doing}: ${attempted.url.host} answered 403 with ${message}.`, {
      hint: 'Something before the service asks for a browser, whatever the token: ask its operator to let programs from here through, or try from another network.',
      cause: response,
    });
  }
  if (status === 401 || status === 403) {
    const what = status === 401 ? 'did not accept the token' : 'does not let this token do that';
    const hint =
      status === 401
        ? 'Log in again with `eventreg login`, or set EVENTREG_TOKEN.'
        : 'Ask whoever runs the event what the token may do; `eventreg login` takes another one.';
    return new AuthorisationError(`Could not ${doing}: the service ${what} (${status}: ${message}).`, {
      hint,
    });
  }
  if (status >= 300 && status < 400) return redirectError(response, attempted);
  const hint = hintFor(response, attempted);
  return new ServiceError(`Could not ${doing}: the service answered ${status}: ${message}`, {
    details,
    ...(hint === undefined ? {} : { hint }),
    cause: response,
  });
}

/** The service may quote people, whom nobody has asked to see. */
function whatItSays({ status, body }: Pick<HttpResponse, 'status' | 'body'>): {
  message: string;
  details: string[];
} {
  const { message, details } = readError(status, body);
  return { message: hideContacts(message), details: details.map((detail) => hideContacts(detail)) };
}

/** The status of the answer that an error is about; undefined where there was none, or it is about something else. */
export function answeredStatus(error: unknown): number | undefined {
  const cause = error instanceof EventregError ? error.cause : undefined;
  const status = (cause as Partial<HttpResponse> | undefined)?.status;
  return typeof status === 'number' ? status : undefined;
}

/** What a service answers that does not offer what was asked for, or does not take the question. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 404, 405, 410, 422, 501]);

/**
 * Whether a service does not tell what was asked for, however often: not offered, or in no form that can be read or
 * believed. What has another cause, such as silence or a list that moves, may be otherwise the next time.
 */
export function isNotOffered(error: unknown): error is EventregError {
  if (!(error instanceof EventregError) || error.code !== 'service') return false;
  const status = answeredStatus(error);
  return status === undefined ? error.cause === undefined : NOT_OFFERED.has(status);
}

/** What reading comes to; `otherwise` where the service does not offer it. Throws what else it throws. */
export async function offeredOr<Result>(reading: Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    return otherwise;
  }
}

/** The error for a 2xx answer whose body is not what the interface describes. */
export function shapeError(
  response: HttpResponse,
  attempted: Attempted,
  problems: readonly string[] = [],
): ServiceError {
  const { doing, url } = attempted;
  const { what, hint } = describeBody(response, attempted);
  return new ServiceError(
    `Could not ${doing}: ${url.origin}${url.pathname} answered ${response.status} with ${what}.`,
    { details: problems, hint },
  );
}

function describeBody({ status, body }: HttpResponse, attempted: Attempted): { what: string; hint: string } {
  if (isTooDeep(body)) return { what: TOO_DEEP, hint: 'The fault is on the side of the service.' };
  const isPage = body.trimStart().startsWith('<');
  const what = isPage ? whatItSays({ status, body }).message : 'something else';
  return {
    what:
      readJson(body) === undefined ? `${what} where JSON was expected` : 'JSON of another form than expected',
    hint: isPage
      ? `This looks like a web site, not the service: ${checkSetting(attempted)}`
      : `Run again with --verbose, and ${checkSetting(attempted)}`,
  };
}

/** The error for a 2xx answer that is none: a web page, broken JSON, or a body that speaks of failure; else undefined. */
export function falseSuccess(response: HttpResponse, attempted: Attempted): ServiceError | undefined {
  const body = response.body.trim();
  if (body.startsWith('<')) return shapeError(response, attempted);
  const json = readJson(body);
  // Where no body is needed, any text that is no JSON will do.
  if (json === undefined && /^[{["]/.test(body)) return shapeError(response, attempted);
  const denial = readDenial(json);
  if (denial === undefined) return undefined;
  return new ServiceError(
    `Could not ${attempted.doing}: the service answered ${response.status}, but says: ${hideContacts(denial)}`,
  );
}

const LOCATION_MAX = 200;

function redirectError(
  response: HttpResponse,
  { doing, url, setting = 'base_url' }: Attempted,
): ServiceError {
  const { location = 'an unnamed place' } = response.headers;
  const target = location.length > LOCATION_MAX ? `${location.slice(0, LOCATION_MAX - 1)}…` : location;
  return new ServiceError(
    `Could not ${doing}: ${url.origin}${url.pathname} redirects to ${target} (${response.status}).`,
    { hint: `Redirects are never followed. If that is where the service lives, put it into ${setting}.` },
  );
}

/** Where the interface shows no path, ours is a guess. */
const checkSetting = ({ setting = 'base_url', remedy }: Attempted): string => {
  const check = `check ${setting}, which \`eventreg doctor\` shows`;
  return remedy === undefined ? `${check}.` : `${check}, or ${remedy}`;
};

function hintFor({ status, headers }: HttpResponse, attempted: Attempted): string | undefined {
  if (status === 404) return `Nothing is found at ${attempted.url.pathname}: ${checkSetting(attempted)}`;
  if (status === 405 || status === 410) {
    const [allowed] = /^[A-Z, ]{3,60}$/.exec(headers['allow'] ?? '') ?? [];
    const but = allowed === undefined ? '' : `, but ${allowed}`;
    return `The address exists but does not offer this${but}: ${checkSetting(attempted)}`;
  }
  if (attempted.remedy !== undefined && (status === 400 || status === 422)) {
    return `If the service wants to be asked in another way, ${attempted.remedy}`;
  }
  return status >= 500 ? 'The fault is on the side of the service; try again later.' : undefined;
}
