import type { Clock } from '../pacing/clock.ts';
import type { Registration } from '../registration/registration.ts';
import { type Caller, isSuccess } from './caller.ts';
import { buildUrl, type Endpoints } from './endpoints.ts';
import { answerError, falseSuccess, silenceError } from './failure.ts';
import { createBarcodeFinder, type FindByBarcode } from './find-by-barcode.ts';
import { TransportError } from './http.ts';
import { createRegistrationList, type RegistrationList } from './list-registrations.ts';
import type { OutcomePolicy } from './outcome.ts';
import { type SendOutcome, sendRegistration } from './send-registration.ts';

export { BarcodesHiddenError } from './find-by-barcode.ts';
export type { ListedPage, ListFilter } from './list-registrations.ts';
export { PER_PAGE_MAX } from './page-walk.ts';
export type { SendOutcome } from './send-registration.ts';

export interface RegistrationsClient extends RegistrationList {
  /** Creates or updates. `onSending` runs right before the request may leave this machine. */
  send(registration: Registration, onSending: () => void): Promise<SendOutcome>;
  /** The registrations with exactly these barcodes, whatever the service makes of the filter. */
  findByBarcode: FindByBarcode;
  /** Deletes one; `absent` when there was none with this id. */
  remove(id: string): Promise<'deleted' | 'absent'>;
}

export interface RegistrationsOptions {
  call: Caller;
  baseUrl: URL;
  endpoints: Endpoints;
  policy: OutcomePolicy;
  clock: Clock;
  signal: AbortSignal;
}

/** The operations on /registration in the words of the domain. */
export function createRegistrationsClient(options: RegistrationsOptions): RegistrationsClient {
  const { call, baseUrl, endpoints, policy } = options;
  const url = buildUrl(baseUrl, endpoints.registrations);
  const list = createRegistrationList(call, url);
  return {
    ...list,
    send: (registration, onSending) => sendRegistration({ call, url, policy }, registration, onSending),
    findByBarcode: createBarcodeFinder(list),
    remove: (id) => removeRegistration(options, id),
  };
}

const DELETE_ATTEMPTS = 3;

/** A DELETE may be sent again; a 404 after one of ours went unanswered means that it worked. */
async function removeRegistration(
  { call, baseUrl, endpoints, clock, signal }: RegistrationsOptions,
  id: string,
): Promise<'deleted' | 'absent'> {
  const url = buildUrl(baseUrl, endpoints.registration, id);
  const doing = `delete registration ${id}`;
  for (let attempt = 1, doubt = false; ; attempt += 1) {
    const last = attempt === DELETE_ATTEMPTS;
    try {
      const response = await call('DELETE', url);
      if (response.status === 404 || response.status === 410) return doubt ? 'deleted' : 'absent';
      if (isSuccess(response)) {
        const failure = falseSuccess(response, doing, url);
        if (failure === undefined) return 'deleted';
        throw failure;
      }
      if (response.status < 500 || last) throw answerError(response, doing, url);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (!error.sent || error.code === 'ABORTED' || last) throw silenceError(error, doing, url);
    }
    doubt = true;
    await clock.sleep(1000 * attempt, signal);
  }
}
