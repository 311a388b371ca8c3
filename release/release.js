// Makes, from a clean checkout on Linux, what is offered for download, in out/release/: a program for each system in an
// archive, sums, a bill of materials and the licences of what is inside. `npm run release`, or with names of systems
// as they stand in targets.ts: `npm run release -- linux-x64`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { createZip } from '../src/report/xlsx/zip-writer.ts';
import { unused } from './apart.js';
import { billOfMaterials } from './bill-of-materials.ts';
import { cutSignature } from './cut-signature.ts';
import { unpackPackage } from './unpack-package.ts';
import { formatOf, NODE_VERSION, TARGETS } from './targets.ts';
import { packageFolders, thirdParty } from './third-party.js';

const OUT = 'out/release';
const WORK = 'out/build';
const CACHE = join(WORK, 'packages');
const { version } = readJson('package.json');
const { packages: LOCKED } = readJson('package-lock.json');
const SHELLS = { bash: 'eventreg.bash', zsh: '_eventreg', fish: 'eventreg.fish', powershell: 'eventreg.ps1' };

const names = process.argv.slice(2);
const unknown = names.filter((name) => !TARGETS.some((target) => target.name === name));
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}, but ${TARGETS.map(({ name }) => name).join(', ')}.`);
const wanted = TARGETS.filter(({ name }) => names.length === 0 || names.includes(name));
const own = TARGETS.find(({ name }) => name === `linux-${process.arch}`);
if (process.platform !== 'linux' || own === undefined) throw new Error('Releases are made on Linux.');

// What is fetched is held against its sum as it is unpacked, so it is unpacked anew; npm keeps what it has fetched.
for (const folder of [OUT, CACHE]) rmSync(folder, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
mkdirSync(WORK, { recursive: true });
const builder = join(await nodeOf(own), 'bin', 'node');
const notices = join(WORK, 'THIRD-PARTY-NOTICES.txt');
writeFileSync(notices, await bundle());
copyFileSync(notices, join(OUT, 'THIRD-PARTY-NOTICES.txt'));
for (const target of wanted) await make(target);
writeFileSync(
  join(OUT, `eventreg-${version}.cdx.json`),
  `${JSON.stringify(billOfMaterials(), undefined, 2)}\n`,
);
for (const script of ['install.sh', 'install.ps1']) {
  writeFileSync(join(OUT, script), versioned(script));
}
writeFileSync(join(OUT, 'SHA256SUMS'), sums());

/** Puts the whole program into one file, and gives the licences of what is in it. */
async function bundle() {
  const { metafile } = await build({
    entryPoints: ['release/entry.ts'],
    outfile: join(WORK, 'eventreg.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: `node${NODE_VERSION}`,
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    // Files beside the program are read from inside of it.
    define: { 'import.meta.url': '""' },
    charset: 'utf8',
    plugins: [unused],
    alias: { '@photostructure/sqlite': 'node:sqlite', '@napi-rs/keyring': './release/keyring.ts' },
  });
  // With the crates of the machine code that asks the keychain of each system.
  const keychains = [];
  for (const target of wanted) keychains.push(await keyringOf(target));
  const folders = [
    ...packageFolders(metafile),
    'node_modules/@napi-rs/keyring',
    ...keychains,
    await nodeOf(own),
  ];
  return thirdParty(folders, {
    saxes: readFileSync('release/saxes-licence.txt', 'utf8').trim(),
  });
}

async function nodeOf({ node, integrity }) {
  return await fetched(node, NODE_VERSION, integrity);
}

/** The folder of the module that asks the keychain of a system. */
async function keyringOf({ keyring }) {
  const { version: locked, integrity } = LOCKED[`node_modules/${keyring}`];
  return await fetched(keyring, locked, integrity);
}

/** The folder of an unpacked package. */
async function fetched(name, wanted, integrity) {
  const folder = join(CACHE, `${name.replace('/', '-')}-${wanted}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  await unpackPackage(`${name}@${wanted}`, draft, { integrity });
  renameSync(draft, folder);
  return folder;
}

