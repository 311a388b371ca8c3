import type { Persona } from '../../registration/model/persona.ts';
import {
  type Answer,
  answerOf,
  type QuestionRow,
  type TableQuestion,
} from '../../registration/model/question.ts';
import type { ColumnSample, ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { splitExamples } from '../../registration/evidence/field-evidence.ts';
import { BOTH, ELSE, freeTargets, fullNames, partsOf, prefixOf } from './column-names.ts';
import { type ColumnState, takenBy } from './column-states.ts';
import { REST } from './column-wishes.ts';
import { companionColumn, type CompanionName } from './companion-columns.ts';
import { flagWord, showName } from '../source/shell-word.ts';

/** What a column may be, as `--map` takes it, and what shows it; null: left out. */
export interface ColumnProposal {
  target: string | null;
  why: string;
  /** It may as well be somebody else's: only a person can say. */
  asksPerson?: boolean;
}

const MOST_LISTED = 40;

/** Among the answers of every row. */
const LEFT_OUT = 0;

/**
 * Asks what all columns hold, on one screen: those that are certain are shown as they are. `found`: what the name or the values of open ones show.
 */
export function columnsQuestion(
  files: readonly string[],
  states: readonly ColumnState[],
  personas: readonly Persona[],
  samples: Pick<ColumnSamples, 'of' | 'show'>,
  found: Pick<ReadonlyMap<string, ColumnProposal>, 'get'>,
): TableQuestion {
  const taken = takenBy(states);
  const proposalFor = (state: ColumnState): ColumnProposal | undefined =>
    state.target === undefined ? (onlyOne(state) ?? found.get(state.column)) : undefined;
  const likely = states.map(proposalFor).filter((one) => one?.asksPerson !== true);
  const filled = new Set([...taken, ...likely.flatMap((one) => partsOf(one?.target ?? ''))]);
  const rows = states.map((state): QuestionRow => {
    const { column, target, certain } = state;
    const proposal = proposalFor(state);
    const answers = answersOf(state, personas, taken, proposal?.target, samples);
    const wanted = target === undefined ? proposal?.target : target;
    const isOpen = proposal?.asksPerson === true;
    // Nobody is without what another column has.
    const asksPerson =
      (state.other?.isMissed === true && !state.other.isOnly) ||
      (isOpen && !partsOf(wanted ?? '').every((part) => filled.has(part)));
    const value = `${column}=${wanted}`;
    const at = answers.findIndex((answer) => answer.option === 'map' && answer.value === value);
    const chosen = wanted === null ? LEFT_OUT : isOpen || asksPerson ? -1 : at;
    return {
      label: showName(column),
      sample: samples.show(column),
      why: target === undefined ? (proposal?.why ?? whyOpen(state)) : undefined,
      chosen: chosen < 0 ? undefined : chosen,
      certain,
      apart:
        isOpen ||
        asksPerson ||
        state.other?.isOnly === true ||
        state.saysMore === true ||
        (state.other === undefined && state.candidates.length > 0),
      asksPerson,
      answers,
    };
  });
  const open = rows.filter(({ chosen }) => chosen === undefined).length;
  const proposed = rows.filter(({ certain, chosen }) => certain !== true && chosen !== undefined).length;
  const proposals = proposed === 0 ? [] : [`${proposed} proposed`];
  const counts = open === 0 ? proposals : [...proposals, `${open} open`];
  const [file = '', another] = files;
  const subject = `${states.length === 1 ? '1 column' : `${states.length} columns`} of ${another === undefined ? file : `${files.length} files`}`;
  return {
    kind: 'table',
    topic: 'columns',
    text: `${subject}: ${counts.join(', ')}`,
    settled: [subject, ...proposals].join(': '),
    details: [],
    examples: rows.flatMap(({ label, chosen = -1, certain, answers }) => {
      const hint = answers[chosen]?.hint;
      return hint === undefined || certain === true ? [] : `"${label}": ${hint}`;
    }),
    headings: ['', 'e.g.', 'goes to'],
    rows,
    others: othersThan(taken, personas),
    rest: LEFT_OUT,
    restAnswer: answerOf('left out', 'ignoreColumn', REST, `'${REST}'`),
  };
}

/** Of who pays, where nobody else is in the list. */
function onlyOne({ other }: ColumnState): ColumnProposal | undefined {
  const [target] = other?.isOnly === true ? other.fills : [];
  return target === undefined ? undefined : { target, why: other?.why ?? '' };
}

function whyOpen({ candidates, other }: ColumnState): string {
  if (other !== undefined) return other.why;
  const [name, another] = candidates;
  if (name === undefined) return 'matches nothing';
  return another === undefined ? `${name} is another column` : `may be ${candidates.join(' or ')}`;
}

/** What a column may be instead, by the names that `--map` takes. */
function othersThan(taken: ReadonlySet<string>, personas: readonly Persona[]): string {
  const free = freeTargets(personas, taken, undefined);
  const more = free.length > MOST_LISTED ? ' …' : '';
  return `--map "HEADING=FIELD" says what else a column is: ${free.slice(0, MOST_LISTED).join(', ')}${more}`;
}

/** The likeliest first, behind leaving it out; what other columns have, last. */
function answersOf(
  { column, target, candidates }: ColumnState,
  personas: readonly Persona[],
  taken: ReadonlySet<string>,
  proposed: string | null | undefined,
  samples: Pick<ColumnSamples, 'of'>,
): Answer[] {
  const companion = companionColumn(column);
  const all = [taken, new Set<string>()].flatMap((one) => freeTargets(personas, one, companion));
  const likely = [target, proposed, ...candidates].filter((one) => typeof one === 'string');
  const labels = labelsOf(personas, companion);
  const targets = fullNames(personas, companion);
  return [
    answerOf('left out', 'ignoreColumn', column, flagWord(column)),
    ...[...new Set([...likely, ...all])].map((one) => {
      const value = `${column}=${one}`;
      const hint = splitsOf(one, samples.of(column), targets);
      return { ...answerOf(labelOf(one, labels), 'map', value, flagWord(value)), ...hint };
    }),
  ];
}

/** How the names of a column are split by a target for both: `"Jan van der Berg" → "Jan" | "van der Berg"`. */
function splitsOf(target: string, sample: ColumnSample, inOrder: ReadonlyMap<string, string>) {
  if (!target.includes(BOTH)) return {};
  const splits = splitExamples(sample, !inOrder.has(target.replace(ELSE, '')));
  return splits.length === 0 ? {} : { hint: splits.join(', ') };
}

/** `First name + Last name where blank`, `before Last name`. */
function labelOf(target: string, labels: ReadonlyMap<string, string>): string {
  const own = target.replace(/^(?:else|before|time of) /, '');
  const label =
    labels.get(own) ??
    own
      .split(BOTH)
      .map((part) => labels.get(part) ?? part)
      .join(' + ');
  if (target.startsWith(ELSE)) return `${label} where blank`;
  return target.slice(0, target.length - own.length) + label;
}

/** What people see, by what `--map` takes. */
function labelsOf(
  personas: readonly Persona[],
  companion: CompanionName | undefined,
): ReadonlyMap<string, string> {
  const prefix = prefixOf(companion);
  return new Map([
    ['persona', 'kind of guest'],
    ...fullNames(personas, companion),
    ...personas
      .flatMap(({ fields }) => fields)
      .filter(({ label, slug }) => label !== '' && label !== slug)
      .map(({ label, slug }): [string, string] => [`${prefix}${slug}`, `${prefix}${label}`]),
  ]);
}
