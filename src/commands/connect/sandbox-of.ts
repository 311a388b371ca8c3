import { describeCopy } from '../../sandbox/store/copied.ts';
import { cloneFile, cloneNames } from './clone-files.ts';

/** What `--sandbox` is to say for runs at this service: a clone of this machine, else the embedded sandbox. */
export function sandboxOf(stateDir: string, service: string): true | string {
  const name = cloneNames(stateDir).find(
    (one) => `sandbox:${describeCopy(cloneFile(stateDir, one))?.instanceId}` === service,
  );
  return name ?? true;
}

/** The clone of this machine whose people are masked by a key. */
export function cloneMaskedBy(stateDir: string, mark: string): string | undefined {
  return cloneNames(stateDir).find((one) => describeCopy(cloneFile(stateDir, one))?.copied.maskedBy === mark);
}
