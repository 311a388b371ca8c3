import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { FieldValue, SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import { readBody } from './read-body.ts';
import type { Edit } from './scenario.ts';
import { SLUGS } from './values.ts';

/** All registrations by id, oldest first. */
export type Snapshot = ReadonlyMap<string, SandboxRegistration>;

/** Everything of a registration that may change: fields by their slug, and what stands beside them. */
export type Attribute = string;
export const BESIDE_FIELDS = ['persona', 'barcode', 'parent_barcode', 'enable_comms'] as const;

export function snapshotOf(sandbox: Sandbox): Map<string, SandboxRegistration> {
  return new Map(sandbox.registrations().map((registration) => [registration.id, registration]));
}

export function attributeOf(registration: SandboxRegistration, attribute: Attribute): FieldValue | undefined {
  switch (attribute) {
    case 'persona':
      return registration.persona;
    case 'barcode':
      return registration.barcode;
    case 'parent_barcode':
      return registration.parentBarcode;
    case 'enable_comms':
      return registration.enableComms ? 'true' : '';
    default:
      return registration.fields[attribute];
  }
}

const ATTRIBUTES: readonly Attribute[] = [...BESIDE_FIELDS, ...SLUGS];

/** One value that is not what it was, exactly. */
export interface Change {
  id: string;
  barcode: string;
  attribute: Attribute;
  before: FieldValue | undefined;
  after: FieldValue | undefined;
}

export function changesOf(one: SandboxRegistration, other: SandboxRegistration): Change[] {
  return ATTRIBUTES.flatMap((attribute) => {
    const [before, after] = [attributeOf(one, attribute), attributeOf(other, attribute)];
    if (String(before ?? '') === String(after ?? '')) return [];
    return [{ id: one.id, barcode: one.barcode, attribute, before, after }];
  });
}

/** What is in both, and not the same. */
export function changesBetween(before: Snapshot, after: Snapshot): Change[] {
  return [...before.values()].flatMap((one) => {
    const other = after.get(one.id);
    return other === undefined ? [] : changesOf(one, other);
  });
}

/** Registrations of the first that the second does not have. */
export function missingIn(after: Snapshot, before: Snapshot): SandboxRegistration[] {
  return [...before.values()].filter(({ id }) => !after.has(id));
}

/** What somebody else did: one value of one registration, or all of it. */
export interface Foreign {
  id: string;
  /** Undefined: the registration was deleted. */
  change: Change | undefined;
  /** How many requests the service had answered before. */
  after: number;
  atMs: number;
}

/** Carries out an edit. Empty when it changes nothing. */
export function applyEdit(sandbox: Sandbox, edit: Edit, atMs: number): Foreign[] {
  const all = sandbox.registrations();
  const one = all[edit.nth % Math.max(1, all.length)];
  if (one === undefined) return [];
  const after = sandbox.requests().length;
  if (edit.kind === 'delete') {
    const before = snapshotOf(sandbox);
    sandbox.remove(one.id);
    const left = snapshotOf(sandbox);
    return [
      ...missingIn(left, before).map(({ id }) => ({ id, change: undefined, after, atMs })),
      ...changesBetween(before, left).map((change) => ({ id: change.id, change, after, atMs })),
    ];
  }
  const changed = editedBy(one, edit);
  if (changed.id !== one.id) sandbox.remove(one.id);
  sandbox.put(changed);
  if (changed.id !== one.id) return [{ id: one.id, change: undefined, after, atMs }];
  return changesOf(one, changed).map((change) => ({ id: one.id, change, after, atMs }));
}

function editedBy(one: SandboxRegistration, edit: Exclude<Edit, { kind: 'delete' }>): SandboxRegistration {
  if (edit.kind === 'parent') return { ...one, parentBarcode: undefined };
  if (edit.kind === 'comms') return { ...one, enableComms: edit.comms };
  if (edit.kind === 'reissue') return { ...one, barcode: edit.barcode, barcodeGenerated: false };
  if (edit.kind === 'substitute') {
    const { first, last, email, anew } = edit;
    const fields = { ...(anew ? {} : one.fields), first_name: first, last_name: last, email };
    return { ...one, id: anew ? `${one.id}${first}` : one.id, fields };
  }
  return { ...one, fields: { ...one.fields, [edit.slug]: edit.value } };
}

/** What would be there had only the others acted. */
export function withForeign(before: Snapshot, foreign: readonly Foreign[]): Map<string, SandboxRegistration> {
  const world = new Map(before);
  for (const { id, change } of foreign) {
    const one = world.get(id);
    if (change === undefined) world.delete(id);
    else if (one !== undefined) world.set(id, withChange(one, change));
  }
  return world;
}

/** A registration as it would be had nobody else acted. */
export function withoutForeign(one: SandboxRegistration, foreign: readonly Foreign[]): SandboxRegistration {
  return foreign.toReversed().reduce((found, { id, change }) => {
    if (id !== one.id || change === undefined) return found;
    return withChange(found, { ...change, after: change.before });
  }, one);
}

function withChange(one: SandboxRegistration, { attribute, after }: Change): SandboxRegistration {
  if (attribute === 'parent_barcode') return { ...one, parentBarcode: after as string | undefined };
  if (attribute === 'enable_comms') return { ...one, enableComms: after === 'true' };
  if (attribute === 'barcode') return { ...one, barcode: String(after) };
  return { ...one, fields: { ...one.fields, [attribute]: after ?? '' } };
}

/** The edit, of the registration that was created or updated last. */
export function onLastSent(edit: Edit, sandbox: Sandbox): Edit {
  const all = sandbox.registrations();
  const sent = readBody(sandbox.requests().findLast(({ method }) => method === 'POST') ?? { method: 'GET' });
  const newest = Math.max(...all.map(({ updatedAt }) => updatedAt));
  const at = all.findIndex(({ barcode, updatedAt }) =>
    sent?.barcode === undefined ? updatedAt === newest : barcode === sent.barcode,
  );
  return { ...edit, nth: Math.max(0, at) };
}
