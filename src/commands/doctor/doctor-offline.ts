import { type Finding, skipped } from './doctor-finding.ts';
import { checkMachine } from './doctor-machine.ts';
import { checkSettings } from './doctor-settings.ts';
import type { Call } from '../terminal/terminal.ts';

/** What can be found without asking the service, or for the token. */
export async function examineOffline(call: Call): Promise<Finding[]> {
  const { runtime } = call;
  const findings: Finding[] = [];
  for await (const finding of checkMachine(runtime)) findings.push(finding);
  for await (const finding of checkSettings(call)) findings.push(finding);
  return [...findings, skipped('service', 'it was not asked')];
}
