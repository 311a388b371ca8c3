import type { Prompt, PromptTable } from './prompt.ts';

/** The rows of a table one after the other: each that is open is asked for, with the choice to go back. */
export async function selectRows(
  { title, rows, rest }: PromptTable,
  select: Prompt['select'],
): Promise<readonly string[] | undefined> {
  const values = rows.map(({ value }) => value);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined || row.value !== undefined) continue;
    const choices =
      rest === undefined || row.choices.some(({ value }) => value === rest.value)
        ? row.choices
        : [...row.choices, rest];
    const value = await select(`${title}: ${row.label} (${row.sample})`, choices, { back: true });
    if (value === undefined) return undefined;
    values[at] = value;
  }
  return values.map((value) => value ?? '');
}
