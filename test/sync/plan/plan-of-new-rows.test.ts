import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Matches } from '../../../src/sync/match/match.ts';
import { type Bench, pushBench } from '../push-bench.ts';

afterEach(() => vi.restoreAllMocks());

const HEAD = 'persona,barcode,parent_barcode,First name,Last name,E-mail\n';
const LISTED = `${HEAD}visitor,A,,Ann,As,ann@x.test
visitor,B,,Bob,Old,bob@x.test
visitor,d,,Dan,De,dan@x.test
visitor,F,,Fay,Ef,fay@x.test
visitor,Z,,Zoe,Zet,zoe@x.test
`;
/** Some are listed, some new; of the new ones some are like somebody listed, or like one another. */
const FILE = `${HEAD}visitor,A,,Ann,As,ann@x.test
visitor,B,,Bob,New,bob@x.test
visitor,C,,Cid,Ce,cid@x.test
visitor,D,,Dora,De,dora@x.test
visitor,E,,Eve,Ee,FAY@x.test
visitor,G,,Gus,Ge,both@x.test
visitor,H,,Hal,Ha,Both@X.test
visitor,I,,Ida,I,ida@x.test
visitor,i,,Ivo,I,ivo@x.test
visitor,J,C,Jo,Jot,
visitor,K,,Zoe,Zet,zoe@x.test
visitor,,,No,Barcode,none@x.test
visitor,,,Gus,Ge,both@x.test
visitor,L,,Leo,El,leo@x.test
exhibitor,M,,Mia,Em,fay@x.test
`;

/** Registers people in the service of whom this machine knows nothing. */
async function benchWithOthers(): Promise<Bench> {
  const bench = await pushBench();
  expect((await bench.push([bench.write('listed.csv', LISTED)])).code).toBe(0);
  rmSync(join(bench.directory, 'state'), { recursive: true });
  bench.write('guests.csv', FILE);
  return bench;
}

const lookAtEach = (): unknown => vi.spyOn(Matches.prototype, 'newRows', 'get').mockReturnValue([]);

/** What a dry run answers, and what a push then makes of each row. */
async function answers(
  bench: Bench,
  ...flags: string[]
): Promise<{ rows: { seq: number; near?: string }[] }> {
  const { out, code } = await bench.push(['guests.csv', '--dry-run', '--diff', ...flags]);
  const run = await bench.push(['guests.csv', '--yes', ...flags]);
  const rows = bench.journal((journal) =>
    journal.all(
      'SELECT seq, state, plan, proof, near, ask, verdicts, message, position FROM row ORDER BY run, seq',
    ),
  );
  const { run: _, ...summary } = run.summary;
  const told = JSON.stringify({
    dry: JSON.parse(out) as unknown,
    code,
    summary,
    rows,
    posted: bench.postedBarcodes().sort(),
  });
  // Each service has an address of its own, and ids.
  return JSON.parse(told.replaceAll(/127\.0\.0\.1:\d+|reg-[0-9a-f]{8}/g, '')) as {
    rows: { seq: number; near?: string }[];
  };
}

test.each([[[]], [['--match', 'none']]])(
  'Of a mixed list what is new is planned as if each row were looked at: %j',
  async (flags) => {
    const quick = vi.spyOn(Matches.prototype, 'newRows', 'get');
    const atOnce = await answers(await benchWithOthers(), ...flags);
    // All that is listed, then in a dry run and a push the three that are like nobody: C, J and L.
    expect(quick.mock.results.map(({ value }) => (value as number[]).length)).toEqual([5, 3, 3]);
    const near = atOnce.rows.filter((row) => row.near !== undefined).map(({ seq }) => seq);
    expect(near).toEqual([3, 4, 6, 8, 10, 12, 14]);
    lookAtEach();
    expect(atOnce).toEqual(await answers(await benchWithOthers(), ...flags));
  },
);
