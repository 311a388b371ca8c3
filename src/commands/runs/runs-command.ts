import { EXIT, type ExitCode } from '../../errors.ts';
import { Journal } from '../../runs/journal/journal.ts';
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
        await listAllRuns(journal, options, runtime);
        break;
      case 'show':
        await showRun(journal, options, runtime);
        break;
      case 'why': {
        const { tellWhy } = await import('./runs-why.ts');
        await tellWhy(journal, options, runtime);
        break;
      }
      case 'report': {
        const { reportRun } = await import('./runs-report.ts');
        await reportRun(journal, options, runtime);
        break;
      }
      case 'bundle': {
        const { bundleRun } = await import('./runs-bundle.ts');
        await bundleRun(journal, options, runtime);
        break;
      }
      case 'decide':
        await decideRow(journal, options, runtime);
        break;
      case 'undo': {
        const { undo } = await import('./runs-undo.ts');
        return await undo(journal, options, runtime);
      }
      case 'purge':
        await purge(journal, options, runtime);
    }
    return EXIT.done;
  } finally {
    journal.close();
  }
}
