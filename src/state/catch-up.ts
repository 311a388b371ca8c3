import type { SpaceCopy } from './copy.ts';
import { tagOf } from './seal.ts';
import type { Space } from './space.ts';
import { damagedChange, setBack } from './space-errors.ts';
import type { Head, Position } from './space-types.ts';
import { MOST_CHANGES } from './turn.ts';

/** Where a space begins. */
export const startOf = ({ mark }: Head): Position => ({ number: 0, tag: tagOf(mark) });

/**
 * Brings a copy up to where the space stands. What it has not shipped stays where the space stands right before it, and
 * else gives way. Throws a SharedStateError where the copy knows what the space does not.
 */
export async function catchUp(
  space: Space,
  copy: SpaceCopy,
  head: Head,
  tell: (text: string) => void,
): Promise<void> {
  const { shipped, position } = copy;
  if (head.number === shipped.number && head.tag.equals(shipped.tag)) return;
  if (head.number <= shipped.number) throw setBack(space.name);
  if (position.number > shipped.number && !(await haveArrived(space, copy, head))) {
    const count = position.number - shipped.number;
    tell(
      `${count} changes that this machine had not told the others give way to what they have written since; what was under way is looked for.`,
    );
    await copy.load(startOf(head));
  }
  if (copy.position.number < head.base) await loadSnapshot(space, copy, head);
  while (copy.shipped.number < head.number) {
    const changes = await space.changesAfter(copy.position.number, MOST_CHANGES);
    if (changes.length === 0) throw damagedChange(space.name, copy.position.number + 1);
    copy.apply(changes);
  }
}

/** Whether what a copy has not shipped is in the space all the same, or goes on from there: an answer was lost. */
async function haveArrived(space: Space, copy: SpaceCopy, head: Head): Promise<boolean> {
  for (;;) {
    const { number } = copy.shipped;
    if (number === copy.position.number || number === head.number) return true;
    const [theirs] = await space.changesAfter(number, 1);
    const [own] = copy.outbox(number, 1);
    if (theirs === undefined || own === undefined || !own.body.equals(theirs.body)) return false;
    copy.noteShipped({ number: own.number, tag: tagOf(own.body) });
  }
}

async function loadSnapshot(space: Space, copy: SpaceCopy, head: Head): Promise<void> {
  const at: Position = { number: head.base, tag: head.baseTag };
  await copy.load(at, async (draft) => {
    for (let part = 0, more: boolean | undefined = true; more; part += 1) {
      const sealed = await space.part(at.number, part);
      more = sealed && copy.addPart(draft, at, part, sealed);
      if (more === undefined) throw damagedChange(space.name, at.number);
    }
  });
}
