import { statSync } from 'node:fs';
import { EXIT } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import type { Profile } from '../../settings/profiles.ts';
import { checkServiceUrl } from '../../settings/service-url.ts';
import { refuseUncheckedCertificates } from '../../settings/settings.ts';
import { type Finding, type Findings, ok, problem, problemOf, skipped, warning } from './doctor-finding.ts';
import type { Call } from '../terminal/terminal.ts';
import { checkMachine, chooseProfile } from './doctor-machine.ts';

type Env = Runtime['env'];

/** Checks the settings and says where each comes from. True when the service can be asked with them. */
export async function* checkSettings(call: Call): Findings<boolean> {
  const { env } = call.runtime;
  const chosen = chooseProfile(call);
  const findings = [
    chosen.finding,
    ...('profile' in chosen
      ? [
          checkBaseUrl(chosen.profile, env),
          findAddress('integ_url', 'EVENTREG_INTEG_URL', chosen.profile.integUrl, env) ??
            skipped('integ_url', 'not set; only `eventreg webhooks` needs it'),
          describeOthers(chosen.profile),
        ]
      : []),
    checkCertificates(env),
    checkProxy(env),
  ];
  yield* findings;
  return findings.every(({ result }) => result !== 'problem');
}

function checkBaseUrl(profile: Profile, env: Env): Finding {
  const found = findAddress('base_url', 'EVENTREG_BASE_URL', profile.baseUrl, env);
  if (found !== undefined) return found;
  return problem(
    'base_url',
    'not set, so nobody knows where the service is',
    'Run `eventreg login`, or set EVENTREG_BASE_URL, or rehearse with --sandbox.',
    EXIT.usage,
  );
}

/** The address with its source, or why it is wrong; undefined when there is none. */
function findAddress(
  check: string,
  variable: string,
  stored: string | undefined,
  env: Env,
): Finding | undefined {
  const fromEnv = env[variable] || undefined;
  const text = fromEnv ?? stored;
  if (text === undefined) return undefined;
  const from = fromEnv === undefined ? 'the profile' : variable;
  try {
    return ok(check, describeAddress(checkServiceUrl(text, 'The address'), from));
  } catch (error) {
    const wrong = problemOf(check, error, EXIT.usage);
    return { ...wrong, found: `${wrong.found} It comes from ${from}.` };
  }
}

/** An address, where it comes from, and whether what is sent there can be read on the way. */
export function describeAddress(url: URL, from: string): string {
  const way = url.protocol === 'https:' ? 'encrypted' : 'not encrypted, but never leaves this machine';
  return `${url.href.replace(/\/$/, '')} (${from}; ${way})`;
}

function describeOthers(profile: Profile): Finding {
  const from = (value: unknown): string => (value === undefined ? 'default' : 'profile');
  const { timeout, settleSeconds, refuses503, registrationId, fields, endpoints } = profile;
  const paths = Object.entries(endpoints ?? {}).map(([name, path]) => `${name} ${path}`);
  return ok(
    'other settings',
    [
      `timeout ${timeout ?? 30} s (${from(timeout)})`,
      `settle ${settleSeconds ?? 60} s (${from(settleSeconds)})`,
      `503 means refused: ${refuses503 ? 'yes' : 'no'} (${from(refuses503)})`,
      `deleted by: ${registrationId ?? 'id'} (${from(registrationId)})`,
      `fields: ${fields ?? 'found out'} (${from(fields)})`,
      `paths: ${paths.length === 0 ? 'as documented (default)' : `${paths.join(', ')} (profile)`}`,
    ].join(', '),
  );
}

function checkCertificates(env: Env): Finding {
  const check = 'certificates';
  try {
    refuseUncheckedCertificates(env);
  } catch (error) {
    return problemOf(check, error, EXIT.usage);
  }
  const extra = env['NODE_EXTRA_CA_CERTS'];
  if (!extra) return ok(check, 'the authorities that Node.js knows');
  if (isFile(extra)) return ok(check, `those that Node.js knows, and those in ${extra}`);
  return warning(
    check,
    `NODE_EXTRA_CA_CERTS names ${extra}, which is no file`,
    'Correct it: Node.js goes on without it, and does not trust your own authority.',
  );
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The variables as the transport reads them. Names and passwords in them are not shown. */
function checkProxy(env: Env): Finding {
  const check = 'proxy';
  const proxies = (['https', 'http'] as const).flatMap((scheme) => {
    const address = env[`${scheme}_proxy`] ?? env[`${scheme.toUpperCase()}_PROXY`];
    return address ? [{ scheme, address }] : [];
  });
  const wrong = proxies.find(({ address }) => !isProxyAddress(address));
  if (wrong !== undefined) {
    return problem(
      check,
      `${wrong.scheme.toUpperCase()}_PROXY is no address of a proxy`,
      'Write it as http://proxy.example.com:8080, or unset it.',
      EXIT.usage,
    );
  }
  if (proxies.length === 0) return ok(check, 'none');
  const shown = proxies.map(({ scheme, address }) => `${new URL(address).origin} for ${scheme}`);
  const exceptions = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return ok(
    check,
    `${shown.join(', ')}${exceptions === '' ? '' : `, but not for ${exceptions}`}; never for this machine`,
  );
}

function isProxyAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** What can be found without asking the service, or for the token. */
export async function examineOffline(call: Call): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of checkMachine(call)) findings.push(finding);
  for await (const finding of checkSettings(call)) findings.push(finding);
  return [...findings, skipped('service', 'it was not asked')];
}
