import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { addHelp } from '../options/help.ts';
import { globalOptions, type Handler, parsedBy } from '../options/options.ts';
import { tellPrograms } from '../terminal/terminal.ts';
import { SCRIPTS, SHELLS } from './shells.ts';

const completionOptions = globalOptions.extend({ shell: z.enum(SHELLS) });
type CompletionOptions = z.infer<typeof completionOptions>;

const HELP = `
Prints a script for your shell, which then completes commands, flags, files, kinds of guests, runs and profiles
when you press Tab. It asks eventreg itself, never the service.

Examples:
  eventreg completion bash > ~/.local/share/bash-completion/completions/eventreg
  echo 'source <(eventreg completion zsh)' >> ~/.zshrc
  eventreg completion fish > ~/.config/fish/completions/eventreg.fish
  Add-Content $PROFILE 'eventreg completion powershell | Out-String | Invoke-Expression'

Exit codes: 0 done · 2 not one of these shells`;

/** Defines `eventreg completion` on its command. */
export function defineCompletion(command: Command, handle: Handler<CompletionOptions>): void {
  addHelp(command, HELP)
    .description('Complete words of eventreg in your shell.')
    .argument('<shell>', SHELLS.join(', '));
  parsedBy(command, completionOptions, handle);
}

/** Prints the script. */
export async function runCompletion(options: CompletionOptions, runtime: Runtime): Promise<ExitCode> {
  const call = { options, runtime };
  const { shell, output } = options;
  const script = SCRIPTS[shell];
  if (output === 'json') await tellPrograms(call, 'completion@1', { shell, script });
  else runtime.stdout.write(script);
  return EXIT.done;
}
