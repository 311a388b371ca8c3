/** A word of a command line, or what stands between two commands of it. */
const TOKEN =
  /"((?:\\.|[^"\\])*)"|'([^']*)'|(&&|\|\||[;|&<>()\n])|(?:\\\n|[^\S\n])+|(?<![^\s(])#.*|([^\s"'&|;<>()]+)/g;
const BETWEEN = /^(?:&&|\|\||[;|&()\n])$/;

/** A command of the documentation. */
export interface DocumentedCommand {
  /** As it is written, without `eventreg`. */
  typed: string;
  argv: readonly string[];
}

/** What stands in the fences of a page in these languages, in order. */
export function fencesIn(markdown: string, languages: readonly string[]): string[] {
  const fences = [...markdown.matchAll(/^```(\w*)[^\n]*\n(.*?)^```/gms)];
  return fences.flatMap(([, language = '', text = '']) => (languages.includes(language) ? [text] : []));
}

/** The `eventreg …` commands of a script, also behind `&&`, in `$(…)`, and as the quoted words of another command. */
export function commandsIn(script: string): DocumentedCommand[] {
  return splitCommands(script).flatMap((words) => {
    const quoted = words.filter((word) => /(?:^|[\s(])eventreg\s/.test(word)).flatMap(commandsIn);
    const at = words.indexOf('eventreg');
    if (at < 0 || words.slice(0, at).includes('install')) return quoted;
    const argv = words.slice(at + 1);
    return [{ typed: argv.join(' '), argv }, ...quoted];
  });
}

/** The words of each command; where output goes to is none of them. */
function splitCommands(script: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let redirected = false;
  const end = (): void => {
    if (word !== undefined && !redirected) commands.at(-1)?.push(word);
    if (word !== undefined) redirected = false;
    word = undefined;
  };
  for (const [, double, single, operator, plain] of script.matchAll(TOKEN)) {
    const part = double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? plain;
    if (part !== undefined) {
      word = (word ?? '') + part;
      continue;
    }
    // `2>` and `<` are followed by a file, `<(` by a command.
    if (operator === '>' && word !== undefined && /^\d$/.test(word)) word = undefined;
    end();
    if (operator === undefined) continue;
    if (BETWEEN.test(operator)) commands.push([]);
    redirected = operator === '<' || operator === '>';
  }
  end();
  return commands.filter((words) => words.length > 0);
}
