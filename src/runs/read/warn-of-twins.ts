import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { formatPlace, type Place } from '../../registration/model/row.ts';
import { plural } from '../../report/words/number.ts';
import { emailOf, nameOf } from '../judge/near.ts';
import type { SendContext } from '../journal/send-context.ts';
import { place, rowCodec, said, value } from '../journal/row-codec.ts';

type TwinContext = Pick<SendContext, 'journal' | 'reporter' | 'event'>;

const BARE = rowCodec({
  seq: value<number>(),
  key: value<string>('row_key'),
  place: place(),
  registration: said(),
});
const BARE_ROWS = `run = $run AND op = 'send' AND state = 'pending' AND barcode IS NULL`;

/**
 * Rows without a barcode that are equal, or have one e-mail and name, may be two people or one person twice, such as a
 * form that was sent again: only people know.
 */
export function warnOfTwins(run: string, context: TwinContext): void {
  warnOfEqual(run, context);
  warnOfSamePerson(run, context);
}

function warnOfEqual(run: string, { journal, reporter }: TwinContext): void {
  const repeats = journal.get<{ n?: number; first?: number }>(
    `SELECT sum(n - 1) AS n, min(second) AS first FROM (
       SELECT count(*) AS n, max(seq) AS second FROM row WHERE ${BARE_ROWS} GROUP BY row_key HAVING count(*) > 1)`,
    { $run: run },
  );
  if (repeats?.n === undefined) return;
  const example = journal.get<Place>('SELECT file, sheet, line FROM row WHERE run = $run AND seq = $seq', {
    $run: run,
    $seq: repeats.first,
  });
  const rows = plural(repeats.n, 'row without a barcode is equal', 'rows without a barcode are equal');
  const where = example === undefined ? '' : ` (${formatPlace(example)})`;
  reporter.report({
    type: 'warning',
    text: `${rows} to an earlier row${where}: each becomes a registration of its own.`,
  });
}

/** Who was read so far is kept in a table: a file may be of any size. */
const TABLES = [
  'DROP TABLE IF EXISTS temp.twin',
  'CREATE TEMP TABLE twin (who TEXT PRIMARY KEY, key TEXT NOT NULL, place TEXT NOT NULL) WITHOUT ROWID',
];

function warnOfSamePerson(run: string, { journal, reporter, event }: TwinContext): void {
  const fields = fieldsOf(event);
  const whoIs = (registration: Registration): string | undefined => {
    const email = emailOf(registration, fields);
    const name = nameOf(registration, fields);
    return email && name && JSON.stringify([registration.persona, email.toLowerCase(), name]);
  };
  let twins = 0;
  let first: string | undefined;
  for (const sql of TABLES) journal.run(sql);
  for (const page of journal.readPages(
    BARE,
    `FROM row WHERE ${BARE_ROWS} AND seq > $after ORDER BY seq`,
    { $run: run },
    'seq',
  )) {
    journal.transaction(() => {
      for (const row of page) {
        const who = whoIs(row.registration);
        if (who === undefined) continue;
        const own = [who, row.key, formatPlace(row.place)];
        if (journal.run('INSERT OR IGNORE INTO temp.twin VALUES (?, ?, ?)', own) > 0) continue;
        const before = journal.get<{ key: string; place: string }>(
          'SELECT key, place FROM temp.twin WHERE who = $who',
          { $who: who },
        );
        // Those that are equal are told of already.
        if (before === undefined || before.key === row.key) continue;
        twins += 1;
        first ??= `${formatPlace(row.place)}, after ${before.place}`;
      }
    });
  }
  journal.run('DROP TABLE temp.twin');
  if (first === undefined) return;
  const rows = plural(twins, 'row without a barcode has', 'rows without a barcode have');
  reporter.report({
    type: 'warning',
    text: `${rows} the e-mail and the name of an earlier row, and other values (${first}): each becomes a registration of its own, so leave out what is no longer meant.`,
  });
}
