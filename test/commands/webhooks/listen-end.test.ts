import { expect, onTestFinished, test } from 'vitest';
import { Taking } from '../../../src/commands/webhooks/listen-deliveries.ts';
import { ListenEnd } from '../../../src/commands/webhooks/listen-end.ts';
import { listenOptions } from '../../../src/commands/webhooks/delivery-options.ts';
import { ReceivedStore } from '../../../src/webhooks/deliveries/received-store.ts';
import { createBytesSender } from '../../../src/webhooks/deliveries/send-bytes.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

test('takes none beyond the attempts of one that were asked for, while the webhook is still deleted', async () => {
  const clock = fakeClock();
  const options = listenOptions.parse({ action: 'listen', respond: '500', count: '2' });
  const store = new ReceivedStore(temporaryDirectory(), clock.now());
  const sender = createBytesSender({});
  onTestFinished(async () => {
    store.close();
    await sender.close();
  });
  const end = new ListenEnd(options);
  const numbers: number[] = [];
  const nothing = (): void => undefined;
  const taking: Taking = new Taking({
    options,
    clock,
    store,
    sender,
    service: 's',
    listen: 'l',
    scheme: undefined,
    secret: '',
    url: () => '',
    onTaken(delivery) {
      numbers.push(delivery.no);
      if (end.countOne(delivery)) taking.refuse();
    },
    onLeftOut: nothing,
    onScheme: nothing,
    onFailure: nothing,
  });
  const take = async (id: string): Promise<number> => {
    const arrival = { atMs: clock.now(), headers: ['webhook-id', id], body: Buffer.from(id) };
    return (await taking.take(arrival, new AbortController().signal)).status;
  };
  expect([await take('m1'), await take('m2'), await take('m1')]).toEqual([500, 500, 500]);
  await expect(take('m2')).rejects.toThrow('As many have come as were asked for.');
  expect([numbers, store.last(10).length]).toEqual([[1, 2, 3], 3]);
});