/** One program and its archive. */
async function make(target) {
  const { name, format, archive, isUnsigned } = target;
  const isWindows = archive === 'zip';
  const base = join(WORK, `node-${name}`);
  copyFileSync(join(await nodeOf(target), 'bin', isWindows ? 'node.exe' : 'node'), base);
  // Before anything is put into it: afterwards it would break.
  if (format.startsWith('ELF')) strip(base, target);
  if (isWindows) writeFileSync(base, cutSignature(readFileSync(base)));
  const title = `eventreg-${version}-${name}${isUnsigned ? '-unsigned' : ''}`;
  const folder = join(WORK, title);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const program = join(folder, isWindows ? 'eventreg.exe' : 'eventreg');
  const config = join(WORK, `${name}.json`);
  const keyring = await keyringOf(target);
  const module = readdirSync(keyring).find((file) => file.endsWith('.node'));
  const parts = {
    main: join(WORK, 'eventreg.cjs'),
    executable: base,
    disableExperimentalSEAWarning: true,
    // Compiled code fits the system that compiled it only.
    useCodeCache: target === own,
    assets: {
      'package.json': 'package.json',
      'report-page.js': 'src/report/html/report-page.js',
      'report-page.css': 'src/report/html/report-page.css',
      'keyring.node': join(keyring, module),
    },
  };
  const buildAt = (output, execArgvExtension) => {
    writeFileSync(config, JSON.stringify({ ...parts, output, execArgvExtension }));
    execFileSync(builder, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  // NODE_OPTIONS and the flags of Node.js are not for this program, but the crash test kills its twin by them.
  buildAt(program, 'none');
  if (target === own) buildAt(`${folder}-crash`, 'env');
  chmodSync(program, 0o755);
  const found = formatOf(readFileSync(program));
  if (found !== format) throw new Error(`${program} is ${found ?? 'no program'}, not ${format}.`);
  if (target === own) runOnce(program);
  for (const [from, to] of [
    ['LICENSE', 'LICENSE'],
    [notices, 'THIRD-PARTY-NOTICES.txt'],
    ['CHANGELOG.md', 'CHANGELOG.md'],
    ['SECURITY.md', 'SECURITY.md'],
    ['README.md', 'README.md'],
  ])
    copyFileSync(from, join(folder, to));
  writeFileSync(join(folder, 'README.txt'), versioned('README.txt'));
  // What is drawn anew stays in a checkout.
  const isRead = (from) => !/docs[\\/]pictures[\\/].*\.js(?:on)?$/.test(from);
  cpSync('docs', join(folder, 'docs'), { recursive: true, filter: isRead });
  cpSync(completions(), join(folder, 'completions'), { recursive: true });
  const file = join(OUT, `${title}.${archive}`);
  if (isWindows) await zip(folder, title, file);
  else tar(title, file);
  const megabytes = (path) => `${(statSync(path).size / 1e6).toFixed(1)} MB`;
  process.stdout.write(`${file}: ${found}, ${megabytes(program)}, ${megabytes(file)} packed\n`);
}

function strip(file, target) {
  // The system's own knows its own processor only.
  const tool = target === own ? 'strip' : 'llvm-strip';
  try {
    execFileSync(tool, [file], { stdio: 'ignore' });
  } catch {
    process.stdout.write(
      `${target.name}: ${tool} is not here, so the program is larger than it needs to be\n`,
    );
  }
}

function runOnce(program) {
  const env = { NODE_OPTIONS: '--no-such-option' };
  const told = execFileSync(program, ['--version'], { encoding: 'utf8', env }).trim();
  if (told !== version) throw new Error(`${program} says it is ${told}, not ${version}.`);
}

/** The scripts that complete words, made by the program as it is built for Node.js. */
function completions() {
  const folder = join(WORK, 'completions');
  mkdirSync(folder, { recursive: true });
  for (const [shell, file] of Object.entries(SHELLS)) {
    writeFileSync(
      join(folder, file),
      execFileSync(process.execPath, ['bin/eventreg.js', 'completion', shell]),
    );
  }
  return folder;
}

/** The same files make the same archive, whatever the umask. */
function tar(title, file) {
  const same = [
    '--mode=u=rwX,go=rX',
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mtime=@0',
  ];
  const packed = execFileSync('tar', [...same, '-C', WORK, '-cf', '-', title], { maxBuffer: 2 ** 30 });
  writeFileSync(
    file,
    execFileSync('gzip', ['-9n'], { input: packed, stdio: ['pipe', 'pipe', 'inherit'], maxBuffer: 2 ** 30 }),
  );
}

async function zip(folder, title, file) {
  const stream = createWriteStream(file);
  const archive = createZip(
    async (bytes) =>
      await new Promise((resolve, reject) =>
        stream.write(bytes, (error) => (error ? reject(error) : resolve())),
      ),
  );
  for (const name of readdirSync(folder, { recursive: true }).toSorted()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) continue;
    const part = await archive.open(`${title}/${name}`);
    await part.write(readFileSync(path));
    await part.close();
  }
  await archive.end();
  await new Promise((resolve) => stream.end(resolve));
}

function sums() {
  return readdirSync(OUT)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(OUT, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');
}

/** A text of this folder that names the version. */
function versioned(file) {
  return readFileSync(join('release', file), 'utf8').replace('@VERSION@', version);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
