import { EXIT, type ExitCode } from '../../errors.ts';
import { Journal } from '../../sync/journal/journal.ts';
import type { Runtime } from '../../runtime.ts';
import { decideRow } from './runs-decide.ts';
import { listAllRuns } from './runs-list.ts';
import type { RunsOptions } from './runs-options.ts';
import { purge } from './runs-purge.ts';
import { showRun } from './runs-show.ts';

/** Reads the journal, or changes what it says. Throws UsageError for an unknown run. */
export async function runRuns(options: RunsOptions, runtime: Runtime): Promise<ExitCode> {
  const journal = new Journal(runtime.paths.state);
  try {
    switch (options.action) {
      case 'list':
        await listAllRuns(journal, { options, runtime });
        break;
      case 'show':
        await showRun(journal, { options, runtime });
        break;
      case 'why':
        await (await import('./runs-why.ts')).tellWhy(journal, { options, runtime });
        break;
      case 'report':
        await (await import('./runs-report.ts')).reportRun(journal, { options, runtime });
        break;
      case 'bundle':
        await (await import('./runs-bundle.ts')).bundleRun(journal, { options, runtime });
        break;
      case 'decide':
        await decideRow(journal, { options, runtime });
        break;
      case 'undo':
        return await (await import('./runs-undo.ts')).undo(journal, { options, runtime });
      case 'purge':
        await purge(journal, { options, runtime });
    }
    return EXIT.done;
  } finally {
    journal.close();
  }
}
