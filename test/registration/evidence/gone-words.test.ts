import { expect, test } from 'vitest';
import { saysGone } from '../../../src/registration/evidence/gone-words.ts';
import { listed } from '../../support/tables.ts';

const GONE = listed(`
  refunded | REFUND | Cancelled | canceled | declined | wait-list | Waiting list | Storniert | rückerstattet |
  Auf Warteliste | Annulé | Liste d'attente | Reembolsado | En lista de espera | Rimborsata | Recusado | Geannuleerd | No show |
  no-show | partially refunded | Teilweise erstattet
`);
const COMES = listed('paid | approved | confirmed | yes | no | bezahlt | payé | pagado');

test.each(GONE)('%s says that somebody does not come', (text) => {
  expect(saysGone('Status', text)).toBe(true);
});

test.each(COMES)('%s does not', (text) => {
  expect(saysGone('Status', text)).toBe(false);
});

test.each([
  ['Attending', 'No', true],
  ['Zusage', 'nein', true],
  ['RSVP', 'yes', false],
  ['Cancelled', 'x', true],
  ['Storniert', 'ja', true],
  ['Cancelled', 'no', false],
  ['Zusage', 'FALSCH', true],
  ['Teilnahme', 'Faux', true],
  ['Anwesend', 'FALSE', true],
  ['Will you attend?', 'No', true],
  ['Coming to the fair?', 'No', true],
  ['Joining us?', 'no', true],
  ['Komt u?', 'Nee', true],
  ['Kommen Sie?', 'Nein', true],
  ['Nimmt teil', 'nein', true],
  ['Teilnahme an der Messe', 'nein', true],
  ['Coming? (Y/N)', 'N', true],
  ['Joining us?', 'yes', false],
  ['Coming to the dinner?', 'No', false],
  ['Kommt mit Begleitung', 'nein', false],
  ['Is the fair yours?', 'no', false],
  ['Abgemeldet', 'WAHR', true],
  ['Annulé', 'VRAI', true],
  ['Zusage', 'WAHR', false],
  ['Abgemeldet', 'FALSCH', false],
  ['Vegetarian', 'no', false],
  ['Vegetarian', 'FALSCH', false],
])('Under %s, %s says it: %s', (heading, text, says) => {
  expect(saysGone(heading, text)).toBe(says);
});
