import type { Runtime } from '../../runtime.ts';
import { type Finding, skipped } from './doctor-finding.ts';
import { checkMachine } from './doctor-machine.ts';
import { checkSettings } from './doctor-settings.ts';
import type { GlobalOptions } from '../options/options.ts';

/** What can be found without asking the service, or for the token. */
export async function examineOffline(options: GlobalOptions, runtime: Runtime): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of checkMachine(runtime)) findings.push(finding);
  for await (const finding of checkSettings(options, runtime)) findings.push(finding);
  return [...findings, skipped('service', 'it was not asked')];
}
