import type { SpaceCopy } from './copy.ts';
import { damagedChange, setBack } from './space-errors.ts';
import type { Head, Position } from './space-types.ts';
import { MOST_CHANGES, type Way } from './turn.ts';

/**
 * Brings a copy up to where the space stands. What it has not shipped stays where the space stands right before it, and
 * else gives way. Throws a SharedStateError where the copy knows what the space does not.
 */
export async function catchUp(way: Way, copy: SpaceCopy, head: Head): Promise<void> {
  const { space } = way;
  const { shipped, position } = copy;
  if (head.number === shipped.number && head.tag.equals(shipped.tag)) return;
  if ((await space.cameBy(shipped, head)) === false) throw setBack(space.name);
  if (position.number > shipped.number) await settleUnshipped(way, copy, head);
  if (copy.position.number < head.base) await loadSnapshot(way, copy, head);
  while (copy.shipped.number < head.number) {
    const changes = await space.changesAfter(copy.position.number, MOST_CHANGES);
    if (changes.length === 0) throw damagedChange(space.name, copy.position.number + 1);
    copy.apply(changes);
  }
}

/** What a copy has not shipped may be there all the same, as an answer was lost; or the space goes another way. */
async function settleUnshipped({ space, options }: Way, copy: SpaceCopy, head: Head): Promise<void> {
  const { shipped, position } = copy;
  const number = Math.min(position.number, head.number);
  const tag = copy.tagAt(number);
  if (tag !== undefined && (await space.cameBy({ number, tag }, head)))
    return copy.noteShipped({ number, tag });
  options.tell(
    `${position.number - shipped.number} changes that this machine had not told the others give way to what they have written since; what was under way is looked for.`,
  );
  await copy.load(space.start);
}

async function loadSnapshot({ space }: Way, copy: SpaceCopy, head: Head): Promise<void> {
  const at: Position = { number: head.base, tag: head.baseTag };
  await copy.load(at, async (draft) => {
    for (let part = 0, more: boolean | undefined = true; more; part += 1) {
      const sealed = await space.part(at.number, part);
      more = sealed && copy.addPart(draft, at, part, sealed);
      if (more === undefined) throw damagedChange(space.name, at.number);
    }
  });
}
