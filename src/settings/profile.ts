import * as z from 'zod';
import { UsageError } from '../errors.ts';

/** A letter or digit first: it can then be neither a flag, nor `..`, nor `__proto__`. */
const PROFILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Path segments of unreserved characters; `.` and `..` are excluded below. */
const PATH = /^(\/[A-Za-z0-9._~:{}-]+)+$/;

/** The name itself. Throws UsageError when it cannot be the name of a profile. */
export function checkProfileName(name: string): string {
  if (PROFILE_NAME.test(name)) return name;
  throw new UsageError('That is not a name for a profile.', {
    hint: 'Use letters, digits and - _ . (a letter or digit first, 64 characters at most).',
  });
}

const address = z.string().regex(/^[\x21-\x7e]+$/, 'must be a web address');

const path = z
  .string()
  .regex(PATH, 'must be a path such as /event')
  .refine(
    (text) => !text.split('/').some((part) => part === '.' || part === '..'),
    'must not contain . or ..',
  );
const plainPath = path.refine((text) => !/[{}]/.test(text), 'must not contain { or }');
const pathOfOne = path.refine(
  (text) => /^[^{}]*\{id\}[^{}]*$/.test(text),
  'must contain {id} once, as in /registration/{id}',
);

/** Where a service is and how it behaves. Its token is kept apart. Unknown keys are errors: they are misspelt ones. */
export const profileSchema = z.strictObject({
  baseUrl: address.exactOptional(),
  integUrl: address.exactOptional(),
  /** Time for one request, in seconds. */
  timeout: z.number().positive().max(3600).exactOptional(),
  /** How long to wait before an uncertain row is looked up, in seconds. */
  settleSeconds: z.number().nonnegative().max(86_400).exactOptional(),
  /** The service's 503 with Retry-After means refused, not processed. */
  refuses503: z.boolean().exactOptional(),
  /** What a delete names a registration by; the id that it shows unless given. */
  registrationId: z.literal('barcode').exactOptional(),
  /** How the service wants `fields`: keyed by slug, or as a list of slug and value. Found out unless it is set. */
  fields: z.enum(['object', 'entries']).exactOptional(),
  /** Paths that differ from the documented ones, `{id}` inside where there is an id. */
  endpoints: z
    .strictObject({
      event: plainPath.exactOptional(),
      registrations: plainPath.exactOptional(),
      registration: pathOfOne.exactOptional(),
      listWebhooks: plainPath.exactOptional(),
      createWebhook: plainPath.exactOptional(),
      updateWebhook: pathOfOne.exactOptional(),
      deleteWebhook: pathOfOne.exactOptional(),
    })
    .exactOptional(),
});
export type Profile = z.infer<typeof profileSchema>;
export type EndpointName = keyof NonNullable<Profile['endpoints']>;

/** The whole of profiles.json. */
export const profileBookSchema = z.strictObject({
  current: z.string().regex(PROFILE_NAME).exactOptional(),
  profiles: z.record(z.string().regex(PROFILE_NAME, 'is not a name for a profile'), profileSchema),
});
export type ProfileBook = z.infer<typeof profileBookSchema>;
