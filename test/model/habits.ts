import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Shown, withFields, withRecords } from '../support/bodies.ts';
import type { Fault, FaultyService } from '../support/faulty-service.ts';
import { readBody } from './read-body.ts';
import type { Slug } from './values.ts';

/** What a service does that no switch of the sandbox does. */
export interface Habits {
  /** Whom no list has; `byBarcode`: unless it is asked for a barcode. */
  hides?: { who: 'exhibitors' | 'members'; byBarcode: boolean };
  /** What an update makes of a field that it is sent. */
  shifts?: keyof typeof SHIFTS;
  /** No registration is taken without it, on update neither. */
  requires?: Slug;
  /** The remarks of visitors are the service's own, made of the name. */
  computes?: boolean;
}

const SHIFTS = {
  birth_date: (value: string) =>
    value === '' ? '' : new Date(Date.parse(value.slice(0, 10)) - 86_400_000).toISOString().slice(0, 10),
  remarks: (value: string) => value.slice(0, 8),
  phone: (value: string) => value.replace(/^\+/, '00').replaceAll(' ', ''),
} as const;
export const SHIFTED = Object.keys(SHIFTS) as (keyof typeof SHIFTS)[];

/** Gives the service its habits. */
export function takeOn(service: FaultyService, habits: Habits, sandbox: Sandbox): void {
  const { hides, requires } = habits;
  service.fault = ({ method, path, body }) => {
    const sent =
      requires === undefined || !path.includes('/registration') ? undefined : readBody({ method, body });
    return requires === undefined || sent === undefined || sent.fields[requires]
      ? undefined
      : missing(requires);
  };
  service.sent = ({ body }) =>
    withFields(body, (fields, { barcode, persona }) => {
      const isUpdate = sandbox.registrations().some((one) => one.barcode === barcode);
      return ownWay(habits, fields, { isUpdate, hasRemarks: persona === 'visitor' });
    });
  service.shown = (body, { method, path }) => {
    if (hides === undefined || method !== 'GET' || (hides.byBarcode && path.includes('barcode=')))
      return body;
    return withRecords(body, (record) => (isHidden(record, hides.who) ? undefined : record));
  };
}

const missing = (slug: Slug): Fault => ({
  answer: {
    status: 422,
    body: JSON.stringify({
      message: 'The given data is invalid.',
      errors: { [`fields.${slug}`]: ['is required.'] },
    }),
  },
});

function isHidden(record: Shown, who: 'exhibitors' | 'members'): boolean {
  return who === 'exhibitors' ? record['persona'] === 'exhibitor' : Boolean(record['parent_barcode']);
}

function ownWay(
  { shifts, computes }: Habits,
  fields: Shown,
  { isUpdate, hasRemarks }: { isUpdate: boolean; hasRemarks: boolean },
): Shown {
  const own = { ...fields };
  const value = shifts === undefined ? undefined : own[shifts];
  if (shifts !== undefined && isUpdate && typeof value === 'string') own[shifts] = SHIFTS[shifts](value);
  if (computes === true && hasRemarks && 'first_name' in own)
    own['remarks'] = `Badge of ${String(own['first_name'])}`;
  return own;
}
