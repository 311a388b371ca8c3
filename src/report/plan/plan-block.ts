import type { FieldChange } from '../../registration/changes/field-change.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { cut } from '../../registration/model/cut.ts';
import { visible } from '../words/escape.ts';
import { type PlanEntryView, shownAction, type ShownAction } from '../views/plan-view.ts';
import { quoted, type ShowValue } from '../words/shown-value.ts';
import { countWords } from '../words/number.ts';
import { utcTime } from '../words/time-words.ts';

/** What stands in front of an entry, and the colour that a terminal gives it. */
const SIGNS: Readonly<Record<ShownAction | 'unchanged', { sign: string; colour: number }>> = {
  create: { sign: '+', colour: 32 },
  update: { sign: '~', colour: 33 },
  delete: { sign: '-', colour: 31 },
  kept: { sign: '=', colour: 34 },
  conflict: { sign: '!', colour: 35 },
  unknown: { sign: '?', colour: 36 },
  uncertain: { sign: '?', colour: 36 },
  unchanged: { sign: '=', colour: 39 },
};

/** Why of entries that give no reason of their own. */
const REASONS: Partial<Record<ShownAction | 'unchanged', string>> = {
  unknown: 'sent without comparing: the service shows too little',
  uncertain: 'sent before without a certain answer: looked up first, sent only if it is not there',
};

/** Why a value is not sent. */
const LEFT = { kept: 'changed in the service', conflict: 'changed in both' } as const;

const LONGEST_NAME = 60;

/**
 * An entry of a plan for people, without the last line break: a line that says what becomes of which
 * registration, and a line a value below it. Undefined for what stays as it is, unless its values are compared.
 */
export function planBlock(
  entry: PlanEntryView,
  { show, color }: { show: ShowValue; color: boolean },
): string | undefined {
  const action = shownAction(entry) ?? (entry.compared && 'unchanged');
  if (action === undefined) return undefined;
  const { sign, colour } = SIGNS[action];
  const lead = `${sign} ${action}`;
  const why = entry.why ?? REASONS[action];
  const head = `${color ? `\u001B[${colour}m${lead}\u001B[39m` : lead}  ${subjectOf(entry)}`;
  // All of them stand among those that are compared.
  const isTold = entry.compared !== undefined && action === 'create';
  const lines = (isTold ? [] : entry.changes)
    .filter((change) => !isInHead(entry, change))
    .map((change) => `    ${changeText(entry, action, change, show)}`);
  const compared = comparedLines(entry, show).map((line) => `    ${line}`);
  return [why === undefined ? head : `${head}: ${visible(why)}`, ...lines, ...compared].join('\n');
}

/** When it was last sent, and what each side has of every value. */
function comparedLines({ action, persona, compared }: PlanEntryView, show: ShowValue): string[] {
  if (compared === undefined) return [];
  const { lastSent, isListed, values } = compared;
  const shown = (field: string, value: FieldValue | undefined): string => quoted(show(persona, field, value));
  const when = lastSent && `${utcTime(lastSent.at, 'minute')} UTC`;
  return [
    when === undefined
      ? 'this machine knows of no time when it was sent'
      : `last sent ${when}, by run ${lastSent?.run}`,
    ...(isListed
      ? []
      : [action === 'create' ? 'the service does not list it' : 'what the service holds was not seen']),
    ...values.map(({ field, file, sent, service, isHidden }) => {
      const sides = [
        `file ${shown(field, file)}`,
        ...(when === undefined ? [] : [`last sent ${shown(field, sent)}`]),
        ...(isListed ? [isHidden ? 'not shown by the service' : `service now ${shown(field, service)}`] : []),
      ];
      return `${visible(cut(field, LONGEST_NAME))}: ${sides.join(', ')}`;
    }),
  ];
}

/** `guests.csv:7  barcode EV-7  registration reg-7  visitor`, as far as it is known. */
function subjectOf({ place, barcode, id, persona }: PlanEntryView): string {
  const parts = [
    place === undefined ? undefined : formatPlace(place),
    barcode === undefined ? undefined : `barcode ${barcode}`,
    id === undefined ? undefined : `registration ${id}`,
    persona,
  ];
  return parts
    .filter((part) => part !== undefined)
    .map(visible)
    .join('  ');
}

/** The persona of what is new stands in its first line. */
function isInHead({ persona }: PlanEntryView, { field, before, after }: FieldChange): boolean {
  return field === 'persona' && before === undefined && after === persona;
}

/** A new value, the one that is lost, or `before → after`. */
function changeText(
  { persona }: PlanEntryView,
  action: ShownAction | 'unchanged',
  { field, before, after, left, isUnseen }: FieldChange,
  show: ShowValue,
): string {
  const [was, is] = [before, after].map((value) => quoted(show(persona, field, value)));
  const name = visible(cut(field, LONGEST_NAME));
  if (action === 'create') return `${name}: ${is}`;
  if (action === 'delete') return `${name}: ${was}`;
  if (left !== undefined) return `${name}: ${was} stays (${LEFT[left]}), the file has ${is}`;
  if (isUnseen) return `${name}: ${is} as sent before; what is there now is not shown`;
  return `${name}: ${was} → ${is}${was === is ? ' (they differ beyond what is shown)' : ''}`;
}

/** Entries of a plan, by what is shown to become of them. */
export type PlanTally = Record<ShownAction | 'unchanged', number>;

const WORDS: Readonly<Record<keyof PlanTally, string>> = {
  create: 'to create',
  update: 'to update',
  unknown: 'to send without comparing',
  delete: 'to delete',
  kept: 'kept as changed in the service',
  conflict: 'in conflict',
  uncertain: 'uncertain',
  unchanged: 'unchanged',
};

export function emptyTally(): PlanTally {
  return { create: 0, update: 0, unknown: 0, delete: 0, kept: 0, conflict: 0, uncertain: 0, unchanged: 0 };
}

/** Counts one entry; what has been carried out is no part of what is planned. */
export function tallyEntry(tally: PlanTally, entry: PlanEntryView): void {
  tally[shownAction(entry) ?? 'unchanged'] += 1;
}

/** `3 to create, 2 to update, 5 unchanged`; `nothing` where all are none. */
export function formatTally(tally: PlanTally): string {
  const kinds = Object.entries(WORDS) as [keyof PlanTally, string][];
  return countWords(kinds.map(([kind, words]) => [tally[kind], words])) || 'nothing';
}
