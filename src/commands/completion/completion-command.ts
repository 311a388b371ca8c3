import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { addHelp } from '../options/help.ts';
import { globalOptions, type Handler, parsedBy } from '../options/options.ts';
import { tellPrograms } from '../terminal/terminal.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof SHELLS)[number];

const BASH = String.raw`_eventreg_words() {
  local line at="${'$'}{COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$at")
    else
      COMPREPLY+=("$(printf '%q' "${'$'}{line%%$'\t'*}")")
    fi
  done < <(eventreg complete --at="$at" -- "${'$'}{COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -F _eventreg_words eventreg
`;

const ZSH = String.raw`#compdef eventreg
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_eventreg() {
  local line files
  local -a found
  for line in "${'$'}{(@f)$(eventreg complete --at="${'$'}{(Q)words[CURRENT]}" -- "${'$'}{(@Q)words[2,CURRENT-1]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then files=1
    elif [[ -n $line ]]; then found+=("${'$'}{${'$'}{line%%$'\t'*}//:/\\:}:${'$'}{line#*$'\t'}")
    fi
  done
  (( $#found )) && _describe -V 'eventreg' found
  [[ -n $files ]] && _files
  return 0
}
compdef _eventreg eventreg
`;

const FISH = String.raw`function __eventreg_words
  set -l words (commandline -opc)
  set -e words[1]
  set -l at (commandline -ct)
  for line in (eventreg complete --at="$at" -- $words 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path "$at"
    else
      echo $line
    end
  end
end
complete -c eventreg -f -a '(__eventreg_words)'
`;

const POWERSHELL = String.raw`Register-ArgumentCompleter -Native -CommandName eventreg -ScriptBlock {
  param($at, $line, $cursor)
  $before = @($line.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  eventreg complete "--at=$at" '--' @before 2>$null | ForEach-Object {
    $value, $about = $_ -split "${'`'}t", 2
    if ($value -ne ':files') {
      if (-not $about) { $about = $value }
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
  }
}
`;

/** What a shell has to read, once in each session, to complete words of eventreg. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};

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

export function defineCompletion(command: Command, handle: Handler<CompletionOptions>): void {
  addHelp(command, HELP)
    .description('Complete words of eventreg in your shell.')
    .argument('<shell>', SHELLS.join(', '));
  parsedBy(command, completionOptions, handle);
}

export async function runCompletion(options: CompletionOptions, runtime: Runtime): Promise<ExitCode> {
  const call = { options, runtime };
  const { shell, output } = options;
  const script = SCRIPTS[shell];
  if (output === 'json') await tellPrograms(call, 'completion@1', { shell, script });
  else runtime.stdout.write(script);
  return EXIT.done;
}
