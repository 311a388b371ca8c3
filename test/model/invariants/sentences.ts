import { isSamePerson } from '../link-rows.ts';
import type { LinkedRow, ObservedPush } from '../observe.ts';
import { isSame, LABELS, SLUGS } from '../values.ts';
import { has } from '../wanted.ts';
import { changesOf } from '../world.ts';

/** A sentence about a row names what is so in the service. */
export function sentencesAreTrue(observed: ObservedPush): string[] {
  const { said, rows } = observed;
  const lines = said.text.split('\n').filter((line) => !line.startsWith('{'));
  const isFalse = (line: string, linked: LinkedRow): boolean =>
    line.startsWith(`${linked.place} `) &&
    SENTENCES.some(([says, isNotSo]) => {
      const match = says.exec(line);
      return match !== null && isNotSo(match[1] ?? '', linked, observed);
    });
  const isVain = (line: string): boolean =>
    has(observed, '--overwrite') && line.includes("--overwrite sends the file's values");
  return lines
    .filter((line) => isVain(line) || rows.some((linked) => isFalse(line, linked)))
    .map((line) => `it is not so: ${line}`);
}

type IsNotSo = (named: string, linked: LinkedRow, observed: ObservedPush) => boolean;

const SENTENCES: readonly [RegExp, IsNotSo][] = [
  [
    /has changed registration (\S+) .*instead of adding one/,
    (id, { row }, { world, after }) => {
      const [there, now] = [world.get(id), after.get(id)];
      const isMade = [...after.values()].some((one) => one.barcode === row.barcode && one.id !== id);
      return isMade && there !== undefined && now !== undefined && changesOf(there, now).length === 0;
    },
  ],
  [
    /(?:changed in the file and in the service|edited in the service since[^:]*): ([\w, ]+)/,
    (fields, { ids: [id = '', ...more] }, { world, model }) => {
      const [one, seen] = [world.get(id), model.lastSeen(id)];
      if (one === undefined || seen === undefined || more.length > 0) return false;
      // What this machine has never seen otherwise, nobody has changed.
      return SLUGS.filter((slug) =>
        fields.split(', ').some((word) => word === slug || word === LABELS[slug]),
      ).some((slug) => !model.touched.has(`${id} ${slug}`) && isSame(seen.fields[slug], one.fields[slug]));
    },
  ],
  [
    /does not list it\b(?! as sent)|it is not listed any more/,
    (_, { row }, { after, foreign, habits, switches }) =>
      row.barcode !== '' &&
      habits.hides === undefined &&
      foreign.length === 0 &&
      switches.readLagMs === 0 &&
      switches.recordBarcode === 'shown' &&
      [...after.values()].some(({ barcode }) => barcode === row.barcode),
  ],
  [
    /(?:was sent before and|it) has been deleted in the service since/,
    (_, { ids }, { after }) => ids.some((id) => after.has(id)),
  ],
  [
    /it may be registered twice/,
    (_, { row }, { after }) =>
      [...after.values()].filter((one) => one.barcode === row.barcode || isSamePerson(one, row)).length < 2,
  ],
];
