import { listTexts, type NamedCell } from '../repairs/cell-text.ts';
import { readChoice, readChoices, readEach, readExactChoice, splitChoices } from '../rules/choice-rule.ts';
import { cleanText } from '../repairs/clean-text.ts';
import { type Checked, refuse } from '../model/finding.ts';
import { checkDamage, readText } from '../repairs/mend-value.ts';
import { type Mended, mend } from '../repairs/mended.ts';
import type { Field } from '../model/persona.ts';
import type { FieldValue } from '../model/registration.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';

const LABEL = 'label written as its value';
const SPELLING = 'written as the allowed value is';
const LABELS = 'labels written as their values';

/** The allowed value or values that a cell of a choice field means. */
export function readChoiceCell(
  at: NamedCell,
  field: Field,
  repairs: RepairOptions,
): Checked<Mended<FieldValue>> {
  if (field.multiple && Array.isArray(at.cell)) return readList(at.cell, field, repairs);
  const text = readText(at, 'choice', repairs.fix);
  if (!text.ok) return text;
  const exact = readExactChoice(text.value.value, field.choices);
  if (exact !== undefined) return exactly(text.value, exact, field);
  const finding = checkDamage(text.value.value, 'choice', repairs);
  if (finding !== undefined) return { ok: false, finding };
  const cleaned = repairs.fix ? cleanText(text.value, 'choice') : text.value;
  return field.multiple ? readSeveral(cleaned, field, repairs) : readSpelling(cleaned, field, repairs);
}

/** The text is a value or a label to the letter. */
function exactly(text: Mended, exact: Checked<string>, field: Field): Checked<Mended<FieldValue>> {
  if (!exact.ok) return exact;
  const { value, done } = mend(text, exact.value, LABEL);
  return { ok: true, value: { value: field.multiple ? [value] : value, done } };
}

function readSpelling(text: Mended, { choices }: Field, { fix }: RepairOptions): Checked<Mended> {
  const read = readChoice(text.value, choices);
  if (!read.ok) return read;
  if (!fix) return inexact();
  const isLabel = choices.some(({ label }) => label === text.value);
  return { ok: true, value: mend(text, read.value, isLabel ? LABEL : SPELLING) };
}

function readSeveral(text: Mended, field: Field, repairs: RepairOptions): Checked<Mended<FieldValue>> {
  const read = readChoices(text.value, field.choices);
  if (!read.ok) return read;
  const isWhole = read.value.length === 1 && readChoice(text.value, field.choices).ok;
  const parts = isWhole ? [text.value] : splitChoices(text.value);
  return describe(parts, { value: read.value, done: text.done }, field, repairs);
}

function readList(
  list: readonly unknown[],
  field: Field,
  repairs: RepairOptions,
): Checked<Mended<FieldValue>> {
  const texts = listTexts(list);
  if (!texts.ok) return texts;
  const read = readEach(texts.value, field.choices);
  return read.ok ? describe(texts.value, { value: read.value, done: [] }, field, repairs) : read;
}

/** Says what was done to the parts of a cell that holds several options. Blank parts are none. */
function describe(
  parts: readonly string[],
  read: Mended<readonly string[]>,
  { choices }: Field,
  { fix }: RepairOptions,
): Checked<Mended<FieldValue>> {
  const filled = parts.filter((part) => part.trim() !== '');
  const isExact = filled.every((part) => readExactChoice(part, choices)?.ok === true);
  if (!fix && !isExact) return inexact();
  const same = filled.length === read.value.length && filled.every((part, at) => part === read.value[at]);
  const repair = filled.length > read.value.length ? 'repeated values left out' : isExact ? LABELS : SPELLING;
  return { ok: true, value: same ? read : { value: read.value, done: [...read.done, repair] } };
}

function inexact(): { ok: false; finding: { problem: string; remedy: string | undefined } } {
  return refuse(
    'is not written as an allowed value is',
    'write it to the letter, or leave out --set fix=none',
  );
}
