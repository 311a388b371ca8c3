#!/usr/bin/env node
const [major, minor, patch] = process.versions.node.split('.').map(Number);
// An older one would not even read the rest.
if (major * 1e6 + minor * 1e3 + patch < 20_018_001) {
  process.stderr.write(
    `eventreg: Node.js ${process.versions.node} is too old: 20.18.1 or later is needed.\nhint: Newer ones are at https://nodejs.org; node --version says which one runs.\n`,
  );
  process.exit(2);
}

const { createRuntime, main } = await import('../dist/start.js');

process.exitCode = await main(process.argv.slice(2), createRuntime());
// A pipe that nobody writes to, opened for reading, would keep an interrupted process alive. Elsewhere than on Linux what
// was said into a pipe may still be on its way.
if (process.exitCode === 130) process.stderr.write('', () => process.exit());
