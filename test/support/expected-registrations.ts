/** A registration as `list --json` tells it, or as a file beside a list expects it. */
export interface Guest {
  persona: string;
  barcode?: string;
  parent_barcode?: string;
  enable_comms?: boolean;
  /** Expected: the e-mail address of whom they come with. */
  with?: string;
  fields: Readonly<Record<string, unknown>>;
}

/** Every value that is not as expected, and everybody who is missing or should not be there, in a line each. */
export function wrongValues(listed: readonly Guest[], expected: readonly Guest[]): string[] {
  const hosts = new Map(listed.map(({ barcode, fields }) => [barcode, String(fields['email'])]));
  const found = new Map(listed.map((guest) => [nameOf(guest), guest]));
  const wrong = expected.flatMap((guest) => {
    const name = nameOf(guest);
    const other = found.get(name);
    found.delete(name);
    return other === undefined ? [`${name}: missing`] : differences(name, other, guest, hosts);
  });
  const names = listed.map(nameOf);
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  return [
    ...wrong,
    ...[...found.keys()].map((name) => `${name}: not expected`),
    ...[...twice].map((name) => `${name}: twice`),
  ];
}

/** The same of fields that are sent at all: what nobody has is left out. */
export function wrongAmongSent(listed: readonly Guest[], expected: readonly Guest[]): string[] {
  const sent = new Set(listed.flatMap(({ fields }) => Object.keys(fields)));
  const known = expected.map((guest) => ({
    ...guest,
    fields: Object.fromEntries(Object.entries(guest.fields).filter(([field]) => sent.has(field))),
  }));
  return wrongValues(listed, known);
}

const nameOf = ({ fields }: Guest): string => `${text(fields['first_name'])} ${text(fields['last_name'])}`;

function differences(
  name: string,
  listed: Guest,
  expected: Guest,
  hosts: ReadonlyMap<string | undefined, string>,
): string[] {
  const facts = ({ persona, barcode, enable_comms: comms, fields }: Guest, host: string | undefined) => ({
    persona,
    ...(expected.barcode === undefined ? {} : { barcode }),
    enable_comms: comms ?? false,
    with: host ?? '',
    ...fields,
  });
  const is: Record<string, unknown> = facts(listed, hosts.get(listed.parent_barcode ?? '-'));
  const should: Record<string, unknown> = facts(expected, expected.with);
  return [...new Set([...Object.keys(is), ...Object.keys(should)])].flatMap((field) => {
    const [one, other] = [comparable(field, is[field]), comparable(field, should[field])];
    return one === other ? [] : [`${name}, ${field}: "${one}", not "${other}"`];
  });
}

/** Phone numbers as their digits, and options of a choice in any order. */
function comparable(field: string, value: unknown): string {
  if (field === 'phone') return text(value).replaceAll(/\D/g, '');
  return Array.isArray(value) ? value.map(text).sort().join(', ') : text(value);
}

const text = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};
