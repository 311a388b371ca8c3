import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { arch, platform, release } from 'node:os';
import { resolve } from 'node:path';
import { EventregError, EXIT, UsageError } from '../../errors.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { visible } from '../../report/words/escape.ts';
import { isSandbox } from '../../report/words/service-name.ts';
import { createZip } from '../../report/xlsx/zip-writer.ts';
import { type BundlePart, bundleParts } from '../../sync/tell/bundle.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import type { Runtime } from '../../runtime.ts';
import { knownEvent } from '../../settings/known-events.ts';
import { examineOffline } from '../doctor/doctor-settings.ts';
import { say, tellPrograms, type Call } from '../terminal/terminal.ts';
import { findRun } from './runs-list.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { given } from '../../settings/env.ts';
import { existingProfile, readProfiles } from '../../settings/profiles.ts';
import { settingsOf } from '../../settings/settings.ts';

/** Writes what support may know of a run, or prints it. Throws UsageError, also for a file that is there. */
export async function bundleRun(journal: Journal, call: Call<RunsOptionsOf<'bundle'>>): Promise<void> {
  const { options, runtime } = call;
  const { print, to } = options;
  if (print && to !== undefined) throw new UsageError('--print writes nothing: leave out --to.');
  const run = findRun(journal, options.id);
  const parts = await collect(journal, run, call);
  if (print) return await printParts(run, parts, call);
  const file = to ?? `eventreg-${run.id}.redacted.zip`;
  await writeNew(file, await zipOf(parts), runtime);
  await tellPrograms(call, 'runs-bundle@1', { run: run.id, file, parts: null });
  say(call, `${file} is written. Every word of it: eventreg runs bundle ${run.id} --print`);
}

async function collect(
  journal: Journal,
  run: Run,
  call: Call<RunsOptionsOf<'bundle'>>,
): Promise<BundlePart[]> {
  const { version, nodeVersion, paths, clock } = call.runtime;
  const service = isSandbox(run.service) ? 'sandbox' : run.service;
  return bundleParts(journal, {
    run,
    event: knownEvent(paths.state, service, run.event) as EventInfo | undefined,
    machine: {
      eventreg: version,
      node: nodeVersion,
      os: `${platform()} ${arch()} ${/^[\d.]*/.exec(release())?.[0] ?? ''}`.trim(),
      settings: settingsRecord(call),
      doctor: await examineOffline(call),
    },
    maker: `eventreg ${version}`,
    now: clock.now(),
  });
}

async function printParts(
  run: Run,
  parts: readonly BundlePart[],
  call: Call<RunsOptionsOf<'bundle'>>,
): Promise<void> {
  const { options, runtime } = call;
  const { stdout } = runtime;
  if (options.output === 'json') {
    const all = parts.map(({ name, text }) => ({ name, text: [...text].join('') }));
    return await tellPrograms(call, 'runs-bundle@1', { run: run.id, file: null, parts: all });
  }
  for (const { name, text } of parts) {
    stdout.write(`---- ${name}\n`);
    for (const piece of text) stdout.write(piece);
  }
}

async function zipOf(parts: readonly BundlePart[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const zip = createZip(async (bytes) => void chunks.push(bytes));
  for (const { name, text } of parts) {
    const part = await zip.open(name);
    for (const piece of text) await part.write(piece);
    await part.close();
  }
  await zip.end();
  return Buffer.concat(chunks);
}

/** What a disk fails with, not the place that was named. */
const FAILED = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

/** What is there stays, whatever it is: no link is followed, and nothing is asked. */
async function writeNew(file: string, content: Uint8Array, { cwd }: Runtime): Promise<void> {
  const path = resolve(cwd, file);
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const { code = 'unknown reason' } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      const hint = 'Move it away, or choose another name with --to.';
      throw new UsageError(`${visible(file)} is there already, and is left as it is.`, { hint });
    }
    const what = `${visible(file)} cannot be written (${code}).`;
    if (!FAILED.has(code))
      throw new UsageError(what, { hint: 'Check the folder and its permissions.', cause });
    // Half of a file that a full disk has left.
    rmSync(path, { force: true });
    const hint = 'Make room there, or choose another place with --to.';
    throw new EventregError(EXIT.failed, what, { hint, cause });
  }
}

/** Settings as support may know them: whether there is a token, an address or a proxy, but not which. */
function settingsRecord({ options, runtime: { env, paths } }: Call): object {
  const from = (variable: string, saved: unknown): string =>
    given(env, variable) !== undefined ? 'environment' : saved === undefined ? 'nowhere' : 'profile';
  try {
    const { profile } = existingProfile(readProfiles(paths.config), options.profile, env);
    const { timeoutMs, settleMs, refuses503, registrationId, fields } = settingsOf(profile);
    return {
      readable: true,
      base_url_from: from('EVENTREG_BASE_URL', profile.baseUrl),
      integ_url_from: from('EVENTREG_INTEG_URL', profile.integUrl),
      token_from_environment: given(env, 'EVENTREG_TOKEN') !== undefined,
      timeout_ms: timeoutMs,
      settle_ms: settleMs,
      refuses_503: refuses503,
      deletes_by: registrationId ?? 'id',
      fields: fields ?? null,
      own_paths: Object.keys(profile.endpoints ?? {}),
      proxy: ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].some(
        (name) => given(env, name) !== undefined,
      ),
      own_certificates: given(env, 'NODE_EXTRA_CA_CERTS') !== undefined,
    };
  } catch {
    // Why they are not is said by the doctor.
    return { readable: false };
  }
}
