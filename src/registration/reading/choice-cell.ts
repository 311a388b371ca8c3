import { type Checked, type Finding, refuse } from '../model/row.ts';
import { listTexts, type NamedCell } from '../repairs/cell-text.ts';
import {
  type Mean,
  plainParts,
  readChoice,
  readEach,
  readExactChoice,
  splitChoices,
} from '../rules/choice-rule.ts';
import { meaningOfText, takenAs } from '../repairs/meanings.ts';
import { cleanText, type Mended, mend } from '../repairs/clean-text.ts';
import { checkDamage, readText } from '../repairs/mend-value.ts';
import type { Field } from '../model/persona.ts';
import type { FieldValue } from '../model/registration.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';

const LABEL = 'label written as its value';
const SPELLING = 'written as the allowed value is';
const SEVERAL = 'taken as several values';
const LABELS = 'labels written as their values';

/** A cell, the field that it is for, and how it may be mended. */
interface ChoiceCell {
  at: NamedCell;
  field: Field;
  repairs: RepairOptions;
}

/** The allowed value or values that a cell of a choice field means. */
export function readChoiceCell(
  at: NamedCell,
  field: Field,
  repairs: RepairOptions,
): Checked<Mended<FieldValue>> {
  const cell = { at, field, repairs };
  if (field.multiple && Array.isArray(at.cell)) return readList(at.cell, cell);
  const text = readText(at, 'choice', repairs.fix);
  if (!text.ok) return text;
  const exact = readExactChoice(text.value.value, field.choices);
  if (exact !== undefined) return exactly(text.value, exact, field);
  const finding = checkDamage(text.value.value, 'choice', repairs);
  if (finding !== undefined) return { ok: false, finding };
  const cleaned = repairs.fix ? cleanText(text.value, 'choice') : text.value;
  return field.multiple ? readSeveral(cleaned, cell) : readSpelling(cleaned, cell);
}

/** The text is a value or a label to the letter. */
function exactly(text: Mended, exact: Checked<string>, field: Field): Checked<Mended<FieldValue>> {
  if (!exact.ok) return exact;
  const { value, done } = mend(text, exact.value, LABEL);
  return { ok: true, value: { value: field.multiple ? [value] : value, done } };
}

function readSpelling(text: Mended, { field: { choices }, repairs: { fix } }: ChoiceCell): Checked<Mended> {
  const read = readChoice(text.value, choices);
  if (!read.ok) return read;
  if (!fix) return inexact();
  const isLabel = choices.some(({ label }) => label === text.value);
  return { ok: true, value: mend(text, read.value, isLabel ? LABEL : SPELLING) };
}

function readSeveral(text: Mended, cell: ChoiceCell): Checked<Mended<FieldValue>> {
  const { choices } = cell.field;
  const whole = readChoice(text.value, choices);
  if (whole.ok) return describe([text.value], { value: [whole.value], done: text.done }, cell);
  const parts = splitChoices(text.value, choices, meanOf(cell));
  const isLoose = parts.length > plainParts(text.value).length;
  const done = isLoose ? [...text.done, SEVERAL] : text.done;
  return isLoose && !cell.repairs.fix ? inexact() : readParts(parts, done, cell);
}

function readList(list: readonly unknown[], cell: ChoiceCell): Checked<Mended<FieldValue>> {
  const texts = listTexts(list);
  return texts.ok ? readParts(texts.value, [], cell) : texts;
}

/** Parts that have a meaning count as that. */
function readParts(
  parts: readonly string[],
  done: readonly string[],
  cell: ChoiceCell,
): Checked<Mended<FieldValue>> {
  const mean = meanOf(cell);
  const read = readEach(parts, cell.field.choices, mean);
  if (!read.ok) return read;
  const taken = parts.map(mean).filter((meaning) => meaning !== undefined);
  const all = [...done, ...taken.map((meaning) => takenAs(meaning, false))];
  const meant = parts.map((part) => mean(part) ?? part);
  return describe(meant, { value: read.value, done: all }, cell);
}

function meanOf({ at, repairs }: ChoiceCell): Mean {
  const meanings = repairs.values.get(at.column);
  return (text) => meaningOfText(text, meanings);
}

/** Says what was done to the parts of a cell that holds several options. Blank parts are none. */
function describe(
  parts: readonly string[],
  read: Mended<readonly string[]>,
  { field: { choices }, repairs: { fix } }: ChoiceCell,
): Checked<Mended<FieldValue>> {
  const filled = parts.filter((part) => part.trim() !== '');
  const isExact = filled.every((part) => readExactChoice(part, choices)?.ok === true);
  if (!fix && !isExact) return inexact();
  const same = filled.length === read.value.length && filled.every((part, at) => part === read.value[at]);
  const repair = filled.length > read.value.length ? 'repeated values left out' : isExact ? LABELS : SPELLING;
  return { ok: true, value: same ? read : { value: read.value, done: [...read.done, repair] } };
}

function inexact(): { ok: false; finding: Finding } {
  return refuse(
    'choice-unknown',
    'is not written as an allowed value is',
    'write it to the letter, or leave out --set fix=none',
  );
}
