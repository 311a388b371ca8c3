import type { Checked } from '../model/row.ts';
import { listTexts, type NamedCell } from '../repairs/cell-text.ts';
import {
  isExactly,
  type Mean,
  plainParts,
  readChoice,
  readEach,
  splitChoices,
} from '../rules/choice-rule.ts';
import { meaningOfText, takenAs } from '../repairs/meanings.ts';
import { cleanText, type Mended } from '../repairs/clean-text.ts';
import { checkDamage, readText } from '../repairs/mend-value.ts';
import type { Field } from '../model/persona.ts';
import type { FieldValue } from '../model/registration.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';

const LABEL = 'label written as its value';
const SPELLING = 'written as the allowed value is';
const SEVERAL = 'taken as several values';
const REPEATED = 'repeated values left out';

/** The allowed value or values that a cell of a choice field means. */
export function readChoiceCell(
  at: NamedCell,
  field: Field,
  repairs: RepairOptions,
): Checked<Mended<FieldValue>> {
  const mean: Mean = (text) => meaningOfText(text, repairs.values.get(at.column));
  if (field.multiple && Array.isArray(at.cell)) {
    const texts = listTexts(at.cell);
    return texts.ok ? readParts(texts.value, [], field, mean) : texts;
  }
  const text = readText(at, 'choice');
  if (!text.ok) return text;
  // What is an option to the letter is one, whatever it looks like.
  if (isExactly(text.value.value, field.choices)) return readSingle(text.value, field);
  const finding = checkDamage(text.value.value, 'choice', repairs);
  if (finding !== undefined) return { ok: false, finding };
  const cleaned = cleanText(text.value, 'choice');
  const read = readSingle(cleaned, field);
  return read.ok || !field.multiple ? read : readSeveral(cleaned, field, mean);
}

/** A text that is one option as a whole. */
function readSingle(text: Mended, { choices, multiple }: Field): Checked<Mended<FieldValue>> {
  const whole = readChoice(text.value, choices);
  if (!whole.ok) return whole;
  const read = describe([text.value], { value: [whole.value], done: text.done }, choices);
  return { ok: true, value: multiple ? read : { value: whole.value, done: read.done } };
}

function readSeveral(text: Mended, field: Field, mean: Mean): Checked<Mended<FieldValue>> {
  const parts = splitChoices(text.value, field.choices, mean);
  const isLoose = parts.length > plainParts(text.value).length;
  const done = isLoose ? [...text.done, SEVERAL] : text.done;
  return readParts(parts, done, field, mean);
}

/** Parts that have a meaning count as that. */
function readParts(
  parts: readonly string[],
  done: readonly string[],
  { choices }: Field,
  mean: Mean,
): Checked<Mended<FieldValue>> {
  const read = readEach(parts, choices, mean);
  if (!read.ok) return read;
  const taken = parts.map(mean).filter((meaning) => meaning !== undefined);
  const all = [...done, ...taken.map((meaning) => takenAs(meaning, false))];
  const meant = parts.map((part) => mean(part) ?? part);
  return { ok: true, value: describe(meant, { value: read.value, done: all }, choices) };
}

/** Says what was done to the parts of a cell that holds options. Blank parts are none. */
function describe(
  parts: readonly string[],
  read: Mended<readonly string[]>,
  choices: Field['choices'],
): Mended<FieldValue> {
  const filled = parts.filter((part) => part.trim() !== '');
  const areExact = filled.every((part) => isExactly(part, choices));
  const same = filled.length === read.value.length && filled.every((part, at) => part === read.value[at]);
  const repair = filled.length > read.value.length ? REPEATED : areExact ? LABEL : SPELLING;
  return same ? read : { value: read.value, done: [...read.done, repair] };
}
