import type { FieldKind } from './persona.ts';

/**
 * Type names that a service may use, reduced to letters only, by kind. The interface shows "Name",
 * "E-mail" and "Phone number"; the rest are the usual names of such fields.
 */
const NAMES: Readonly<Record<FieldKind, readonly string[]>> = {
  name: ['name', 'firstname', 'lastname', 'fullname', 'surname'],
  email: ['email', 'emailaddress', 'mail'],
  phone: ['phone', 'phonenumber', 'telephone', 'tel', 'mobile', 'mobilenumber', 'mobilephone'],
  country: ['country', 'countrycode', 'countries', 'nationality'],
  website: ['website', 'url', 'link', 'webpage', 'weburl'],
  upload: ['upload', 'fileupload', 'file', 'attachment', 'document', 'image', 'photo', 'picture'],
  date: ['date', 'datetime', 'birthday', 'dateofbirth'],
  numeric: ['numeric', 'number', 'integer', 'digits'],
  choice: ['choice', 'radio', 'select', 'dropdown', 'singlechoice', 'options', 'option'],
  text: ['text', 'textarea', 'string', 'shorttext', 'longtext', 'textfield', 'paragraph', 'textbox', 'input'],
};

const MULTIPLE = ['checkbox', 'checkboxes', 'multiselect', 'multiplechoice', 'multichoice', 'multiple'];

const KIND_BY_NAME = new Map<string, FieldKind>();
for (const [kind, names] of Object.entries(NAMES) as [FieldKind, readonly string[]][]) {
  for (const name of names) KIND_BY_NAME.set(name, kind);
}

/** What a field's type name says about its values. */
interface TypeReading {
  kind: FieldKind;
  multiple: boolean;
  /** False when the name is not one we know: its values are not checked. */
  known: boolean;
}

/** Reads a type name, and whether the field lists options, as a kind. Options make it a choice. */
export function readFieldType(type: string, hasChoices: boolean): TypeReading {
  const name = type.toLowerCase().replace(/[^\p{L}]/gu, '');
  const multiple = MULTIPLE.includes(name);
  const kind = KIND_BY_NAME.get(name);
  if (hasChoices) return { kind: 'choice', multiple, known: true };
  if (multiple || kind === 'choice') return { kind: 'text', multiple: false, known: false };
  return kind === undefined
    ? { kind: 'text', multiple: false, known: false }
    : { kind, multiple: false, known: true };
}
