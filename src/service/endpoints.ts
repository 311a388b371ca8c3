import { ServiceError } from '../errors.ts';

/** Path templates, appended to base_url (webhooks: to integ_url). `{id}` stands for an identifier. */
export interface Endpoints {
  event: string;
  registrations: string;
  registration: string;
  webhooks: string;
  webhook: string;
}

/**
 * Ids that may stand in a path. `encodeURIComponent` is not enough: it leaves `..` alone, and a URL
 * then drops the segment before it.
 */
const SAFE_ID = /^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,200}$/;

/** Builds the address of an operation. Throws ServiceError on an id that could change the path. */
export function buildUrl(base: URL, template: string, id?: string): URL {
  if (id !== undefined && !SAFE_ID.test(id)) {
    throw new ServiceError(`The id ${JSON.stringify(id.slice(0, 60))} cannot be part of an address.`, {
      hint: 'Ids hold letters, digits, and _ - . : only.',
    });
  }
  const path = `${base.pathname.replace(/\/+$/, '')}/${template.replace(/^\/+/, '')}`;
  const url = new URL(base.origin + path.replaceAll('{id}', id ?? ''));
  // Without its id the address would be that of the whole collection.
  if (id !== undefined && !(template.includes('{id}') && url.pathname.split('/').includes(id))) {
    throw new ServiceError(`The id ${JSON.stringify(id)} has no place in the path ${template}.`, {
      hint: 'The path that the profile sets for this operation needs {id} as a part between slashes.',
    });
  }
  return url;
}
