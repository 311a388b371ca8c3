import type { ModelFile } from './scenario.ts';
import { LABELS } from './values.ts';

/** The file as text: no cell of the model needs quotes. */
export function csvOf({ columns, hasBarcodes, hasParents, rows }: ModelFile): string {
  const header = [
    'persona',
    ...(hasBarcodes ? ['barcode'] : []),
    ...(hasParents ? ['parent_barcode'] : []),
    'enable_comms',
    ...columns.map((slug) => LABELS[slug]),
  ];
  const lines = rows.map((row) => [
    row.persona,
    ...(hasBarcodes ? [row.barcode] : []),
    ...(hasParents ? [row.parent] : []),
    row.comms ? 'yes' : '',
    ...columns.map((slug) => row.cells[slug] ?? ''),
  ]);
  return `${[header, ...lines].map((cells) => cells.join(',')).join('\n')}\n`;
}
