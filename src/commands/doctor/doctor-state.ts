import { EventregError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { isShared, withSpace } from '../connect/shared-journal.ts';
import { type Finding, type Findings, ok, problem, problemOf } from './doctor-finding.ts';

const CHECK = 'shared state';

/** Whether what EVENTREG_STATE names can be used, and who is at work there. Nothing where it names nothing. */
export async function* checkSharedState(runtime: Runtime): Findings {
  if (isShared(runtime)) yield await lookAt(runtime);
}

async function lookAt(runtime: Runtime): Promise<Finding> {
  try {
    return await withSpace({ options: { quiet: true }, runtime }, async (opener) => {
      await opener.head();
      const beganMs = runtime.clock.now();
      const { holder, leftMs } = await opener.head();
      const tookMs = runtime.clock.now() - beganMs;
      const { database, name } = opener.space;
      const [server] = await database.ask<{ server_version: string }>('SHOW server_version');
      const { atWork } = await import('../../state/space-errors.ts');
      const facts = [
        `space "${name}" at ${database.address.label}`,
        `PostgreSQL ${server?.server_version ?? ''}`,
        database.address.connection.ssl === false ? 'without TLS' : 'TLS',
        `answers in ${tookMs} ms`,
        'the key fits',
        leftMs > 0 ? atWork(holder) : 'nobody is at work',
      ];
      return ok(CHECK, facts.join(', '));
    });
  } catch (error) {
    if (error instanceof EventregError) return problemOf(CHECK, error);
    return problem(CHECK, String(error), 'Install eventreg again for this system.');
  }
}
