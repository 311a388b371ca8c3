import type { Registration } from '../registration/model/registration.ts';
import type { OnSending } from './http/http.ts';
import { buildUrl, type Endpoints } from './endpoints.ts';
import { type FieldsShape, type SendOutcome, sendRegistration } from './send-registration.ts';
import { createBarcodeFinder, type FindByBarcode } from './list/find-by-barcode.ts';
import {
  createRegistrationList,
  type ListFilter,
  type RecordsWatch,
  type RegistrationList,
} from './list/list-registrations.ts';
import {
  readAllRegistrations,
  type ReadingEnd,
  type WholePage,
  type WholeReading,
} from './list/read-all-registrations.ts';
import { type Removal, removeRegistration, type RemoveOptions } from './remove-registration.ts';

export interface RegistrationsClient extends RegistrationList {
  /** Creates or updates. `onSending` runs right before each attempt may leave this machine, with its id. */
  send(registration: Registration, onSending: OnSending, shape?: FieldsShape): Promise<SendOutcome>;
  /** The registrations with exactly these barcodes, whatever the service makes of the filter. */
  findByBarcode: FindByBarcode;
  /**
   * Reads the whole list, again when it moved meanwhile: the caller forgets what it was given when a page
   * says `restart`. `moved`: it never stood still, so that registrations may be missing.
   */
  readAll(filter: ListFilter, onPage: (page: WholePage) => void, end?: ReadingEnd): Promise<WholeReading>;
  /** What deletes name a registration by, as the profile says; undefined: the id that it shows. */
  readonly registrationId: 'barcode' | undefined;
  /** Deletes one by the name that stands in the path. Throws RemovalError, which says whether it may be gone all the same. */
  remove(id: string, onSending?: OnSending): Promise<Removal>;
}

export interface RegistrationsOptions extends RemoveOptions {
  baseUrl: URL;
  endpoints: Endpoints;
  /** What deletes name a registration by; undefined: the id that it shows. */
  registrationId?: 'barcode' | undefined;
  /** Told of the records of each page, as they were listed. */
  onRecords?: RecordsWatch | undefined;
  /** The slug of the persona that a record names in whatever way. */
  personaOf?: ((shown: string) => string) | undefined;
}

/** The operations on /registration in the words of the domain. */
export function createRegistrationsClient(options: RegistrationsOptions): RegistrationsClient {
  const { call, baseUrl, endpoints, policy, onRecords, personaOf } = options;
  const url = buildUrl(baseUrl, endpoints.registrations);
  const list = createRegistrationList(call, url, { onRecords, personaOf });
  const strangers = { count: 0 };
  return {
    ...list,
    registrationId: options.registrationId,
    send: (registration, onSending, shape = 'object') =>
      sendRegistration({ call, url, policy, strangers, shape, onRecords }, registration, onSending),
    findByBarcode: createBarcodeFinder(list),
    readAll: (filter, onPage, end) => readAllRegistrations(list, filter, onPage, end),
    async remove(id, onSending) {
      return await removeRegistration(options, id, buildUrl(baseUrl, endpoints.registration, id), onSending);
    },
  };
}
