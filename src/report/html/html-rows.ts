import { describeReasons } from '../../registration/model/row.ts';
import { cut } from '../../registration/model/cut.ts';
import {
  entriesAfter,
  entriesBefore,
  formatValue,
  type StoryEntry,
  stepText,
} from '../story/story-entries.ts';
import type { ReportRow, RunReport } from '../views/run-report.ts';
import { nameDifferences } from '../words/difference-text.ts';
import { visible } from '../words/escape.ts';
import { maskUnless } from '../../registration/evidence/mask.ts';
import { scriptJson } from './html-sections.ts';

const LONGEST_VALUE = 300;
/** Longer texts are put together of several values. */
const LONGEST_TEXT = 2000;
/** More words than that hardly come again. */
const MOST_WORDS = 5000;

/** Texts that rows have in common, each of which is written once. */
class Words {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of a text, or the text itself once there are very many. */
  of(text: string): number | string {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    if (this.all.length === MOST_WORDS) return text;
    this.#numbers.set(text, this.all.length);
    return this.all.push(text) - 1;
  }
}

/**
 * The rows of a report as JSON, in pieces. A row is a list: place without its line, line, result, barcode, persona, id,
 * what there is to say, entries (label and text by turns), steps (milliseconds since the beginning, what, facts, and
 * request id where it is another one), name. A number where a text is expected is that of a word.
 */
export function* rowsJson(report: RunReport, showValues: boolean): Generator<string> {
  const words = new Words();
  const results = report.results.map(({ name }) => name);
  yield `{"from":${report.startedAt},"results":${scriptJson(results)},"rows":[`;
  let before = '';
  for (const row of report.each()) {
    yield before + scriptJson(encode(row, { report, showValues, words }));
    before = ',\n';
  }
  yield `],"words":${scriptJson(words.all)}}`;
}

interface Encoding {
  report: Pick<RunReport, 'startedAt'>;
  showValues: boolean;
  words: Words;
}

function encode(row: ReportRow, { report, showValues, words }: Encoding): unknown[] {
  const showing = { showValues, longest: LONGEST_VALUE };
  const text = (value: string | undefined): string => visible(cut(value ?? '', LONGEST_VALUE));
  const place =
    row.place ?? (row.registrationId === undefined ? 'registration' : `registration ${row.registrationId}`);
  const split = row.place === undefined ? 0 : place.lastIndexOf(':') + 1;
  const entries = [
    ...entriesBefore({ ...row, because: [] }, showing).filter(([label]) => label !== 'row'),
    ...valueEntries(row, showValues),
    ...entriesAfter(row, showing),
  ];
  const steps = row.steps.map(({ at, what, requestId, ...step }, no) => {
    const facts = stepText({ ...step, at, what, requestId: undefined });
    const known = requestId === row.steps[no - 1]?.requestId;
    return [
      at - report.startedAt,
      words.of(what),
      words.of(cut(facts, LONGEST_TEXT)),
      ...(known ? [] : [text(requestId)]),
    ];
  });
  if (row.checkedAt !== undefined) steps.push([row.checkedAt - report.startedAt, words.of('read back')]);
  return [
    words.of(text(place.slice(0, split))),
    text(place.slice(split)),
    row.result,
    text(row.barcode),
    words.of(text(row.persona)),
    text(row.registrationId),
    words.of(visible(cut(summaryOf(row), LONGEST_TEXT))),
    entries.flatMap(([label, told]) => [words.of(label), words.of(cut(told, LONGEST_TEXT))]),
    steps,
    visible(cut(maskUnless(showValues, row.who), LONGEST_VALUE)),
  ];
}

/** What there is to say of a row in a few words, without values. */
function summaryOf({ message, reasons, differences, changes, plan }: ReportRow): string {
  if (message !== undefined) return message;
  if (reasons.length > 0) return describeReasons(reasons);
  if (differences.length > 0) return nameDifferences(differences);
  return plan === 'create' ? '' : changes.map(({ field }) => field).join(', ');
}

/** Masked, values of what is new or gone would tell next to nothing. */
function valueEntries({ values }: ReportRow, showValues: boolean): StoryEntry[] {
  if (!showValues) return [];
  return values.map(({ field, before, after }) => {
    const value = formatValue(field, after ?? before, { showValues, longest: LONGEST_VALUE });
    return ['value', `${visible(field)}: ${value}`];
  });
}
