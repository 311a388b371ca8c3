import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { isNamedOtherwise } from '../../sync/decide/near.ts';
import type { ComparedRow } from '../../sync/journal/run-rows.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';

/**
 * The registration whose id the service has told for a row, where it has another name: a service that takes people
 * for one may have changed it for somebody else since. Once it was seen to be as sent, a new name is a new name.
 */
export function givenToAnother(
  { registration, remoteId, unseenSince, isOverwritten }: ComparedRow,
  { listed, idsShown }: ListReading,
  fields: FieldsOf,
): RegistrationRecord | undefined {
  const isUnseen = unseenSince !== undefined || isOverwritten;
  if (remoteId === undefined || !isUnseen || !idsShown) return undefined;
  const [record, second] = listed.byId(remoteId);
  if (record === undefined || second !== undefined) return undefined;
  return isNamedOtherwise(registration, record, fields) ? record : undefined;
}

/** Why such a row is not sent, as a clause. */
export const anotherNow = ({ id }: RegistrationRecord): string =>
  `the service gave it registration ${id}, which has another name now: it is not sent over that one; if they are one person, give the row its barcode, else an e-mail address of its own`;
