#!/usr/bin/env node
import { createRuntime, main } from '../dist/start.js';

process.exitCode = await main(process.argv.slice(2), createRuntime());
// A pipe that nobody writes to, opened for reading, would keep an interrupted process alive. Elsewhere than on Linux what
// was said into a pipe may still be on its way.
if (process.exitCode === 130) process.stderr.write('', () => process.exit());
