import { createHash } from 'node:crypto';
import type { StoredInput } from '../../input/source/stored-input.ts';
import type { PlanHeader, PlannedFile } from '../../runs/plan-file/plan-header.ts';

/** The files of a push as a plan keeps them: by name, and by what is in them. */
export async function hashFiles(inputs: readonly StoredInput[]): Promise<PlannedFile[]> {
  const files: PlannedFile[] = [];
  for (const input of inputs) files.push({ file: input.file, sha256: await hashInput(input) });
  return files;
}

/** Names of files that are not byte for byte those of a plan; their rows may be the same. */
export async function changedFiles(
  { files }: Pick<PlanHeader, 'files'>,
  inputs: readonly StoredInput[],
): Promise<string[]> {
  const now = await hashFiles(inputs);
  return now.filter(({ sha256 }, at) => files[at]?.sha256 !== sha256).map(({ file }) => file);
}

async function hashInput(input: StoredInput): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of input.chunks()) hash.update(chunk);
  return hash.digest('hex');
}
