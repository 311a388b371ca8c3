import { expect, test } from 'vitest';
import { beginsGone, saysGone } from '../../../src/registration/evidence/gone-words.ts';
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
  ['Bestätigt', 'nein', true],
  ['RSVP', 'yes', false],
  ['Cancelled', 'x', true],
  ['Você vai participar?', 'Talvez', true],
  ['Vai comparecer?', 'Não', true],
  ['Vais à festa?', 'Não', true],
  ['Vai levar acompanhante?', 'Não', false],
  ['Komt u?', 'weet nog niet', true],
  ['RSVP', 'Declines', true],
  ['Storniert', 'ja', true],
  ['Cancelled', 'no', false],
  ['Kommen Sie?', 'Nein, leider nicht', true],
  ['Kommen Sie?', 'Ja, nein kann ich nicht sagen', false],
  ['Void Status', 'true', true],
  ['Void Status', 'false', false],
  ['Cancelled at', '2027-01-03 10:00', true],
  ['Ordered at', '2027-01-03 10:00', false],
  ['Zusage', 'FALSCH', true],
  ['Teilnahme', 'Faux', true],
  ['Anwesend', 'FALSE', true],
  ['Will you attend?', 'No', true],
  ['Will you be there?', 'No', true],
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
  ['¿Asistirás al evento?', 'No', true],
  ['¿Podrá asistir?', 'No', true],
  ['Parteciperà?', 'No', true],
  ['Conferma presenza', 'no', true],
  ['Kommer', 'Nei', true],
  ['Kommer du?', 'Nej', true],
  ['Deltar?', 'Nei', true],
  ['Deltager?', 'Nej', true],
  ['Kommer', 'Kanskje', true],
  ['Teilnahme', '-', true],
  ['Teilnahme', 'x', false],
  ['Deltar på dag 1', 'Nei', false],
  ['¿Vienes con acompañante?', 'No', false],
  ['Kommentar', 'Nei', false],
  ['Participants', '0', false],
  ['Presentation', 'no', false],
  ['Vegetarian', '-', false],
  ['Abgemeldet', 'WAHR', true],
  ['Annulé', 'VRAI', true],
  ['Zusage', 'WAHR', false],
  ['Abgemeldet', 'FALSCH', false],
  ['Confirmed', 'not yet', true],
  ['Confirmed?', 'in attesa di risposta', true],
  ['Zugesagt', 'noch offen', true],
  ['Status', 'pending approval', true],
  ['Kommer', 'ikke', true],
  ['Payment', 'pending', false],
  ['Payment status', 'pending', false],
  ['Hotel', 'tbc', false],
  ['Status', '-', false],
  ['Confirmed', 'yes, pending a visa', false],
  ['Vegetarian', 'no', false],
  ['Vegetarian', 'FALSCH', false],
])('Under %s, %s says it: %s', (heading, text, says) => {
  expect(saysGone(heading, text)).toBe(says);
});

test.each([
  ['Status', 'Cancelled by customer', true],
  ['Status', 'refunded 12/03', true],
  ['Status', 'waiting list (3)', true],
  ['Status', 'Storniert am 03.01.', true],
  ['Attending', 'Nein, leider nicht', true],
  ['Status', 'cancelled', false],
  ['Status', 'paid, not cancelled', false],
  ['Attending', 'Not only the dinner', false],
  ['Attending', 'Yes, no dinner', false],
])('Under %s, %s begins so and goes on: %s', (heading, text, begins) => {
  expect(beginsGone(heading, text)).toBe(begins);
});
