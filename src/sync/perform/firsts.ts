import { BARCODE, PARENT, PERSONA } from '../../registration/changes/aspect.ts';
import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import { Lookup, madeOnce } from '../../registration/model/maps.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { Near } from '../decide/judge-person.ts';
import { mayStay } from '../decide/decide.ts';
import { readFields, readLearned, readRecognition } from '../journal/learned.ts';
import { type QueuedRow, readState } from '../journal/queued-rows.ts';
import { hasRowFor, isSentOrReady, readyRows } from '../journal/rows-to-send.ts';
import type { SendContext } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';

/** What goes first says something of the others, where there are any. */
const SOME = 2;
/** Among so many the one that carries most is good enough. */
const LOOKED_AT = 1000;
/** So many rows of one persona go first, be there fields or not that none of them carries. */
const FIRSTS_MAX = 3;

/** A row that may go first. */
export interface First {
  row: QueuedRow;
  sends: 'create' | 'update';
  /** What can go wrong by itself. */
  kind: string;
  /** The kinds of one plan and persona share what is proven of fields. */
  family: string;
  /** What it sends that may come back otherwise, by its names. */
  slugs: readonly string[];
  /** A service that takes it has to list another value then. */
  isVisible: boolean;
  /** Somebody for whom the service may take it. */
  near?: Near;
}

/** Chooses which rows go first, each alone, before the others of their kind. */
export class Firsts {
  readonly #context: SendContext;
  readonly #gone = new Set<string>();
  /** Rows beside somebody alike that were tried, by number. */
  readonly #tried = new Set<number>();
  readonly #count = new Map<string, number>();
  /** Fields that come back as they were sent, or of which nothing more will be seen. */
  readonly #proven = new Map<string, ReadonlySet<string>>();
  #candidates: readonly First[];

