import type { Registration, RegistrationRecord } from '../../src/registration/model/registration.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { SWITCHES, type Switches } from '../../src/sandbox/store/switches.ts';
import type { ServiceClient } from '../../src/service/client.ts';

export const noop = (): void => undefined;

export const visitor = (barcode: string | undefined, name = 'Ada'): Registration => ({
  persona: 'visitor',
  fields: { first_name: name },
  barcode,
  parentBarcode: undefined,
  enableComms: false,
});

/** Sends visitors with the barcodes B1, B2, … and gives these. */
export async function fill(client: ServiceClient, count: number, prefix = 'B'): Promise<string[]> {
  const barcodes = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
  for (const barcode of barcodes) await client.registrations.send(visitor(barcode), noop);
  return barcodes;
}

export const barcodesOf = (
  records: readonly Pick<RegistrationRecord, 'barcode'>[] = [],
): (string | undefined)[] => records.map((record) => record.barcode);

/** Lets a sandbox keep such visitors without a request for each, as if its staff had entered them. */
export function keepVisitors(sandbox: Sandbox, count: number, prefix = 'B'): string[] {
  const barcodes = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
  for (const barcode of barcodes) {
    const { persona, fields } = visitor(barcode);
    sandbox.put({
      id: `reg-${barcode}`,
      persona,
      barcode,
      barcodeGenerated: false,
      parentBarcode: undefined,
      enableComms: false,
      fields,
      createdAt: 0,
      updatedAt: 0,
    });
  }
  return barcodes;
}

/** Every word of a switch of the sandbox. */
export function words<Name extends keyof Switches>(name: Name): Switches[Name][] {
  const allowed = SWITCHES.find((one) => one.name === name)?.allowed;
  return (Array.isArray(allowed) ? allowed : []) as Switches[Name][];
}

export const everyPair = <A, B>(first: A[], second: B[]): [A, B][] =>
  first.flatMap((a) => second.map((b): [A, B] => [a, b]));
