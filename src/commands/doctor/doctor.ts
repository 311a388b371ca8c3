import type { Command } from 'commander';
import { EventregError, EXIT, GaveUpError, type ExitCode } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Runtime } from '../../runtime.ts';
import type { Settings } from '../../settings/settings.ts';
import { redactor } from '../../settings/redactor.ts';
import { connectSaying } from '../connect/connect-saying.ts';
import type { Connection } from '../connect/connection.ts';
import {
  type Finding,
  type Findings,
  ok,
  problem,
  problemOf,
  skipped,
  worstExitCode,
} from './doctor-finding.ts';
import { checkMachine } from './doctor-machine.ts';
import { checkService, SERVICE_CHECKS } from './doctor-service.ts';
import { checkSettings, describeAddress } from './doctor-settings.ts';
import { addHelp, withWay } from '../options/help.ts';
import { type GlobalOptions, globalOptions, type Handler, parsedBy } from '../options/options.ts';
import { openRecords, say, type Call } from '../terminal/terminal.ts';
import { isTooShort } from '../../settings/credentials.ts';

export type DoctorOptions = GlobalOptions;

/** Whoever asks what is wrong waits no longer for the service, all waits for the budget together. */
const LONGEST_WAIT_MS = 60_000;
const HELD_BACK = 'The service takes no requests for now.';

const COLUMNS = ['check', 'result', 'found', 'advice'];

export function defineDoctor(command: Command, handle: Handler<DoctorOptions>): void {
  addHelp(command, HELP).description(
    'Find out what is wrong with this set-up: machine, settings, token, service.',
  );
  parsedBy(command, globalOptions, handle);
}

const HELP = `
One line a check, what is wrong first: !! (a problem, with what to do about it), ! (a warning), ok or
-- (skipped, because something before it failed or is not set). A failed check does not stop the others. Only reads from the
service, and never prints the token. It waits a minute at most for the request budget: when the service
takes no requests for longer, it says until when. json, ndjson and csv: one record a check, with check, result (ok,
warning, problem or skipped), found and advice.

Examples:
  eventreg doctor
  eventreg doctor --profile staging --json
  eventreg doctor --sandbox

Exit codes: 0 no problem (there may be warnings); with problems the worst of 6 the service takes no
  requests for now · 4 token · 2 settings · 1 anything else; 130 interrupted`;

/** Runs all checks. People are told of all together, programs of each as soon as it is done. */
export async function runDoctor(options: DoctorOptions, runtime: Runtime): Promise<ExitCode> {
  const call = { options, runtime };
  // Before anything is looked at: it may stand in an address by mistake.
  const token = runtime.env['EVENTREG_TOKEN']?.trim() ?? '';
  if (!isTooShort(token)) runtime.secrets.add(token);
  const findings: Finding[] = [];
  const writer = openRecords(call, COLUMNS, ['doctor@1', 'checks']);
  try {
    for await (const finding of examine(call)) {
      const clean = told(finding, call);
      findings.push(clean);
      const { check, result, found, advice = null } = clean;
      if (options.output !== 'table') await writer.write({ check, result, found, advice });
    }
  } finally {
    if (options.output === 'table') tell(findings, runtime);
  }
  if (options.output !== 'table') await writer.end();
  say(call, summary(findings));
  return worstExitCode(findings);
}

async function* examine(call: Call): Findings {
  const { options } = call;
  yield* checkMachine(call);
  const isUsable = options.sandbox || (yield* checkSettings(call));
  const opened = isUsable ? await open(call) : skipped('token', 'the settings come first');
  if ('check' in opened) {
    yield opened;
    for (const check of SERVICE_CHECKS) yield skipped(check, 'the service cannot be asked yet');
    return;
  }
  try {
    if (options.sandbox) yield* describeSandbox(opened.settings);
    yield ok('token', TOKEN_PLACES[opened.settings.tokenFrom]);
    yield* checkService(opened, call);
  } finally {
    await opened.close();
  }
}

const TOKEN_PLACES: Readonly<Record<Settings['tokenFrom'], string>> = {
  environment: 'from EVENTREG_TOKEN',
  keychain: "from the system's keychain",
  file: 'from credentials.json in the config directory, not encrypted',
  sandbox: 'from the embedded sandbox',
};

/** With all other settings checked before, what is left to fail is the token; or the sandbox. */
async function open(call: Call): Promise<Connection | Finding> {
  const { options, runtime } = call;
  try {
    return await connectSaying(
      { options: { ...options, maxWait: LONGEST_WAIT_MS }, runtime },
      {
        onRetryWait(untilMs) {
          if (untilMs - runtime.clock.now() > LONGEST_WAIT_MS) throw new GaveUpError(HELD_BACK, {}, untilMs);
        },
      },
    );
  } catch (error) {
    if (!options.sandbox) return problemOf('token', error, EXIT.unauthorised);
    if (error instanceof EventregError || !(error instanceof Error)) return problemOf('sandbox', error);
    return problem('sandbox', error.message, 'Mend the state directory, or set EVENTREG_STATE_DIR.');
  }
}

function describeSandbox({ baseUrl, integUrl }: Settings): Finding[] {
  const from = 'the embedded sandbox';
  return [
    ok('profile', `none (${from})`),
    ok('base_url', describeAddress(baseUrl, from)),
    ...(integUrl === undefined ? [] : [ok('integ_url', describeAddress(integUrl, from))]),
  ];
}

/** Without what an address, an answer or an error may have carried along, and with commands that lead to the same profile. */
function told(finding: Finding, { options, runtime }: Call): Finding {
  const redact = redactor([...runtime.secrets]);
  const { found, advice } = finding;
  const words = advice === undefined ? undefined : redact(withWay(advice, options));
  return { ...finding, found: redact(found), advice: words };
}

/** Plain letters: they read the same on every terminal and in every log. */
const WORDS: Readonly<Record<Finding['result'], string>> = {
  ok: 'ok',
  warning: '! ',
  problem: '!!',
  skipped: '--',
};
const CHECK_WIDTH = 18;

/** What is wrong first: it is what the command is there for. */
function tell(findings: readonly Finding[], { stdout }: Runtime): void {
  const rank = ({ result }: Finding): number => (result === 'problem' ? 0 : result === 'warning' ? 1 : 2);
  for (const finding of findings.toSorted((one, other) => rank(one) - rank(other))) {
    writeMessage(stdout, describe(finding).join('\n'));
  }
}

function describe({ check, result, found, advice }: Finding): string[] {
  const line = `${WORDS[result]}  ${check.padEnd(CHECK_WIDTH)}${visible(found)}`;
  return advice === undefined ? [line] : [line, `${' '.repeat(CHECK_WIDTH + 4)}${visible(advice)}`];
}

function summary(findings: readonly Finding[]): string {
  const count = (result: Finding['result']): number =>
    findings.filter((finding) => finding.result === result).length;
  const warnings = plural(count('warning'), 'warning', 'warnings');
  const problems = count('problem');
  return problems === 0
    ? `No problems, ${warnings}.`
    : `${plural(problems, 'problem', 'problems')}, ${warnings}.`;
}