  constructor(context: SendContext) {
    this.#context = context;
    const { journal, run } = context;
    this.#candidates = [
      ...readyRows(journal, run, 'alone', LOOKED_AT).map((row) => candidate(context, row, 'create')),
      ...readyRows(journal, run, 'update', LOOKED_AT).map((row) => candidate(context, row, 'update')),
    ];
  }

  /** The next row that goes first; undefined when all that is left may follow. */
  next(): First | undefined {
    const { journal, run } = this.#context;
    for (let best = this.#best(); best !== undefined; best = this.#best()) {
      this.#candidates = this.#candidates.filter((one) => one !== best);
      const isOpen = readState(journal, run, best.row.seq) === 'pending';
      if (isOpen && whatIsSentNow(this.#context, best.row).cannot.length === 0) return best;
    }
    const beside = this.#nextBeside();
    if (beside !== undefined) this.#tried.add(beside.row.seq);
    return beside;
  }

  /** A row has gone: nothing more is asked of its kind, and of what it carries. */
  hasGone({ kind, family, slugs }: First): void {
    this.#gone.add(kind);
    this.#count.set(family, (this.#count.get(family) ?? 0) + 1);
    const proven = this.#proven.get(family) ?? new Set();
    this.#proven.set(family, new Set([...proven, ...slugs]));
  }

  #best(): First | undefined {
    const [kinds, holders] = [new Lookup<string, First>(), new Lookup<string, First>()];
    for (const one of this.#candidates) {
      kinds.add(one.kind, one);
      for (const slug of one.slugs) holders.add(`${one.family} ${slug}`, one);
    }
    const isUnknown = unknownNow(this.#context);
    const doubted = new Map<string, ReadonlySet<string>>();
    let best: { first: First; rank: readonly number[] } | undefined;
    for (const first of this.#candidates) {
      const { family, kind, slugs, isVisible, row } = first;
      const open = this.#open(first).filter((slug) => holders.of(`${family} ${slug}`).length >= SOME);
      const inDoubt = madeOnce(doubted, family, () => fieldsIn(this.#context, first, 'doubted'));
      const isNew = this.#gone.has(kind)
        ? open.length > 0 && (this.#count.get(family) ?? 0) < FIRSTS_MAX
        : kinds.of(kind).length >= SOME || isUnknown(first);
      if (!isNew && !slugs.some((slug) => inDoubt.has(slug))) continue;
      const { enableComms, parentBarcode } = row.registration;
      const rank = [isVisible, !enableComms, open.length, slugs.length, parentBarcode === undefined].map(
        Number,
      );
      if (best === undefined || isMore(rank, best.rank)) best = { first, rank };
    }
    return best?.first;
  }

  /** What the row sends and nothing is known of. */
  #open(first: First): string[] {
    const { family, slugs } = first;
    const proven = madeOnce(this.#proven, family, () => fieldsIn(this.#context, first, 'proven'));
    return slugs.filter((slug) => !proven.has(slug));
  }

  /** One of each key by which people may be known; first those like rows of the files, where no stranger can be changed. */
  #nextBeside(): First | undefined {
    const { journal, run } = this.#context;
    const known = readRecognition(this.#context);
    let stranger: First | undefined;
    for (const row of readyRows(journal, run, 'beside', LOOKED_AT)) {
      for (const near of this.#tried.has(row.seq) ? [] : (row.near ?? [])) {
        const kind = `like ${near.key}`;
        if (known[near.key] !== undefined || this.#gone.has(kind)) continue;
        if (near.seq !== undefined && !isSentOrReady(journal, run, near.seq)) continue;
        const first = { row, near, sends: 'create', kind, family: kind, slugs: [], isVisible: true } as const;
        if (near.image === undefined || hasRowFor(journal, run, near.image)) return first;
        stranger ??= first;
      }
    }
    return stranger;
  }
}

function candidate({ event }: SendContext, row: QueuedRow, sends: First['sends']): First {
  const { registration, before } = row;
  const { persona, fields } = registration;
  const family = `${sends} ${persona}`;
  const shown = before?.fields ?? {};
  const held = fieldsOf(event)(persona)
    .map(({ slug }) => slug)
    .filter((slug) => Object.hasOwn(shown, slug) && plainValue(shown[slug]) !== undefined);
  const said = Object.keys(fields).filter((slug) => fields[slug]?.length !== 0);
  const isMember = (registration.parentBarcode ?? before?.parentBarcode) !== undefined;
  const around = [PERSONA.field, BARCODE.field, ...(isMember ? [PARENT.field] : [])];
  const changes = before === undefined ? [] : (changesTo(registration, before, fieldsOf(event)) ?? []);
  return {
    row,
    sends,
    family,
    kind: `${family} ${kindOf(row)}`,
    slugs: [...new Set([...said, ...held, ...around])],
    isVisible: sends === 'create' || changes.some((change) => !mayStay(change)),
  };
}

/** What is known of the fields of those that a row stands for. */
export const fieldsIn = (
  context: SendContext,
  { sends, row }: Pick<First, 'sends' | 'row'>,
  fact: Parameters<typeof readFields>[1]['fact'],
): ReadonlySet<string> => readFields(context, { fact, sends, persona: row.registration.persona });

/** Whether a row carries what came back otherwise of another one: it tells whether somebody has edited that. */
export function isWitness(context: SendContext, first: First): boolean {
  const doubted = fieldsIn(context, first, 'doubted');
  return first.slugs.some((slug) => doubted.has(slug));
}

/** Tells of rows whether it is not known at all what the service makes of such: then also a single one is looked at. */
export function unknownNow(context: SendContext): (first: Pick<First, 'sends' | 'row'>) => boolean {
  const isTaken = readLearned(context, 'upsert')?.value === 'update';
  const isLeft = readLearned(context, 'leaves') !== undefined;
  return ({ sends, row }) =>
    sends === 'update' && (!isTaken || (row.registration.leavesGroup === true && !isLeft));
}

/** What the row does to the group of its registration and to its persona, which may go wrong where other things do not. */
function kindOf({ registration, before }: QueuedRow): 'alone' | 'member' | 'moves' {
  const { persona, parentBarcode, leavesGroup } = registration;
  if (before === undefined) return parentBarcode === undefined ? 'alone' : 'member';
  const isMoved = before.persona !== undefined && before.persona !== persona;
  const isOther = parentBarcode !== undefined && parentBarcode !== PARENT.of(before);
  return isMoved || isOther || leavesGroup === true ? 'moves' : 'alone';
}

function isMore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}
