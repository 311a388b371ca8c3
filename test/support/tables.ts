/** What stands between the bars of a text, without the white space beside them. */
export const listed = (text: string): string[] => text.split('|').map((one) => one.trim());

/** Pairs between the bars of a text, each with an arrow. */
export const paired = (text: string): [string, string][] =>
  listed(text).map((one) => {
    const [left = '', right = '', ...more] = one.split('→').map((half) => half.trim());
    if (more.length > 0) throw new Error(`Two arrows: ${one}`);
    return [left, right];
  });

/** The same value under each name that stands between the bars of a text. */
export const alike = <Value>(value: Value, names: string): Record<string, Value> =>
  Object.fromEntries(listed(names).map((name) => [name, value]));

/** A record a line: the first line has the names, bars stand between the values. */
export function records(text: string): Record<string, string>[] {
  const [names = [], ...rows] = text.trim().split('\n').map(listed);
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}
