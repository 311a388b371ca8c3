import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { EXIT, type ExitCode, InterruptedError } from '../src/errors.ts';
import { main, type Runtime } from '../src/start.ts';

const WAYS = [
  {
    value: 'sandbox',
    label: 'Try the list on the practice service',
    hint: 'nothing leaves this machine',
  },
  {
    value: 'login',
    label: 'Say where your service is, and how to get in',
    hint: 'then the list is pushed there',
  },
];

/**
 * Runs the words of the command line. Who has dropped a file on the program has no shell to type `eventreg login` into:
 * where no service is known, that is asked at once.
 */
export async function runDropped(
  argv: readonly string[],
  runtime: Runtime,
  hasOwnWindow: () => Promise<boolean>,
): Promise<ExitCode> {
  // Windows names what was dropped by its whole path.
  const isDropped = argv.length > 0 && argv.every((word) => isAbsolute(word));
  if (!isDropped || knowsService(runtime) || !(await hasOwnWindow())) return await main(argv, runtime);
  try {
    const prompt = await runtime.prompt();
    const way = await prompt.select('eventreg does not know your registration service yet. What now?', WAYS);
    if (way === 'sandbox') return await main([...argv, '--sandbox'], runtime);
    const code = await main(['login'], runtime);
    return code === EXIT.done ? await main(argv, runtime) : code;
  } catch (error) {
    if (error instanceof InterruptedError) return EXIT.interrupted;
    throw error;
  }
}

function knowsService({ env, paths }: Runtime): boolean {
  return Boolean(env['EVENTREG_BASE_URL']) || existsSync(join(paths.config, 'profiles.json'));
}
