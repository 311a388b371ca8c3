import type { WorkbookPackage } from '../workbook/workbook-package.ts';
import type { XmlAttributes } from '../workbook/xml-feed.ts';

/** A link from one part of a workbook to another. */
export interface Relation {
  /** The last word of its type: `worksheet`, `styles`. Both kinds of OOXML share it. */
  type: string;
  /** Name of the part it leads to; undefined when it leads out of the file, where nothing is fetched. */
  part: string | undefined;
}

/** The links of a part by their ids, '' for the file as a whole; none when it has no list of them. */
export async function readRelations(
  parts: WorkbookPackage,
  from: string,
): Promise<ReadonlyMap<string, Relation>> {
  const relations = new Map<string, Relation>();
  const slash = from.lastIndexOf('/') + 1;
  const name = `${from.slice(0, slash)}_rels/${from.slice(slash)}.rels`;
  const open = (element: string, attributes: XmlAttributes, depth: number): void => {
    if (depth !== 2 || element !== 'Relationship') return;
    const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes;
    const part = mode === 'External' ? undefined : resolveTarget(target, from);
    relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), part });
  };
  if (parts.has(name)) await parts.read(name, 'Relationships', { open });
  return relations;
}

/** The name of the part that a link leads to, from the folder of the part that has it. */
function resolveTarget(target: string, from: string): string {
  const folder = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') folder.pop();
    else if (step !== '' && step !== '.') folder.push(step);
  }
  return folder.join('/');
}
