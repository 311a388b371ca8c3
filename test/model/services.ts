import type { Switches } from '../../src/sandbox/store/switches.ts';
import type { Random } from './random.ts';

type Choice = { [Name in keyof Switches]?: readonly Switches[Name][] };

/** What any client copes with: looks only. */
const LOOKS: Choice = {
  pageShape: ['array', 'registrations-pagination', 'items-flat', 'results-links', 'laravel', 'link-header'],
  recordShape: ['flat', 'entries'],
  idKey: ['registration_id', 'id', 'uuid'],
  idForm: ['number', 'reused'],
  createStatus: ['200-201', '200', '201'],
  createBody: ['wrapped', 'echo'],
  errorShape: ['errors-map', 'errors-list', 'problem'],
  listOrder: ['newest'],
  perPageCap: [2, 7],
  pageOverflow: ['repeat-last', '404'],
  filterSpelling: ['persona', 'pesona', 'strict-persona', 'none'],
  barcodeFilter: ['ignored'],
  listTotal: ['hidden'],
  deleteStatus: ['204', '404'],
};

/** What an update leaves out. */
const UNSENT: Choice = {
  fieldsOnUpdate: ['replace', 'by-persona', 'by-field'],
  parentOnUpdate: ['replace'],
  commsOnUpdate: ['replace'],
};

/** What changes the meaning of a request, or hides what came of it. */
const MEANINGS: Choice = {
  recognise: ['barcode-any-case', 'email', 'email-in-persona', 'barcode-or-email'],
  upsert: ['double', 'refuse', 'ignore'],
  emptyParent: ['cleared', 'ignored'],
  parentDelete: ['orphaned', 'cascade', 'refused'],
  ownBarcodes: ['reissued'],
  storedAs: ['tidied', 'capitals', 'zero-time'],
  misstored: ['dropped', 'once', 'always'],
  uploads: ['signed', 'signed-taken'],
  personaListed: ['name'],
  choicesListed: ['labels'],
  fieldsForm: ['entries', 'entries-400'],
  valuesShape: ['objects-slug-label', 'objects-label-value', 'map'],
  recordBarcode: ['hidden'],
  recordParent: ['hidden'],
  recordComms: ['hidden'],
  idShown: ['lists', 'answers', 'nowhere'],
  idForm: ['odd'],
  idKey: ['none'],
  createStatus: ['202', '204'],
  createBody: ['empty', 'text'],
  readLagMs: [2000],
};

/** A service with some switches set. Harmless ones ask nothing of a client but care. */
export function anyService(random: Random, harmless: boolean): Partial<Switches> {
  const chosen: Record<string, unknown> = { limit: 0 };
  const draw = (from: Choice, share: number): void => {
    for (const [name, values] of Object.entries(from)) {
      if (random.chance(share)) chosen[name] = random.pick<unknown>(values);
    }
  };
  draw(LOOKS, 0.15);
  draw(UNSENT, 0.5);
  if (!harmless) draw(MEANINGS, 0.1);
  return chosen;
}
