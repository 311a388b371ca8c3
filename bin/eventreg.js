#!/usr/bin/env node
import { main } from '../dist/main.js';
import { createRuntime } from '../dist/runtime.js';

process.exitCode = await main(process.argv.slice(2), createRuntime());
