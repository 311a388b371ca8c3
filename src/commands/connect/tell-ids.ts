import type { RawRecord } from '../../registration/model/registration.ts';
import type { Runtime } from '../../runtime.ts';
import { ID_KEYS } from '../../service/contracts/read-records.ts';
import { hasIntegerIds, noteIntegerIds } from '../../settings/known-events.ts';

/** Lets programs get ids as the service has them, by what was seen of it before. */
export function tellIdsOf({ document, paths }: Runtime, service: string): void {
  document.integerIds ||= hasIntegerIds(paths.state, service);
}

/** The same, and looks at what it lists from now on. */
export function watchIds(runtime: Runtime, service: string): (records: readonly RawRecord[]) => void {
  tellIdsOf(runtime, service);
  return (records) => {
    if (runtime.document.integerIds || !records.some(hasIntegerId)) return;
    runtime.document.integerIds = true;
    noteIntegerIds(runtime.paths.state, service);
  };
}

const hasIntegerId = ({ id, raw }: RawRecord): boolean =>
  ID_KEYS.some((key) => Number.isSafeInteger(raw[key]) && String(raw[key]) === id);
