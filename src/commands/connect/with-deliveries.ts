import { ServiceError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { type DeliveryFile, openDeliveries } from '../../sandbox/deliver/delivery-file.ts';

/** Works with the deliveries of a sandbox's file, whoever serves it. Throws ServiceError when it cannot be used. */
export async function withDeliveries<Result>(
  file: string,
  { clock }: Runtime,
  work: (deliveries: DeliveryFile) => Promise<Result>,
): Promise<Result> {
  const deliveries = open(file, () => clock.now());
  try {
    return await work(deliveries);
  } finally {
    await deliveries.close();
  }
}

function open(file: string, now: () => number): DeliveryFile {
  try {
    return openDeliveries(file, now);
  } catch (error) {
    throw new ServiceError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
