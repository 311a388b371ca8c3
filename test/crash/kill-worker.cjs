// The thread that ends the process while its main thread is inside a write: sleeps until the write begins,
// waits so many microseconds, says whether the write was still going on, and kills.
const { writeSync } = require('node:fs');
const { workerData } = require('node:worker_threads');

const { cells, delayUs, report } = workerData;

Atomics.wait(cells, 0, 0);
Atomics.store(cells, 1, 1);
Atomics.notify(cells, 1);
const untilMs = performance.now() + delayUs / 1000;
while (performance.now() < untilMs);
writeSync(report, Atomics.load(cells, 2) === 0 ? 'inside' : 'late');
process.kill(process.pid, 'SIGKILL');
