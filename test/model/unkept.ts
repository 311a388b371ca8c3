import type { ObservedPush } from './observe.ts';
import { LABELS, type Slug } from './values.ts';

/** Fields that the service does not keep as they are sent. */
export function unkeptFields({ habits: { shifts, computes } }: Pick<ObservedPush, 'habits'>): Slug[] {
  const found: Slug[] = shifts === undefined ? ['company'] : ['company', shifts];
  return computes === true ? [...found, 'remarks'] : found;
}

/** Whether it is said once for all that the service has its own way with the field, or no room for it. */
export function isToldOfField(slug: Slug, { said, switches }: ObservedPush): boolean {
  const isNamed = new RegExp(`${slug}|${LABELS[slug]}`, 'i').test(said.text);
  if (slug === 'company') return switches.misstored === 'dropped' && isNamed;
  return isNamed && (said.code !== 0 || /own way/.test(said.text));
}
