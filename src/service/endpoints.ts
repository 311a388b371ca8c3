import { GuardError, ServiceError } from '../errors.ts';

/** Path templates, appended to base_url (webhooks: to integ_url). `{id}` stands for an identifier. */
export interface Endpoints {
  event: string;
  registrations: string;
  registration: string;
  listWebhooks: string;
  createWebhook: string;
  updateWebhook: string;
  deleteWebhook: string;
}

/** Half of a character: there is no way to write it in an address. */
const HALF = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Whether an id can be one segment of a path. As `.` or `..` it would be left out, however it is written. */
export function canStandInPath(id: string): boolean {
  return id !== '' && id !== '.' && id !== '..' && !HALF.test(id);
}

/** Builds the address of an operation, its id as one encoded segment. Throws GuardError on an id that cannot be one. */
export function buildUrl(base: URL, template: string, id?: string): URL {
  if (id !== undefined && !canStandInPath(id)) {
    throw new GuardError(
      'unclear',
      `The id ${JSON.stringify(id.slice(0, 60))} cannot be part of an address.`,
      {
        hint: 'Such an address would mean something else: nothing was sent.',
      },
    );
  }
  const path = `${base.pathname.replace(/\/+$/, '')}/${template.replace(/^\/+/, '')}`;
  const segment = id === undefined ? '' : encodeURIComponent(id);
  const url = new URL(base.origin + path.replaceAll('{id}', () => segment));
  // Without its id the address would be that of the whole collection.
  if (id !== undefined && !(template.includes('{id}') && url.pathname.split('/').includes(segment))) {
    throw new ServiceError(
      `The id ${JSON.stringify(id.slice(0, 60))} has no place in the path ${template}.`,
      {
        hint: 'The path that the profile sets for this operation needs {id} as a part between slashes.',
      },
    );
  }
  return url;
}
