import type { PacerState } from '../../pacing/pacer-state.ts';
import { DEFAULT_SWITCHES, type Switches } from '../../sandbox/store/switches.ts';
import type { SeenAnswers } from './seen-answers.ts';
import type { SeenByPushes } from './seen-by-pushes.ts';
import type { SeenRecords } from './seen-records.ts';

/** One thing that a service does, as a clone of it does it. */
export interface BehaviourLine {
  /** Name of the switch. */
  name: keyof Switches;
  value: string | number;
  /** False where nothing has shown it: it is what the practice service does. */
  seen: boolean;
  from: string;
}

interface Evidence {
  answers: SeenAnswers;
  records: SeenRecords;
  pushes: SeenByPushes;
  /** Limit and window as far as they are learnt. */
  pacing: Pick<PacerState, 'limit' | 'windowMs' | 'shape' | 'isSure'> | undefined;
  /** As the profile says it. */
  fieldsForm: Switches['fieldsForm'] | undefined;
  /** False where it was not looked, since nobody has said where webhooks are. */
  asksWebhooks: boolean;
  /** Undefined where there are no webhooks. */
  webhookIds: boolean | undefined;
}

const LIST = 'the list';
const PUSHES = 'earlier pushes';
const PACING = 'the pacing of earlier requests';
const NOT_SHOWN = 'nothing has shown it';
const NO_WINDOW = `${NOT_SHOWN}: what takes how long is not as at the live service`;
const ANSWERS = 'the answers';

/** What each piece of evidence comes to, in the order in which it is told. */
export function behaviourOf(evidence: Evidence): BehaviourLine[] {
  const { answers, records, pushes, pacing, fieldsForm, asksWebhooks, webhookIds } = evidence;
  const line = <Name extends keyof Switches>(
    name: Name,
    value: Switches[Name] | undefined,
    from: string,
  ): BehaviourLine => ({
    name,
    value: value ?? DEFAULT_SWITCHES[name],
    seen: value !== undefined,
    from: value === undefined ? NOT_SHOWN : from,
  });
  const ifAny = <Value>(value: Value): Value | undefined => (records.count > 0 ? value : undefined);
  const limit = pacing?.limit;
  return [
    limit === undefined
      ? { name: 'limit', value: 0, seen: false, from: 'no limit was met' }
      : line('limit', limit, PACING),
    pacing?.windowMs
      ? line('windowMs', Math.round(pacing.windowMs), PACING)
      : { ...line('windowMs', undefined, ''), from: NO_WINDOW },
    line('limiter', pacing?.isSure === true ? LIMITERS[pacing.shape] : undefined, PACING),
    line('pastLimit', answers.pastLimit, ANSWERS),
    line('rateHeaders', answers.hasRateHeaders ? 'always' : 'never', ANSWERS),
    line('pageShape', answers.pageShape, LIST),
    line('perPageCap', answers.perPage, LIST),
    line('listTotal', answers.pageShape && (answers.total !== undefined ? 'shown' : 'hidden'), LIST),
    line('listOrder', orderOf(records), LIST),
    line('pageOverflow', answers.pageOverflow, LIST),
    line('filterSpelling', undefined, ''),
    line('barcodeFilter', undefined, ''),
    line('recordShape', ifAny(records.recordShape), LIST),
    line('recordBarcode', ifAny(shown(records.hasBarcodes)), LIST),
    line('recordParent', ifAny(shown(records.hasParents)), LIST),
    line('recordComms', ifAny(shown(records.hasComms)), LIST),
    pushes.deletesByBarcode ? line('idKey', 'none', PUSHES) : line('idKey', ifAny(records.idKey), LIST),
    line('idForm', records.idKey === 'none' ? undefined : records.idForm, LIST),
    line('choicesListed', records.hasChoices ? (records.hasLabels ? 'labels' : 'values') : undefined, LIST),
    line('uploads', records.hasUploads ? (records.hasSigned ? 'signed' : 'as-sent') : undefined, LIST),
    line('createStatus', pushes.createStatus, PUSHES),
    line('createBody', pushes.createBody, PUSHES),
    line('errorShape', answers.errorShape, ANSWERS),
    line('recognise', pushes.recognise, PUSHES),
    line('upsert', pushes.upsert, PUSHES),
    line('fieldsOnUpdate', undefined, ''),
    line('parentOnUpdate', undefined, ''),
    line('commsOnUpdate', pushes.commsOnUpdate, PUSHES),
    fieldsForm === undefined
      ? line('fieldsForm', pushes.fieldsForm, PUSHES)
      : line('fieldsForm', fieldsForm, 'the profile'),
    line('deleteStatus', pushes.deleteStatus, PUSHES),
    line('webhookList', asksWebhooks ? webhooksOf(answers, webhookIds) : undefined, 'the list of webhooks'),
  ];
}

/** The switches that make the sandbox do so. The event is shown as it was; its options are known by their values. */
export function switchesOf(lines: readonly BehaviourLine[]): Partial<Switches> {
  return {
    ...(Object.fromEntries(lines.map(({ name, value }) => [name, value])) as Partial<Switches>),
    valuesShape: 'objects-slug-label',
  };
}

const shown = (is: boolean): 'shown' | 'hidden' => (is ? 'shown' : 'hidden');

/** Of each shape the strictest that people run. */
const LIMITERS: Readonly<Record<PacerState['shape'], Switches['limiter']>> = {
  window: 'first-request',
  log: 'sliding-log',
  flow: 'token-bucket',
};

function orderOf({ rising, falling }: SeenRecords): Switches['listOrder'] | undefined {
  if (rising + falling === 0) return undefined;
  return falling > rising ? 'newest' : 'oldest';
}

function webhooksOf(
  { webhookStatus }: SeenAnswers,
  hasIds: boolean | undefined,
): Switches['webhookList'] | undefined {
  if (webhookStatus === 404 || webhookStatus === 405) return 'absent';
  return hasIds === undefined ? undefined : hasIds ? 'shown' : 'no-ids';
}
