import type { WorkbookPackage } from '../workbook/workbook-package.ts';
import type { XmlAttributes, XmlReader } from '../workbook/xml-feed.ts';

/** A link from one part of a workbook to another. */
export interface Relation {
  /** The last word of its type: `worksheet`, `styles`. Both kinds of OOXML share it. */
  type: string;
  /** Name of the part it leads to; undefined when it leads out of the file, where nothing is fetched. */
  part: string | undefined;
}

/** The links of a part, '' for the file as a whole; none when it has no list of them. */
export async function readRelations(
  parts: WorkbookPackage,
  from: string,
): Promise<ReadonlyMap<string, Relation>> {
  const name = relationsOf(from);
  if (!parts.has(name)) return new Map();
  return (await parts.read(name, 'Relationships', new RelationsReader(from))).relations;
}

/** Name of the part that holds the links of a part: `xl/_rels/workbook.xml.rels`. */
function relationsOf(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
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

/** Reads the links of a part, by their ids. */
class RelationsReader implements XmlReader {
  readonly relations = new Map<string, Relation>();
  readonly #from: string;

  /** `from` is the name of the part that the links belong to, '' for the file as a whole. */
  constructor(from: string) {
    this.#from = from;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (depth !== 2 || name !== 'Relationship') return;
    const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes;
    this.relations.set(id, {
      type: type.slice(type.lastIndexOf('/') + 1),
      part: mode === 'External' ? undefined : resolveTarget(target, this.#from),
    });
  }
}
