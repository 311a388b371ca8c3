import { plainValue } from '../../registration/changes/same-value.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { RawRecord } from '../../registration/model/registration.ts';
import { BARCODE_KEYS, ID_KEYS } from '../../service/contracts/read-records.ts';
import { isObject } from '../../service/contracts/json.ts';
import type { Switches } from '../../sandbox/store/switches.ts';

const SIGNED = /[?&](?:[\w-]*signature|sig|token)=/i;

/** What the records of a list have shown of their shape. Holds no values of persons. */
export class SeenRecords {
  count = 0;
  recordShape: Switches['recordShape'] = 'no-fields';
  idKey: Switches['idKey'] = 'none';
  idForm: Switches['idForm'] = 'text';
  hasBarcodes = false;
  hasParents = false;
  hasComms = false;
  hasUploads = false;
  hasSigned = false;
  hasChoices = false;
  hasLabels = false;
  /** Creations of records one after the other, as far as they show: earlier ones first, or later ones. */
  rising = 0;
  falling = 0;
  #last: number | undefined;

  add(record: RawRecord, fieldsOf: (persona: string) => readonly Field[]): void {
    const { raw } = record;
    this.count += 1;
    const fields = raw['fields'];
    if (Array.isArray(fields)) this.recordShape = 'entries';
    else if (isObject(fields)) this.recordShape = 'nested';
    else if (record.fields !== undefined) this.recordShape = 'flat';
    const idKey = ID_KEYS.find((key) => record.id !== undefined && String(raw[key]) === record.id);
    if (idKey !== undefined) {
      this.idKey = idKey as Switches['idKey'];
      this.idForm =
        typeof raw[idKey] === 'number' ? 'number' : /[+/=]/.test(record.id ?? '') ? 'odd' : 'text';
    }
    this.hasBarcodes ||= BARCODE_KEYS.some((key) => key in raw);
    this.hasParents ||= 'parent_barcode' in raw || 'parentBarcode' in raw || 'parent' in raw;
    this.hasComms ||= typeof raw['enable_comms'] === 'boolean';
    this.#note(Date.parse(String(raw['created_at'])) || Number(record.id));
    for (const field of fieldsOf(record.persona ?? '')) this.#addValue(field, record.fields?.[field.slug]);
  }

  #note(order: number): void {
    if (Number.isNaN(order)) return;
    if (this.#last !== undefined && order > this.#last) this.rising += 1;
    if (this.#last !== undefined && order < this.#last) this.falling += 1;
    this.#last = order;
  }

  #addValue({ kind, choices }: Field, value: unknown): void {
    const texts = [plainValue(value) ?? []].flat();
    for (const text of texts) {
      if (kind === 'upload') {
        this.hasUploads = true;
        this.hasSigned ||= SIGNED.test(text);
      }
      if (kind !== 'choice' || choices.every(({ value: own, label }) => own === label)) continue;
      this.hasChoices = true;
      this.hasLabels ||=
        choices.some((one) => one.label === text) && !choices.some((one) => one.value === text);
    }
  }
}
