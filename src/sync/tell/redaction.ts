import { createHmac, randomBytes } from 'node:crypto';
import type { EventInfo } from '../../registration/model/persona.ts';
import { isMadeId } from '../../registration/evidence/mask.ts';

/** 48 bits: a million values have a token each. */
const CHARACTERS = 12;

/** A word, and the punctuation around it. */
const CHUNK = /^([!-/:-@[-`{-~…→]*)(.*?)([!-/:-@[-`{-~…→]*)$/su;
/** What stands between words that are written as one, such as `fields.first_name`. */
const JOINTS = /[./:=,()[\]"']+/u;

/** Names around the fields of a registration. */
const AROUND = ['persona', 'barcode', 'parent_barcode', 'enable_comms'];

/** How a value goes into a bundle. */
type How = 'plain' | 'name' | 'text' | 'token';

/** By the key that it stands under. What is not named here is a token. */
const HOW: Readonly<Record<string, How>> = {
  ...keys(
    'plain',
    'row line part op plan state kind verdict code attempts attempt step status at checked_at enable_comms',
  ),
  ...keys(
    'plain',
    'run undoes goes_on_from continued_by at_work started ended service format counts allowed',
  ),
  ...keys('name', 'persona field'),
  ...keys('text', 'message detail findings remedy repair column'),
};

function keys(how: How, names: string): Record<string, How> {
  return Object.fromEntries(names.split(' ').map((name) => [name, how]));
}

/** Says things in a way that shows what they are about, and nothing that anybody has written. Nothing becomes null. */
export class Redaction {
  readonly #key: Buffer;
  /** Slugs that the event has, and the names around them. */
  readonly #names: ReadonlySet<string>;
  readonly #words: ReadonlySet<string>;

  /** `event`: whose fields and personas may be named. */
  constructor(event: Pick<EventInfo, 'personas'>, key: Buffer = randomBytes(32)) {
    this.#key = key;
    const fields = event.personas.flatMap((persona) => persona.fields);
    this.#names = new Set([...AROUND, ...[...event.personas, ...fields].map(({ slug }) => slug)]);
    const labels = [...event.personas.map(({ name }) => name), ...fields.map(({ label }) => label)];
    this.#words = new Set([...PLAIN_WORDS, ...this.#names, ...labels.flatMap((label) => label.split(/\s+/))]);
  }

  /** A token in the place of a value: the same for equal ones, and nothing tells the value without the key, kept nowhere. */
  token<T extends string | undefined>(value: T): T extends string ? string : string | null {
    const digest = (text: string): string => createHmac('sha256', this.#key).update(text).digest('hex');
    return (value === undefined ? null : `t-${digest(value).slice(0, CHARACTERS)}`) as never;
  }

  /** Every word that is neither the event's nor one of eventreg's own becomes a token. */
  text<T extends string | undefined>(text: T): T extends string ? string : string | null {
    const shown = text?.replace(/\S+/gu, (chunk) => {
      const [, before = '', word = '', after = ''] = CHUNK.exec(chunk) ?? [];
      const isPlain = this.#words.has(word) || word.split(JOINTS).every((part) => this.#words.has(part));
      return word === '' || isPlain ? chunk : `${before}${this.token(word)}${after}`;
    });
    return (shown ?? null) as never;
  }

  /** The slug of a field or persona of the event; any other is a token. */
  name<T extends string | undefined>(slug: T): T extends string ? string : string | null {
    return slug !== undefined && this.#names.has(slug) ? slug : this.token(slug);
  }

  /** A record with all that is in it, each value by its key. What is undefined is null. */
  record(value: unknown, how: How = 'token'): unknown {
    if (value === undefined || value === null || how === 'plain') return value ?? null;
    if (Array.isArray(value)) return value.map((one) => this.record(one, how));
    if (typeof value === 'object') {
      const entries = Object.entries(value).map(([key, one]) => [key, this.#under(key, one)]);
      return Object.fromEntries(entries);
    }
    return this[how](typeof value === 'string' ? value : JSON.stringify(value));
  }

  #under(key: string, value: unknown): unknown {
    // A service may answer with an id of its own.
    if (key === 'request_id' && typeof value === 'string' && isMadeId(value)) return value;
    return this.record(value, HOW[key]);
  }
}

/**
 * Words that may stand in what a bundle says: those of eventreg's own sentences, and what services commonly say of a
 * request. With a capital only those that are nobody's name.
 */
const PLAIN_WORDS: ReadonlySet<string> = new Set(
  `
  a about accept accepted action active add added adding address addresses adds advice after again ahead alike all
  allowed allows alone along alphabets already also although among an and anew another answer answered answers any
  anything apart are array arrived as ask asked asks assigned at attempt attempts authorities authority away back
  backup bad barcode barcodes base be became because become becomes been before begin begins being belong belongs
  beside besides between blank blocked boolean both break breaks bring brings broken brought budget but by bytes
  calculate calendar called came can cannot case cause cell cells certain certificate certificates change changed
  changing character characters check checked checks chmod choose chosen circle clear clock closed code codes
  column columns come comes coming comma command companion companion's companions compare compared compares
  comparing complete computer config confirmed conflict connecting connection contain contains control correct
  could count country counts create created creates csv current cut damaged data date date-order dates day days
  decide decided decimals decoded deep default delete deleted deletes deleting deletion depend depth described did
  diff differ differences different differs digit digits directory disk do doctor documented does domain domains
  dot dots doubt down dropped dry-run duplicate duplicates e-mail each earlier edit edited either else email
  email-across embedded empties empty encrypted end ended ends entered entries entry equal error escape event
  eventreg every everything exactly example exceeded exceeds exceptions exist exists expected expired explanation
  export failed false far fault fewer field fields file file's files fill fills filter filters find finds first
  fit fits folder followed for forbidden form format formula found fragment from front full full-width
  function further gaps gateway gave get give given gives go goes gone got group groups guess guest guests had
  hand has hash have held here hold holds host hour how http https hyphen id ids if ignores in incomplete inside
  instead integ-url internal interrupted into invalid invisible is it its itself join journal json just keep
  keeps kept keychain knew know known knows label labels lacks large larger last lasts later latest learn
  least leave leaves left length less let letter letters levels like likely limit line link list listed listens
  lists little lives local log login long longer look looked looks lose lost machine made mail maintenance make
  make-barcodes makes many map mapping match matched max-failures max-wait maximum may mean meaning means meant
  meanwhile media member members mend message messages minimum minute missing mixes moment month more most move
  must name named names narrow ndjson near nearly needed needs negative neither nested network never new newer
  news next no no-break no-check-dns no-saved-mapping nobody none nor not not-sent notation notes
  nothing now nowhere null number numbers object of off offer ok old older on once one ones only op open opened
  operation option options or orders other others otherwise ours out outside overloaded overwrite
  overwritten own pad parameter parent parents part password path paths pattern payload pending people perhaps
  permissions permitted person persona personal personas phone place plain plan plan-out point position prints
  private probably problem problems process profile profiles program programs proof property proven proves proxy
  prune pruned push pushed put puts query queue quotes rate reached read reading reads reason reasons
  record records redirect redirects refused refuses register registered registers registration registrationId
  registrations rehearse rejected remedy remove removed repeated request requests required reset rest result
  retry return right room row row's rows run running runs safe said same sandbox save saved say
  says schema scientific second see seen send sends sent separators server service service's set set-up sets
  settings settle settled several shape sheet short should show showing shown shows side signed since site skip
  skipped slashes slows slug so some somebody something space spaces spelling spreadsheet staging stand stands
  start started state status stay stays still stop stopped store stored stores stranger string such symbolic
  system system's tables take taken takes tell tells template temporarily temporary text texts than that the their
  them then there these they this those though thousands through ticket tie tied time timeout times titled to
  today token told too took totals tried true trust try turn twice two type types unauthorized unavailable
  uncertain unchecked undecided undefined under undo undone unencrypted unexpected unique unknown unless unnamed
  unprocessable unsent unset unsupported up update updated updates upload use used user uses valid validation
  value values verbose verdicts wait waiting want warning warnings was way web webhook webhooks well went were
  what whatever when where whether which while who whoever whole whom why widen will window with within without
  word workbook worked worst would write writes written wrong wrongly year yesterday yet you your zeros zone
  base_url blocklist blocklisted born distinct done email's guest's node page pages seconds
  A All Another Ask Bad Check Conflict DNS Duplicate Error Failed Forbidden Found Gateway HTML HTTP ID If
  Internal Invalid Is It JSON MX Many Mend Missing Must Not Nothing One Rate Register Request Required Requests
  Run Send Server Service Several Such Temporarily That The There These They This Timeout Too URL UTC Unauthorized
  Unavailable Unexpected Unknown Unprocessable Validation Value Wait
  `
    .trim()
    .split(/\s+/),
);
