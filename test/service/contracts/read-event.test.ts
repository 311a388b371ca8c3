import { describe, expect, it } from 'vitest';
import { readEvent, readFieldType } from '../../../src/service/contracts/read-event.ts';
import { paired } from '../../support/tables.ts';

describe('the kind of a field type', () => {
  it.each(
    paired(`
      Name → name | first_name → name | E-mail → email | EMAIL ADDRESS → email | Phone number → phone |
      phone → phone | Country → country | Website → website | URL → website | File upload → upload |
      Date → date | date-time → date | Numeric → numeric | Text area → text
    `),
  )('of %s is %s', (type, kind) => {
    expect(readFieldType(type, false)).toEqual({ kind, multiple: false, known: true });
  });

  it.each(['Signature', '', '  ', '123', '__proto__', 'constructor'])('of %j is text, not known', (type) => {
    expect(readFieldType(type, false)).toEqual({ kind: 'text', multiple: false, known: false });
  });

  it.each(['Radio', 'select', 'Country', 'Signature'])('of %s with options is a choice', (type) => {
    expect(readFieldType(type, true)).toEqual({ kind: 'choice', multiple: false, known: true });
  });

  it.each(['Checkbox', 'multi-select', 'Multiple choice'])('of %s with options takes several', (type) => {
    expect(readFieldType(type, true)).toEqual({ kind: 'choice', multiple: true, known: true });
  });

  it.each(['Radio', 'Dropdown', 'Checkboxes'])('of %s without options is text, not known', (type) => {
    expect(readFieldType(type, false)).toEqual({ kind: 'text', multiple: false, known: false });
  });
});

describe('what tells who somebody is', () => {
  const kindOf = (field: Record<string, unknown>) => {
    const read = readEvent({ event_id: 1, personas: [{ slug: 'visitor', fields: [field] }] });
    return 'event' in read ? read.event.personas[0]?.fields[0]?.kind : read.problems;
  };

  it.each([
    [{ slug: 'first_name', label: 'First name', type: 'Text' }, 'name'],
    [{ slug: 'lastName', type: 'Short text' }, 'name'],
    [{ slug: 'field_7', label: 'Family name', type: 'Input' }, 'name'],
    [{ slug: 'email', type: 'Anything' }, 'email'],
    // It may be the name of anything.
    [{ slug: 'field_8', label: 'Name', type: 'Text' }, 'text'],
    [{ slug: 'company_name', label: 'Name', type: 'Text' }, 'text'],
    [{ slug: 'name', type: 'Radio', values: ['A', 'B'] }, 'choice'],
    [{ slug: 'email', type: 'Numeric' }, 'numeric'],
  ])('is a name or an e-mail by what it is called, where its type says no more: %j', (field, kind) => {
    expect(kindOf(field)).toBe(kind);
  });
});
