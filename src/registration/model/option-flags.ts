/**
 * Options that say how a file is written and how its values are read. They have no flags of their own:
 * `--set KEY=VALUE` gives them, and so do the settings of a mapping file.
 */
export const SETTINGS = [
  'sheet',
  'headerRow',
  'includeHidden',
  'merged',
  'format',
  'encoding',
  'delimiter',
  'quote',
  'extraCells',
  'dateOrder',
  'dateSerials',
  'hiddenTimes',
  'phoneCountry',
  'pad',
  'accept',
  'totalsRows',
  'nothing',
  'leaveOut',
  'samePerson',
  'makeBarcodes',
  'values',
  'phones',
] as const;
export type Setting = (typeof SETTINGS)[number];

/** The word of a command line for an option: `date-order` for `dateOrder`. */
export function kebabOf(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Whether `--set` gives an option. */
export function isSetting(option: string): option is Setting {
  return (SETTINGS as readonly string[]).includes(option);
}

/** Settings that are given a part at a time, and how: a mapping file has keys of its own for them. */
export const PARTS: Readonly<Record<string, string>> = {
  values: 'HEADING=TEXT=MEANING',
  phones: 'HEADING=COUNTRY',
} satisfies Partial<Record<Setting, string>>;

/** Whether an option is given a part at a time: `--set phones=HEADING=COUNTRY`. */
export const isInParts = (option: string): boolean => option in PARTS;

/** How an option is given: `--set date-order` for `dateOrder`, `--map` for `map`. */
export function flagOf(option: string): string {
  return isSetting(option) ? `--set ${kebabOf(option)}` : `--${kebabOf(option)}`;
}

/** The meaning of a text whose rows are not sent. */
export const ROW_LEFT_OUT = '(row left out)';
/** In place of a text: all others. */
export const OTHERS = '*';
