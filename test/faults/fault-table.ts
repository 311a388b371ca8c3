import type { WireFault } from '../support/tcp-fault-proxy.ts';
import * as tcp from '../support/tcp-faults.ts';

/**
 * What the journal must make of a row's first attempt. `done`: a good answer came. `resent`: nothing was
 * processed, so it went out again without any doubt. `uncertain`: only reading the service can tell.
 */
export type AttemptClass = 'done' | 'resent' | 'uncertain';

export interface NamedFault {
  /** Either of two where the operating system decides whether the request was already on its way. */
  attempt: AttemptClass | readonly AttemptClass[];
  /** How often the service gets the first attempt. */
  landed: 0 | 1 | 2;
  /** The answer says that all is well, in JSON that is broken. */
  broken?: true;
  /** Shows only by the time that it takes: real time, whatever the clock of the program says. */
  silent?: true;
  /** Lets go what is held back as soon as the program reads the list. */
  late?: true;
  /** What becomes of the request, or of the first connection that is made for it. */
  wire: WireFault | 'refuse' | 'close' | 'reset';
}

const TOO_MANY = { delivered: false, headers: ['retry-after: 5'] };
const PAGE = '<html><title>Bad gateway</title></html>';

/** The ways in which the network, or what stands in it, fails one request. */
export const FAULTS: Readonly<Record<string, NamedFault>> = {
  'connection refused': { attempt: 'resent', landed: 0, wire: 'refuse' },
  'connection closed at accept': { attempt: ['resent', 'uncertain'], landed: 0, wire: 'close' },
  'connection reset at accept': { attempt: ['resent', 'uncertain'], landed: 0, wire: 'reset' },
  'request cut in its body': { attempt: 'uncertain', landed: 0, wire: tcp.cutRequest(tcp.inBody) },
  'request stalled': { attempt: 'uncertain', landed: 0, silent: true, wire: tcp.stallRequest },
  'request delivered late': { attempt: 'uncertain', landed: 1, late: true, wire: tcp.deliverLate },
  'request delivered twice': { attempt: 'done', landed: 2, wire: tcp.deliverTwice },
  'request delivered again late': { attempt: 'done', landed: 2, late: true, wire: tcp.deliverAgainLate },
  'request byte by byte': { attempt: 'done', landed: 1, wire: tcp.slowRequest },
  'half-closed before the answer': { attempt: 'uncertain', landed: 1, wire: tcp.halfCloseBeforeAnswer },
  'reset before the answer': { attempt: 'uncertain', landed: 1, wire: tcp.cutAnswer(tcp.none, 'reset') },
  'answer cut in its head': { attempt: 'uncertain', landed: 1, wire: tcp.cutAnswer(tcp.inHead) },
  'answer cut in its body': { attempt: 'uncertain', landed: 1, wire: tcp.cutAnswer(tcp.inBody) },
  'answer stalled': { attempt: 'uncertain', landed: 1, silent: true, wire: tcp.stallAnswer(tcp.none) },
  'answer stalled in its body': {
    attempt: 'uncertain',
    landed: 1,
    silent: true,
    wire: tcp.stallAnswer(tcp.inBody),
  },
  'answer byte by byte': { attempt: 'done', landed: 1, wire: tcp.slowAnswer },
  'garbage for an answer': { attempt: 'uncertain', landed: 1, wire: tcp.garbageAnswer },
  'garbage in the body of the answer': {
    attempt: 'uncertain',
    landed: 1,
    broken: true,
    wire: tcp.garbageInAnswer(tcp.inBody),
  },
  'answer twice': { attempt: 'done', landed: 1, wire: tcp.answerTwice },
  'answer shorter than it says': { attempt: 'uncertain', landed: 1, wire: tcp.wrongLength(7) },
  'answer without its last chunk': { attempt: 'uncertain', landed: 1, wire: tcp.truncatedChunks },
  'answer of HTTP/1.0': { attempt: 'done', landed: 1, wire: tcp.closeDelimited },
  '429 from a gateway': {
    attempt: 'resent',
    landed: 0,
    wire: tcp.answerInstead('429 Too Many Requests', '{}', TOO_MANY),
  },
  '502 from a gateway, delivered': {
    attempt: 'uncertain',
    landed: 1,
    wire: tcp.answerInstead('502 Bad Gateway', PAGE, { delivered: true }),
  },
};

/** Variations of them, which come to the same wherever a barcode is known. */
export const VARIATIONS: Readonly<Record<string, NamedFault>> = {
  'reset before anything is delivered': {
    attempt: 'uncertain',
    landed: 0,
    wire: tcp.cutRequest(tcp.none, 'reset'),
  },
  'request cut in its head': { attempt: 'uncertain', landed: 0, wire: tcp.cutRequest(tcp.inHead) },
  'request reset before its last byte': {
    attempt: 'uncertain',
    landed: 0,
    wire: tcp.cutRequest(tcp.allButOne, 'reset'),
  },
  'half-closed after the request': { attempt: 'done', landed: 1, wire: tcp.halfCloseAfterRequest },
  'answer reset in its body': { attempt: 'uncertain', landed: 1, wire: tcp.cutAnswer(tcp.inBody, 'reset') },
  'garbage in the head of the answer': {
    attempt: 'uncertain',
    landed: 1,
    wire: tcp.garbageInAnswer(tcp.inHead),
  },
  'answer longer than it says': { attempt: 'uncertain', landed: 1, broken: true, wire: tcp.wrongLength(-7) },
  'early hints before the answer': { attempt: 'done', landed: 1, wire: tcp.interimFirst('103 Early Hints') },
  'early hints without end': {
    attempt: 'uncertain',
    landed: 1,
    silent: true,
    wire: tcp.interimWithoutEnd('103 Early Hints', { everyMs: 50, forMs: 2000 }),
  },
  'a needless 100 before the answer': {
    attempt: 'uncertain',
    landed: 1,
    wire: tcp.interimFirst('100 Continue'),
  },
  '502 from a gateway, not delivered': {
    attempt: 'uncertain',
    landed: 0,
    wire: tcp.answerInstead('502 Bad Gateway', PAGE, { delivered: false }),
  },
};
