import type { Registration } from '../../registration/model/registration.ts';
import { among, SENT, THERE } from '../../registration/model/row-states.ts';
import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { ValueVerdict } from '../decide/decide.ts';
import { eventOf, OF_EVENT } from './earlier-runs.ts';
import type { Journal } from './journal.ts';
import type { Target } from './runs.ts';
import { notTakenBack } from './undo-rows.ts';

const WORD = rowCodec({
  registration: json<Registration>('coalesce(row.ask, row.payload)'),
  verdicts: json<Record<string, ValueVerdict> | undefined>('row.verdicts'),
  isOfFiles: flag('run.files = $files'),
  /** It said then what the row says: the files may only have another name. */
  isAlike: flag('row.row_key = $key'),
});
/** What a push has said of a registration. */
export type Word = RowOf<typeof WORD>;

/** Pushes that are looked through for what was said of one registration. */
const MOST_WORDS = 100;

/** What pushes have said of a registration, the last first. `key`: of the row that speaks of it now. */
export const wordsAbout = (
  journal: Journal,
  target: Target,
  about: { files: readonly string[]; key: string; id: string | undefined; barcode: string | undefined },
): Word[] =>
  journal.read(
    WORD,
    `FROM row CROSS JOIN run ON run.id = row.run
     WHERE (row.row_key = 'b:' || $barcode OR row.remote_id = $id) AND row.op = 'send'
       AND row.state ${among(THERE)} AND ${OF_EVENT} AND run.kind = 'push' AND ${notTakenBack('row')}
     ORDER BY max(coalesce(row.sent_no, 0), coalesce(row.listed_no, 0)) DESC LIMIT ${MOST_WORDS}`,
    { ...eventOf(target), ...about, files: JSON.stringify(about.files) },
  );

const LAST_SENT = rowCodec({
  run: value<string>('row.run'),
  at: value<number>('row.sent_at'),
  registration: json<Registration>('coalesce(row.ask, row.payload)'),
});
type LastSent = RowOf<typeof LAST_SENT>;

/** What this machine sent last for a barcode; undefined when it knows of nothing. */
export const lastSentFor = (journal: Journal, target: Target, barcode: string): LastSent | undefined =>
  journal.readOne(
    LAST_SENT,
    `FROM run CROSS JOIN row ON row.run = run.id
     WHERE ${OF_EVENT} AND row.barcode = $barcode AND row.op = 'send' AND row.sent_no IS NOT NULL
     ORDER BY row.sent_no DESC`,
    { ...eventOf(target), barcode },
  );

/** Whether a row has asked for messages when it was last sent. */
export const asksForMessages = (journal: Journal, target: Target, key: string): boolean =>
  journal.get<{ asks: number }>(
    `SELECT row.enable_comms AS asks FROM row JOIN run ON run.id = row.run AND ${OF_EVENT}
     WHERE row.row_key = $key AND row.op = 'send' AND row.attempts > 0 AND row.state ${among(SENT)}
     ORDER BY row.sent_no DESC LIMIT 1`,
    { ...eventOf(target), key },
  )?.asks === 1;
