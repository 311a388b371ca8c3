// Loaded with `node --require` before the program: counts the calls that write to SQLite files, or ends the
// process with SIGKILL right before, right after or during the n-th of them. The order comes as JSON in
// CRASH_ORDER: { "at": "count" } or { "at": "before" | "after" | "during", "write": n, "delayUs": n }.
// With CRASH_KEEP the journal is kept there each time that it is on the disk for certain. What there is to tell goes to
// descriptor 3.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, renameSync, writeSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { isMainThread, Worker } = require('node:worker_threads');

const order = JSON.parse(process.env.CRASH_ORDER ?? '{}');
const REPORT = 3;

/** Statements that change a file. The list is of first words, so that a SELECT … CASE … END is not one. */
const WRITE =
  /^\s*(?:(?:INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER|DROP|COMMIT|END|RELEASE|VACUUM)\b|WITH\b[^]*\b(?:INSERT|UPDATE|DELETE)\b|PRAGMA\s+(?:wal_checkpoint|journal_mode|user_version\s*=))/i;
const writes = (sql) => sql.split(';').some((statement) => WRITE.test(statement));

const durationsUs = [];
let count = 0;
let firstWriteMs;
let lastWriteMs;

function die() {
  process.kill(process.pid, 'SIGKILL');
  // Not one more instruction, should the signal take its time.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Cells that the main thread and the killer share: 0 the write begins, 1 the killer is awake, 2 the write is over. */
const cells = new Int32Array(new SharedArrayBuffer(12));

/** Returns when the killer runs beside this thread, so that its delay is not the time it takes to wake up. */
function wakeKiller() {
  Atomics.store(cells, 0, 1);
  Atomics.notify(cells, 0);
  Atomics.wait(cells, 1, 0);
}

function timed(write) {
  const startMs = performance.now();
  try {
    return write();
  } finally {
    lastWriteMs = performance.now();
    firstWriteMs ??= startMs;
    durationsUs.push(Math.round((lastWriteMs - startMs) * 1000));
  }
}

function onWrite(write) {
  count += 1;
  if (order.at === 'count') return timed(write);
  if (count !== order.write) return write();
  if (order.at === 'before') die();
  if (order.at === 'during') wakeKiller();
  try {
    return write();
  } finally {
    if (order.at === 'after') die();
    Atomics.store(cells, 2, 1);
  }
}

/** The methods of the prototypes cannot be replaced, so each object gets its own. */
function replace(object, name, isWrite, written) {
  const native = object[name];
  const value = (...values) => {
    const write = () => native.apply(object, values);
    const result = isWrite(...values) ? onWrite(write) : write();
    written(...values);
    return result;
  };
  Object.defineProperty(object, name, { value });
}

const KEEP = process.env.CRASH_KEEP;
let kept = 0;

/** Another process copies: to close a file of one's own would let go of the locks on it. */
function keep(file) {
  kept += 1;
  const folder = path.join(KEEP, String(kept));
  mkdirSync(`${folder}.new`, { recursive: true });
  spawnSync('cp', [...[file, `${file}-wal`].filter(existsSync), `${folder}.new`]);
  renameSync(`${folder}.new`, folder);
}

const SYNCHRONOUS = /PRAGMA\s+synchronous\s*=\s*(\w+)/i;

/** Is told of each statement that was run, and keeps what is on the disk when it was one that waits for that. */
function keeper(database, file) {
  if (KEEP === undefined || path.basename(file) !== 'journal.sqlite') return () => {};
  let isSynchronous = true;
  return (sql) => {
    const [, mode] = SYNCHRONOUS.exec(sql) ?? [];
    if (mode !== undefined) isSynchronous = mode.toUpperCase() === 'FULL';
    if (isSynchronous && writes(sql) && !(database.isOpen && database.isTransaction)) keep(file);
  };
}

function instrument(database, file) {
  const written = keeper(database, file);
  replace(database, 'exec', writes, written);
  // Closing the last connection copies the log into the file and removes it.
  replace(
    database,
    'close',
    () => true,
    () => written('VACUUM'),
  );
  const prepare = database.prepare.bind(database);
  const value = (sql, ...more) => {
    const statement = prepare(sql, ...more);
    // One that was prepared before is the same again.
    if (writes(sql) && !Object.hasOwn(statement, 'run'))
      for (const name of ['run', 'get', 'all', 'iterate'])
        replace(
          statement,
          name,
          () => true,
          () => written(sql),
        );
    return statement;
  };
  Object.defineProperty(database, 'prepare', { value });
  return database;
}

/** Before the package is loaded, its native class is replaced: it takes the class from this very object. */
function instrumentPackage() {
  const folder = path.join(path.dirname(require.resolve('@photostructure/sqlite/package.json')));
  replaceClass(createRequire(path.join(folder, 'package.json'))('node-gyp-build')(folder));
}

function replaceClass(binding) {
  binding.DatabaseSync = new Proxy(binding.DatabaseSync, {
    construct: (native, values, caller) =>
      instrument(Reflect.construct(native, values, caller), String(values[0])),
  });
}

function startKiller() {
  const worker = new Worker(path.join(__dirname, 'kill-worker.cjs'), {
    workerData: { cells, delayUs: order.delayUs, report: REPORT },
  });
  worker.unref();
}

// The killer gets this file as well.
if (isMainThread) {
  if (require('node:sea').isSea()) replaceClass(require('node:sqlite'));
  else instrumentPackage();
  if (order.at === 'during') startKiller();
  if (order.at === 'count') {
    process.on('exit', () => writeSync(REPORT, JSON.stringify({ durationsUs, firstWriteMs, lastWriteMs })));
  }
}
