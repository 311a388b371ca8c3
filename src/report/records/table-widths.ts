/** A column is not made narrower than this: columns for which there is no room are dropped instead. */
const MIN_WIDTH = 14;

/**
 * Widths of the columns that fit into `width`, from the left; columns missing at the end have no room.
 * The widest columns shrink first. The first column is always kept, however narrow the terminal is.
 */
export function fitColumns(natural: readonly number[], width: number, gap: number): number[] {
  const wanted = natural.map((column) => Math.max(1, column));
  const count = countThatFit(wanted, width, gap);
  const kept = wanted.slice(0, count);
  const room = Math.max(1, width - gap * (count - 1));
  return shrinkWidest(kept, room);
}

function countThatFit(wanted: readonly number[], width: number, gap: number): number {
  let used = -gap;
  for (const [index, column] of wanted.entries()) {
    used += gap + Math.min(MIN_WIDTH, column);
    if (used > width) return Math.max(1, index);
  }
  return wanted.length;
}

/** Caps all columns at one width, as large as the room allows, and shares out what is left over. */
function shrinkWidest(wanted: readonly number[], room: number): number[] {
  let cap = Math.min(room, Math.max(...wanted));
  while (cap > 1 && total(wanted, cap) > room) cap -= 1;
  let spare = room - total(wanted, cap);
  return wanted.map((column) => {
    const extra = column > cap && spare > 0 ? 1 : 0;
    spare -= extra;
    return Math.min(column, cap) + extra;
  });
}

function total(wanted: readonly number[], cap: number): number {
  return wanted.reduce((sum, column) => sum + Math.min(column, cap), 0);
}
