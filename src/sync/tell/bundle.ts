import { extname } from 'node:path';
import type { EventInfo } from '../../registration/model/persona.ts';
import { rowRecord, stepRecord } from '../../report/story/story-record.ts';
import { jsonText, prettyJson } from '../../report/words/data-text.ts';
import { isSandbox } from '../../report/words/service-name.ts';
import { isoTime } from '../../report/words/time-words.ts';
import { readShares } from '../journal/count-run.ts';
import { readFindings, stepsOfRun } from '../journal/steps.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { listRuns, otherHolder } from '../journal/runs.ts';
import { type ToldRow, toldRows } from '../journal/told-rows.ts';
import { Redaction } from './redaction.ts';
import { readLimit } from './report.ts';
import { rowView } from './problems.ts';
import { goesOnFrom, shownCounts, shownState } from './run-words.ts';

/** A file of a bundle. */
export interface BundlePart {
  name: string;
  /** Its text, piece by piece. */
  text: Iterable<string>;
}

interface BundleFacts {
  run: Run;
  /** Of the run, as this machine saw it last; undefined where it never has. */
  event: EventInfo | undefined;
  /** Versions and settings, with the findings of the doctor, whose texts are still as they are. */
  machine: Readonly<Record<string, unknown>> & {
    doctor: readonly { check: string; result: string; found: string; advice: string | undefined }[];
  };
  /** Who has made it: `eventreg 1.2.3`. */
  maker: string;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * What support needs to know of a run, and nothing that tells of a person: of every record only what the redaction
 * lets through by its name. Its rows are read while it is written.
 */
export function bundleParts(journal: Journal, facts: BundleFacts): BundlePart[] {
  const { run, event, machine } = facts;
  const hide = new Redaction(event ?? { personas: [] });
  const doctor = machine.doctor.map(({ check, result, found, advice }) => ({
    check,
    result,
    found: hide.text(found),
    advice: hide.text(advice),
  }));
  return [
    { name: 'README.txt', text: [readme(facts)] },
    { name: 'machine.json', text: [prettyJson({ ...machine, doctor })] },
    { name: 'event.json', text: [prettyJson(event ?? null)] },
    { name: 'run.json', text: [prettyJson(hide.record(runRecord(journal, run)))] },
    { name: 'rows.ndjson', text: rowLines(journal, run.id, hide) },
  ];
}

function* rowLines(journal: Journal, run: string, hide: Redaction): Generator<string> {
  for (const row of toldRows(journal, run)) yield `${jsonText(hide.record(bundledRow(row)))}\n`;
}

/** The row by its names, and what became of it as `runs why` tells it. */
function bundledRow(row: ToldRow): object {
  const { seq, place, part, persona, barcode, parentBarcode, remoteId, enableComms } = row;
  return {
    row: seq,
    file: place.file === '' ? undefined : place.file,
    sheet: place.sheet,
    line: place.line,
    part,
    persona,
    barcode,
    parent_barcode: parentBarcode,
    registration_id: remoteId,
    enable_comms: enableComms,
    ...rowRecord(rowView(row), true),
  };
}

const FORMATS = ['.xlsx', '.ods', '.csv', '.json', '.ndjson', '.txt', '.tsv'];

/** What a run was, what it planned, and what it came to. */
function runRecord(journal: Journal, run: Run): object {
  return {
    run: run.id,
    kind: run.kind,
    undoes: run.undoes,
    goes_on_from: goesOnFrom(run, listRuns(journal)),
    continued_by: run.continuedBy,
    state: shownState(journal, run),
    at_work: otherHolder(journal, run) !== undefined,
    started: isoTime(run.startedAt),
    ended: isoTime(run.endedAt),
    service: isSandbox(run.service) ? 'sandbox' : run.service,
    files: run.files.map((file) => ({
      file,
      format: FORMATS.find((one) => one === extname(file).toLowerCase()),
    })),
    message: run.message,
    later: run.later.map(({ at, text }) => ({ at: isoTime(at), message: text })),
    counts: shownCounts(journal, run),
    plan: readShares(journal, run.id),
    allowed: readLimit(journal, run.id),
    findings: readFindings(journal, run.id).map(({ kind, seq, id, barcode, message }) => ({
      kind,
      row: seq,
      registration_id: id,
      barcode,
      message,
    })),
    steps: stepsOfRun(journal, run.id).map(stepRecord),
  };
}

const readme = ({ run, event, maker, now }: BundleFacts): string => `Run ${run.id}, for support
Made ${new Date(now).toISOString()} by ${maker}, without asking the service.

  machine.json   versions, settings without the token, and what eventreg doctor finds without the service
  event.json     ${event === undefined ? 'null: what the event asks is not known on this machine' : 'kinds of guests with their fields and options, as the service last showed them here'}
  run.json       what the run planned, what it came to, what was found since
  rows.ndjson    a line for each row: where it stood, what became of it, every step with its time, status and
                 request id, by which whoever runs the service finds it in the log there

It was not made by taking things out, but of what may be in it: no value of a guest is in it, no barcode, no id of a
registration, no name of a file, folder, sheet, column, profile, person or machine. In their place stand tokens such
as t-0123456789ab. Equal values have equal tokens, in this bundle only: the key that makes them was thrown away.
Of messages, only words that eventreg itself uses or the event's fields are called by are left.
The address of the service and the name of the event are in it.
`;
