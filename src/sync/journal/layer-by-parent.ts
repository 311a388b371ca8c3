import type { Journal } from './journal.ts';
import type { RowOp } from './run.ts';

/**
 * Works out how deep below its parents each row of a run lies, among those of one kind: members are deleted
 * before their parents, and sent after them.
 */
export function layerByParent(journal: Journal, run: string, op: RowOp): void {
  journal.indexDepths();
  journal.run(
    `UPDATE row SET depth = CASE WHEN parent_barcode IN
         (SELECT barcode FROM row WHERE run = $run AND op = $op AND barcode IS NOT NULL) THEN NULL ELSE 0 END
     WHERE run = $run AND op = $op`,
    { run, op },
  );
  for (let depth = 0; ; depth += 1) {
    const placed = journal.run(
      `UPDATE row SET depth = $next WHERE run = $run AND op = $op AND depth IS NULL AND parent_barcode IN (
         SELECT barcode FROM row INDEXED BY row_depth
         WHERE run = $run AND depth = $depth AND op = $op AND barcode IS NOT NULL)`,
      { run, depth, next: depth + 1, op },
    );
    if (placed === 0) break;
  }
  // Registrations that are each other's parents have no order.
  journal.run(`UPDATE row SET depth = 0 WHERE run = $run AND op = $op AND depth IS NULL`, { run, op });
}
