import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { RemovalError } from '../../src/service/remove-registration.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { answer, notSent, script, sentButLost } from '../support/http-answers.ts';
import { clientOver, sandboxClient } from '../support/service-client.ts';
import { everyPair, fill, words } from './visitors.ts';

const removing = (...steps: Parameters<typeof script>) => {
  const network = script(...steps);
  let made = 0;
  const { client } = clientOver(network.send, { requestId: () => `own-${(made += 1)}` });
  return { removed: client.registrations.remove('r1'), network };
};

/** The error that a removal ends in. */
const failing = async (...steps: Parameters<typeof script>) => {
  const { removed, network } = removing(...steps);
  const error = await removed.catch((reason: unknown) => reason as RemovalError);
  return { error: error as RemovalError, requests: network.requests.length };
};

test.each(everyPair(words('deleteStatus'), words('deleteAgain')))(
  'a delete in the sandbox is done once, with %s and then %s',
  async (deleteStatus, deleteAgain) => {
    const { client, sandbox } = await sandboxClient({ deleteStatus, deleteAgain, requestIds: 'own' });
    await fill(client, 2);
    const id = sandbox.registrations()[0]?.id ?? '';
    expect(await client.registrations.remove(id)).toEqual({
      result: deleteStatus === '404' ? 'absent' : 'deleted',
      status: Number(deleteStatus),
      requestId: expect.stringMatching(/^sandbox-/),
    });
    expect(sandbox.registrations().map((one) => one.barcode)).toEqual(['B2']);
    expect(await client.registrations.remove(id)).toMatchObject(
      deleteAgain === '404' ? { result: 'absent', status: 404 } : { result: 'deleted', status: 204 },
    );
    expect(await client.registrations.remove('never-there')).toMatchObject({ result: 'absent' });
  },
);

describe('a delete that went unanswered', () => {
  test.each([
    ['silence', sentButLost()],
    ['500', answer(500)],
    ['a status that is not listed', answer(418)],
  ])('takes 404 after %s for its own doing', async (_what, first) => {
    const { removed, network } = removing(first, answer(404));
    expect(await removed).toEqual({ result: 'deleted', status: 404, requestId: 'own-2' });
    expect(network.requests.map((request) => request.method)).toEqual(['DELETE', 'DELETE']);
  });

  test('takes 404 for nobody’s doing when the one before was not sent, or refused unprocessed', async () => {
    expect(await removing(notSent(), answer(404)).removed).toMatchObject({ result: 'absent', status: 404 });
    expect(await removing(answer(429), answer(410)).removed).toMatchObject({ result: 'absent', status: 410 });
  });

  test('is asked three times, a little apart, and may have worked', async () => {
    for (const step of [sentButLost(), answer(503, { message: 'Down.' })]) {
      const clock = fakeClock({ auto: true });
      const network = script(step);
      const { client } = clientOver(network.send, { clock });
      const removed = client.registrations.remove('r1');
      await expect(removed).rejects.toMatchObject({ exitCode: 1, mayBeGone: true, stop: false });
      expect([network.requests.length, clock.slept]).toEqual([3, [1000, 2000]]);
    }
  });

  test('may have worked although a later attempt is refused, or cannot be sent', async () => {
    const refused = await failing(sentButLost(), answer(409, { message: 'Has members.' }));
    expect(refused.error).toMatchObject({
      message: expect.stringContaining('Has members.'),
      mayBeGone: true,
    });
    const cut = await failing(sentButLost(), notSent());
    expect(cut.error).toMatchObject({ mayBeGone: true, stop: false });
  });

  test('ends as interrupted when it is broken off', async () => {
    const broken = Object.assign(sentButLost('ABORTED'), { cause: new InterruptedError() });
    const { error, requests } = await failing(broken);
    expect([error.exitCode, requests]).toEqual([130, 1]);
  });
});

describe('a delete that is refused', () => {
  test.each([
    ['a web page', answer(200, '<html><title>Log in</title>'), 'a web page titled "Log in"', true, false],
    ['broken JSON', answer(200, '{"mess'), 'something else where JSON', true, false],
    ['words of failure', answer(200, { success: false, message: 'Locked.' }), 'says: Locked.', true, false],
    ['a redirect', answer(302, '', { location: '/login' }), 'redirects to /login', true, true],
    ['409', answer(409, { message: 'Has members.' }), '409: Has members.', false, false],
    ['422', answer(422, { message: 'Checked in.' }), '422: Checked in.', false, false],
    ['405', answer(405), 'answered 405', false, true],
    ['401', answer(401), 'did not accept the token', false, true],
    ['403', answer(403), 'does not let this token do that', false, true],
  ])('by %s is asked once, and says what that means', async (_what, step, message, mayBeGone, stop) => {
    const { error, requests } = await failing(step);
    expect(error).toBeInstanceOf(RemovalError);
    expect(error).toMatchObject({
      message: expect.stringContaining(message),
      mayBeGone,
      stop,
      requestId: 'own-1',
      exitCode: message.includes('token') ? 4 : 1,
    });
    expect(requests).toBe(1);
  });

  test('by 403 is a matter of what the token may do, not of a new login', async () => {
    const { error } = await failing(answer(403, { message: 'Read only.' }));
    expect(error.message).toContain('(403: Read only.)');
    expect(error.hint).toContain('what the token may do');
    expect(error.hint).not.toContain('Log in again');
  });

  test('by a certificate stops everything, and nothing is gone', async () => {
    const { error } = await failing(notSent('SELF_SIGNED_CERT_IN_CHAIN'));
    expect(error).toMatchObject({ mayBeGone: false, stop: true, requestId: undefined });
    expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
  });

  test.each([
    ['nothing', answer(200)],
    ['text', answer(200, 'Gone.')],
    ['unknown JSON', answer(202, { weather: 'fine' })],
  ])('is not what %s means', async (_what, step) => {
    expect(await removing(step).removed).toMatchObject({ result: 'deleted' });
  });

  test.each(['..', '.', ''])('never sends the id %j', async (id) => {
    const network = script(answer(200));
    await expect(clientOver(network.send).client.registrations.remove(id)).rejects.toThrow('cannot be part');
    expect(network.requests).toEqual([]);
  });
});

test('onSending runs before each attempt with its id, and what it throws stops the delete', async () => {
  const seen: string[] = [];
  const network = script(sentButLost(), answer(429), answer(204));
  let made = 0;
  const { client } = clientOver(network.send, { requestId: () => `own-${(made += 1)}` });
  await client.registrations.remove('r1', (id) => void seen.push(id));
  expect(seen).toEqual(['own-1', 'own-2', 'own-3']);
  const full = new Error('the journal is full');
  const stopped = client.registrations.remove('r1', () => {
    throw full;
  });
  await expect(stopped).rejects.toBe(full);
  expect(network.requests).toHaveLength(3);
});
