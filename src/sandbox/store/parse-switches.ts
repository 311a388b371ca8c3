import { SWITCHES, type SwitchInfo, type Switches } from './switches.ts';

/** Reads `name=value` pairs; the last of a name counts. Throws an Error that lists what is allowed. */
export function parseSwitches(pairs: readonly string[]): Partial<Switches> {
  return Object.fromEntries(pairs.map(parsePair));
}

function parsePair(pair: string): [string, string | number] {
  const at = pair.indexOf('=');
  const name = at < 0 ? pair : pair.slice(0, at);
  const info = SWITCHES.find((candidate) => candidate.name === name);
  if (info === undefined) {
    const names = SWITCHES.map((candidate) => candidate.name).join(', ');
    throw new Error(`There is no switch ${JSON.stringify(name)}. Switches: ${names}.`);
  }
  if (at < 0) throw new Error(`The switch ${name} needs a value: ${name}=… with ${describe(info)}.`);
  return [name, parseValue(info, pair.slice(at + 1))];
}

function parseValue(info: SwitchInfo, value: string): string | number {
  const { allowed } = info;
  if ('min' in allowed) {
    const count = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (count >= allowed.min && count <= allowed.max) return count;
  } else if (allowed.includes(value)) {
    return value;
  }
  throw new Error(`The switch ${info.name} takes ${describe(info)}, not ${JSON.stringify(value)}.`);
}

function describe({ allowed }: SwitchInfo): string {
  return 'min' in allowed ? `a whole number from ${allowed.min} to ${allowed.max}` : allowed.join(' | ');
}
