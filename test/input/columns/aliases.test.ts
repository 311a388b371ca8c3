import { describe, expect, test } from 'vitest';
import { conceptsOf, looseName, reservedAlias } from '../../../src/input/columns/alias-index.ts';
import { CONCEPT_ALIASES, RESERVED_ALIASES } from '../../../src/input/columns/aliases.ts';
import { reservedTarget } from '../../../src/input/columns/column-names.ts';
import { listed, paired } from '../../support/tables.ts';

const meaning = (heading: string) => conceptsOf(looseName(heading));

describe('usual headings', () => {
  test.each<[string, string]>([
    ['first_name', 'First name | Given name | Nombre de pila | Prénom | Vorname | Nome próprio | Voornaam'],
    [
      'last_name',
      'Surname | Apellidos | Apellido(s) | Nom de famille | Nachname | Cognome | Sobrenome | Achternaam',
    ],
    [
      'full_name',
      'Full name | Nombre y apellidos | Nom complet | Vor- und Nachname | Nome e cognome | Nome completo',
    ],
    [
      'email',
      'E-mail address | Correo electrónico | Courriel | E-Mail-Adresse | Posta elettronica | Correio eletrónico',
    ],
    ['phone', 'Telephone | Teléfono | Téléphone | Telefonnummer | Telefono | Telefone | Nº de teléfono'],
    ['mobile', 'Cell phone | Móvil | Portable | Handy | Cellulare | Telemóvel'],
    ['country', 'Country | País | Pays | Land | Paese | País de residência'],
    ['company', 'Organisation | Empresa | Société | Firma | Azienda | Nome da empresa | Bedrijf'],
    ['job_title', 'Job title | Puesto | Fonction | Berufsbezeichnung | Ruolo | Função'],
    ['department', 'Dept. | Departamento | Département | Abteilung | Dipartimento | Setor'],
    ['city', 'Town | Ciudad | Ville | Ort | Città | Cidade'],
    ['postal_code', 'ZIP code | Código postal | Code postal | PLZ | CAP | CEP'],
    ['address', 'Street | Dirección | Adresse | Straße | STRASSE | Indirizzo | Morada'],
    [
      'date_of_birth',
      'DOB | Geboren | Fecha de nacimiento | Date de naissance | Geburtsdatum | Data di nascita | Data de nascimento',
    ],
    [
      'dietary',
      'Allergies | Alergias | Régime alimentaire | Allergien | Intolleranze | Restrições alimentares',
    ],
    [
      'number_of_guests',
      'No. of guests | Número de invitados | Nombre d’invités | Anzahl Gäste | Numero di ospiti | Número de convidados',
    ],
  ])('%s', (concept, headings) => {
    for (const heading of listed(headings))
      expect([heading, meaning(heading)]).toEqual([heading, expect.arrayContaining([concept])]);
  });

  test.each<[string, string]>([
    [
      'barcode',
      'Ticket code | QR code | Código de barras | Code-barres | Strichcode | Codice a barre | Cód. barras | Kod kreskowy',
    ],
    ['parent_barcode', 'Host barcode | Código de barras del titular | Code-barres parent | Haupt-Barcode'],
    ['enable_comms', 'Send e-mails | Enviar comunicaciones | Mitteilungen senden | Enviar comunicações'],
  ])('%s', (name, headings) => {
    for (const heading of listed(headings))
      expect([heading, reservedAlias(looseName(heading))]).toEqual([heading, name]);
  });

  test.each(['Title', 'Titre', 'Type', 'Status', 'Ticket', 'Ticket number', 'ID', '', '*', '(required)'])(
    'are not those that mean too much, such as %j',
    (heading) => {
      expect(meaning(heading)).toEqual([]);
      expect(reservedAlias(looseName(heading))).toBeUndefined();
    },
  );

  test('mean two things only where languages or lists differ', () => {
    expect(meaning('Nombre')).toEqual(['first_name', 'full_name']);
    expect(meaning('Nome')).toEqual(['first_name', 'full_name']);
    expect(meaning('Nom')).toEqual(['last_name', 'full_name']);
    const several = Object.values(CONCEPT_ALIASES)
      .flat()
      .filter((alias) => meaning(alias).length > 1);
    expect([...new Set(several.map(looseName))].sort()).toEqual(['nom', 'nombre', 'nome']);
  });

  test('are at least eight for what most lists have', () => {
    for (const [concept, aliases] of Object.entries(CONCEPT_ALIASES)) {
      // Lists hardly ever have them, and call them the same everywhere.
      if (concept === 'fax' || concept === 'linkedin') continue;
      expect([concept, new Set(aliases.map(looseName)).size >= 8]).toEqual([concept, true]);
    }
  });

  test('of reserved columns are no other column’s', () => {
    for (const [name, aliases] of Object.entries(RESERVED_ALIASES)) {
      for (const alias of aliases) {
        expect([alias, reservedAlias(looseName(alias)), meaning(alias)]).toEqual([alias, name, []]);
        expect([alias, reservedTarget(alias)]).toEqual([alias, undefined]);
      }
    }
  });
});

describe('headings are compared', () => {
  test.each([
    ['がっこう', 'がっこう'.normalize('NFKD')],
    ['***', ''],
    ['x'.repeat(1000), ''],
    ...paired(`
      E-Mail-Adresse * → emailadresse | Nombre: → nombre | PRÉNOM (obligatoire) → prenom |
      First name [Required] * → firstname | Vorname（Pflichtfeld） → vorname | Größe → grosse | Ｔｅｌ． → tel |
      Phone (work) → phonework | (required) → required
    `),
  ])('%j as %j', (heading, expected) => {
    expect(looseName(heading)).toBe(expected);
  });

  test('with the marks of scripts that are no accents', () => {
    expect(looseName('か')).not.toBe(looseName('が'));
    expect(looseName('कि')).not.toBe(looseName('कु'));
  });
});
