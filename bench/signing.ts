// Finding out how a delivery is signed, and checking one: `npm run bench`, or `npm run bench -- signing`.
import { randomBytes } from 'node:crypto';
import { sign } from '../src/webhooks/signing/sign.ts';
import { verify } from '../src/webhooks/signing/verify.ts';
import {
  NOISE,
  NOW_MS,
  requestOf,
  SAMPLES,
  schemeOf,
  title,
  URL_CALLED,
} from '../test/webhooks/signing/samples.ts';

const TIMES = 25;
/** The usual size of a delivery, and the most that is taken. */
const SIZES = [2048, 1024 * 1024];

function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

/** The slowest of all samples, each by the median of its times; milliseconds. */
function slowest(
  body: Buffer,
  secretOf: (sample: (typeof SAMPLES)[number]) => string,
  isAuto: boolean,
): string {
  const medians = SAMPLES.map((sample) => {
    const scheme = schemeOf(sample.scheme);
    const signed = sign(scheme, sample.signing, { id: 'msg_1', timestampMs: NOW_MS, body, url: URL_CALLED });
    const request = requestOf({ ...NOISE, ...signed }, { body });
    const times = Array.from({ length: TIMES }, () =>
      timeOf(() => void verify(isAuto ? 'auto' : scheme, secretOf(sample), request)),
    );
    return { name: title(sample), ms: times.toSorted((a, b) => a - b)[TIMES >> 1] ?? 0 };
  });
  const worst = medians.reduce((one, other) => (one.ms > other.ms ? one : other));
  return `${worst.ms.toFixed(2)} ms (${worst.name})`;
}

for (const size of SIZES) {
  const body = randomBytes(size);
  const found = slowest(body, ({ verifying }) => verifying, true);
  const none = slowest(body, ({ other }) => other.verifying, true);
  const checked = slowest(body, ({ verifying }) => verifying, false);
  process.stdout.write(
    `signatures over ${size} bytes, the slowest of ${SAMPLES.length}: found out in ${found}, not found in ${none} ` +
      `(50 ms wanted); checked in ${checked}\n`,
  );
}
