import type { EventInfo } from '../../registration/model/persona.ts';
import { jsonText, prettyJson } from '../../report/words/json-text.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { bundleRows, eventRecord, runRecord } from './bundle-parts.ts';
import { Redaction } from './redaction.ts';

/** A file of a bundle. */
export interface BundlePart {
  name: string;
  /** Its text, piece by piece. */
  text: Iterable<string>;
}

export interface BundleFacts {
  run: Run;
  /** Of the run, as this machine saw it last; undefined where it never has. */
  event: EventInfo | undefined;
  /** Versions and settings, with the findings of the doctor, whose texts are still as they are. */
  machine: Readonly<Record<string, unknown>> & { doctor: readonly DoctorFinding[] };
  /** Who has made it: `eventreg 1.2.3`. */
  maker: string;
  /** Milliseconds since 1970. */
  now: number;
}

interface DoctorFinding {
  check: string;
  result: string;
  found: string;
  advice: string | undefined;
}

/**
 * What support needs to know of a run, and nothing that tells of a person: not made by taking things out, but of what is
 * named here, field by field. Its rows are read while it is written.
 */
export function bundleParts(journal: Journal, facts: BundleFacts): BundlePart[] {
  const { run, event, machine } = facts;
  const redaction = new Redaction(event ?? { personas: [] });
  const doctor = machine.doctor.map(({ check, result, found, advice }) => ({
    check,
    result,
    found: redaction.text(found),
    advice: redaction.text(advice),
  }));
  return [
    { name: 'README.txt', text: [readme(facts)] },
    { name: 'machine.json', text: [prettyJson({ ...machine, doctor })] },
    { name: 'event.json', text: [prettyJson(event === undefined ? null : eventRecord(event))] },
    { name: 'run.json', text: [prettyJson(runRecord(journal, run, redaction))] },
    { name: 'rows.ndjson', text: lines(bundleRows(journal, run.id, redaction)) },
  ];
}

function* lines(records: Iterable<object>): Generator<string> {
  for (const record of records) yield `${jsonText(record)}\n`;
}

const readme = ({ run, event, maker, now }: BundleFacts): string => `Run ${run.id}, for support
Made ${new Date(now).toISOString()} by ${maker}, without asking the service.

  machine.json   versions, settings without the token, and what eventreg doctor finds without the service
  event.json     ${event === undefined ? 'null: what the event asks is not known on this machine' : 'kinds of guests with their fields and options, as the service last showed them here'}
  run.json       what the run planned, what it came to, what was found since
  rows.ndjson    a line for each row: where it stood, what became of it, every step with its time, status and
                 request id, by which whoever runs the service finds it in the log there

It was not made by taking things out, but of what is named above: no value of a guest is in it, no barcode, no id of a
registration, no name of a file, folder, sheet, column, profile, person or machine. In their place stand tokens such
as t-0123456789ab. Equal values have equal tokens, in this bundle only: the key that makes them was thrown away.
Of messages, only words that eventreg itself uses or the event's fields are called by are left.
The address of the service and the name of the event are in it.
`;
