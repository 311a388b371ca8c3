import type { ObservedPush } from './observe.ts';
import { tellsOfNotVerified } from './said.ts';
import { LABELS, type Slug } from './values.ts';
import { type Attribute, attributeOf } from './world.ts';

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

/** A field of which nobody is shown to have anything, once it was told that nothing of what was sent can be seen. */
export function isToldUnseen(attribute: Attribute, { said, before, after, switches }: ObservedPush): boolean {
  const isShown = [...before.values(), ...after.values()].some(
    (one) => (attributeOf(one, attribute) ?? '') !== '',
  );
  const isTold = new RegExp(`not shown by the service: .*\\b${attribute} `).test(said.text);
  return switches.upsert === 'ignore' && !isShown && isTold && tellsOfNotVerified(said);
}
