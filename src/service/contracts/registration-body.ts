import * as z from 'zod';
import type { Registration } from '../../registration/model/registration.ts';

export const registrationBodySchema = z.object({
  persona: z.string().min(1),
  fields: z.record(z.string(), z.unknown()),
  barcode: z.string().min(1).optional(),
  parent_barcode: z.string().min(1).optional(),
  enable_comms: z.boolean().optional(),
});
type RegistrationBody = z.infer<typeof registrationBodySchema>;

/** The body that is sent for a registration. Optional keys are left out, `enable_comms` unless true. */
export function registrationBody(registration: Registration): RegistrationBody {
  const { persona, fields, barcode, parentBarcode, enableComms } = registration;
  const body: RegistrationBody = { persona, fields: { ...fields } };
  if (barcode !== undefined) body.barcode = barcode;
  if (parentBarcode !== undefined) body.parent_barcode = parentBarcode;
  if (enableComms) body.enable_comms = true;
  return body;
}

/**
 * Header in which a clone tells by which key its people are masked, so that a list can be held against it wherever it
 * runs. No service has it.
 */
export const MASKED_BY_HEADER = 'eventreg-masked-by';

/** Header in which a sandbox tells that it is one: people who are made up are at home there. No service has it. */
export const SANDBOX_HEADER = 'eventreg-sandbox';
