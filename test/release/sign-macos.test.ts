import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programDirectory } from '../support/temporary-directory.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'release', 'sign-macos.sh');
const NAME = 'eventreg-1.2.3-macos-arm64';
const UNSIGNED = `${NAME}-unsigned.tar.gz`;

/** What only a Mac has, as far as the script needs it. */
const TOOLS = {
  codesign: 'while [ $# -gt 1 ]; do shift; done; echo "# signed" >>"$1"',
  ditto: 'while [ $# -gt 1 ]; do shift; done; : >"$1"',
  shasum: 'shift 2; exec sha256sum "$@"',
};

const sumOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Signs an archive as it is released, and gives the folder with what came of it. */
function sign(notarised: string, sum?: string) {
  const folder = programDirectory();
  const tools = programDirectory();
  for (const [name, does] of Object.entries({ ...TOOLS, xcrun: `echo '  status: ${notarised}'` }))
    writeFileSync(join(tools, name), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  const content = join(programDirectory(), `${NAME}-unsigned`);
  mkdirSync(content);
  writeFileSync(join(content, 'eventreg'), '#!/bin/sh\necho 1.2.3\n', { mode: 0o755 });
  execFileSync('tar', ['-czf', join(folder, UNSIGNED), '-C', join(content, '..'), `${NAME}-unsigned`]);
  const others = `${'0'.repeat(64)}  install.sh\n`;
  const own = sum ?? sumOf(join(folder, UNSIGNED));
  writeFileSync(join(folder, 'SHA256SUMS'), `${own}  ${UNSIGNED}\n${others}`);
  const { status } = spawnSync(
    'sh',
    [SCRIPT, folder, 'Developer ID Application: Somebody (TEAM)', 'profile'],
    { env: { PATH: `${tools}${delimiter}${process.env['PATH']}` } },
  );
  return { status, folder, others, sums: readFileSync(join(folder, 'SHA256SUMS'), 'utf8') };
}

describe.skipIf(process.platform !== 'linux')('sign-macos.sh', () => {
  test('leaves an archive of another name, with a program that is signed, and its sum', () => {
    const { status, folder, others, sums } = sign('Accepted');
    expect([status, readdirSync(folder).sort()]).toEqual([0, ['SHA256SUMS', `${NAME}.tar.gz`]]);
    expect(sums).toBe(`${others}${sumOf(join(folder, `${NAME}.tar.gz`))}  ${NAME}.tar.gz\n`);
    const program = execFileSync('tar', ['-xzOf', join(folder, `${NAME}.tar.gz`), `${NAME}/eventreg`]);
    expect(program.toString()).toContain('# signed');
  });

  test.each([
    ['that Apple refuses', 'Invalid', undefined],
    ['that is not what was released', 'Accepted', '1'.repeat(64)],
  ])('does not offer a program %s', (_why, notarised, sum) => {
    const { status, folder, sums } = sign(notarised, sum);
    expect(status).toBe(1);
    expect(readdirSync(folder)).not.toContain(`${NAME}.tar.gz`);
    expect(sums).toContain(UNSIGNED);
  });
});
