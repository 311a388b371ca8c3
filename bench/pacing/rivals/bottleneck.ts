import Bottleneck from 'bottleneck';
import { type Rival, untilAccepted } from './rival.ts';
import { sleep } from './virtual-time.ts';

/** The only steps in which Bottleneck refills. */
const STEP_MS = 250;
const LOOK_AGAIN_MS = 1000;

/** Told what the service does not say: limit and window. */
export const bottleneckTold: Rival = (ask, { limit, windowMs }) => {
  const limiter = new Bottleneck({
    reservoir: limit,
    reservoirRefreshAmount: limit,
    reservoirRefreshInterval: Math.ceil(windowMs / STEP_MS) * STEP_MS,
  });
  return untilAccepted(() => limiter.schedule(ask));
};

/** Its reservoir is Remaining less what is under way; an empty one gets one more request each second. */
export const bottleneckByHeaders: Rival = (ask) => {
  const limiter = new Bottleneck({ reservoir: 1 });
  let underWay = 0;
  let looks = false;
  const lookAgain = async () => {
    if (looks) return;
    looks = true;
    await sleep(LOOK_AGAIN_MS);
    looks = false;
    if ((await limiter.currentReservoir()) === 0) limiter.updateSettings({ reservoir: 1 });
    void lookAgain();
  };
  void lookAgain();
  return untilAccepted(() =>
    limiter.schedule(async () => {
      underWay += 1;
      const answer = await ask();
      underWay -= 1;
      const { remaining } = answer;
      if (remaining !== undefined) {
        limiter.updateSettings({ reservoir: Math.max(0, remaining - underWay) });
      }
      return answer;
    }),
  );
};
