import { EventregError } from '../../errors.ts';
import { accessOf, withSpace } from '../connect/shared-journal.ts';
import { given } from '../../settings/env.ts';
import type { SpaceOpener } from '../../state/open-space.ts';
import type { Call } from '../terminal/terminal.ts';
import { type Finding, type Findings, ok, problem, problemOf } from './doctor-finding.ts';

const CHECK = 'shared state';

/** Whether what is shared can be used, where it comes from, and who is at work there. Nothing where nothing is. */
export async function* checkSharedState(call: Call): Findings {
  const found = await lookAt(call);
  if (found !== undefined) yield found;
}

async function lookAt({ options: { profile }, runtime }: Call): Promise<Finding | undefined> {
  try {
    const call = { options: { quiet: true, profile }, runtime };
    const access = await accessOf(call);
    if (access === undefined) return undefined;
    const from = given(runtime.env, 'EVENTREG_STATE') === undefined ? 'the profile' : 'EVENTREG_STATE';
    const look = async (opener: SpaceOpener): Promise<Finding> => {
      await opener.head();
      const beganMs = runtime.clock.now();
      const { holder, leftMs } = await opener.head();
      const tookMs = runtime.clock.now() - beganMs;
      const { database, name } = opener.space;
      const [server] = await database.ask<{ server_version: string }>('SHOW server_version');
      const { atWork } = await import('../../state/space-errors.ts');
      const facts = [
        `space "${name}" at ${database.address.label} (${from})`,
        `PostgreSQL ${server?.server_version ?? ''}`,
        database.address.connection.ssl === false ? 'without TLS' : 'TLS',
        `answers in ${tookMs} ms`,
        'the key fits',
        leftMs > 0 ? atWork(holder) : 'nobody is at work',
      ];
      return ok(CHECK, facts.join(', '));
    };
    return await withSpace(call, look, access);
  } catch (error) {
    if (error instanceof EventregError) return problemOf(CHECK, error);
    return problem(CHECK, String(error), 'Install eventreg again for this system.');
  }
}
