import { describe, expect, test } from 'vitest';
import { companionColumn } from '../../../src/input/columns/companion-columns.ts';
import * as fc from 'fast-check';

describe('a heading names a companion', () => {
  test.each([
    ['Companion 1 First name', 1, 'First name'],
    ['Guest 2 E-mail', 2, 'E-mail'],
    ['guest2_email', 2, 'email'],
    ['GUEST #02: E-mail *', 2, 'E-mail'],
    ['Guest no. 3 – Phone (required)', 3, 'Phone'],
    ['Companion 1’s first name', 1, 'first name'],
    ['Acompañante 1 Nombre', 1, 'Nombre'],
    ['acompanante 1 nombre', 1, 'nombre'],
    ['Begleitperson 1 Vorname', 1, 'Vorname'],
    ['Accompagnant 1 Prénom', 1, 'Prénom'],
    ['Accompagnatore 12 Nome', 12, 'Nome'],
    ['Acompanhante 1 Nome', 1, 'Nome'],
    ['Convidado 1 E-mail', 1, 'E-mail'],
    ['Plus one first name', 1, 'first name'],
    ['Plus 1 first name', 1, 'first name'],
    ['Plus one 2 first name', 2, 'first name'],
    ['Companion first name', 1, 'first name'],
    ['First name (companion 1)', 1, 'First name'],
    ['First name companion 1', 1, 'First name'],
    ['First name (companion 1) (optional)', 1, 'First name'],
    ['E-mail - Guest 3', 3, 'E-mail'],
    ['Nombre del acompañante 1', 1, 'Nombre'],
    ["Prénom de l'accompagnant 2", 2, 'Prénom'],
    ['Name der Begleitperson', 1, 'Name'],
    ['Address line 2 guest 3', 3, 'Address line 2'],
    ['Guest 3 Address line 2', 3, 'Address line 2'],
    ['Companion 2', 2, ''],
    ['Begleitung', 1, ''],
  ])('%j: %i, %j', (heading, number, name) => {
    expect(companionColumn(heading)).toEqual({ number, name });
  });

  test.each([
    ['Guest name', 'registrants are called guests as well'],
    ['Guest', ''],
    ['Companion 0 name', 'numbers begin with 1'],
    ['Companion 1000 name', 'nobody brings so many'],
    ['First name', ''],
    ['First name companion 1 or 2', ''],
    ['Number of companions', ''],
    ['Name of the guest’s firm 1', ''],
    ['', ''],
    ['(((', ''],
  ])('but %j does not %s', (heading) => {
    expect(companionColumn(heading)).toBeUndefined();
  });

  test('never takes more than what the heading says, and never fails', () => {
    const part = fc.constantFrom(
      'Guest',
      'Companion',
      'plus',
      'one',
      '1',
      '22',
      ' ',
      '(',
      ')',
      'name',
      'de',
      's',
      '’',
      'é',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (heading) => {
          const found = companionColumn(heading);
          if (found === undefined) return;
          expect(heading).toContain(found.name);
          expect(found.number).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });
});
