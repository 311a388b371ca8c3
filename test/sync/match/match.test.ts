import { describe, expect, test } from 'vitest';
import { who, type World } from './match-bench.ts';

type Case = readonly [string, World, readonly string[]];

const ANA = 'Ana Diaz ana@x.test';
const BEN = 'Ben Klein ben@x.test';

describe('barcodes claim first', () => {
  test.each<Case>([
    ['who has it', { rows: [`${ANA} T1`], listed: [`${BEN} T2`, `${ANA} T1`] }, ['same r2']],
    ['several have it', { rows: [`${ANA} T1`], listed: [`${ANA} T1`, `${ANA} T1`] }, ['several r1 r2']],
    ['nobody of whom anything is known', { rows: [`${ANA} T1`], listed: [`${BEN} T2`] }, ['new']],
    [
      'who has another id by now',
      { rows: [`${ANA} T1`], listed: [`${ANA} T1 id=r9`], bases: [`${ANA} T1 id=r1`] },
      ['same r9'],
    ],
    [
      'a twin takes none that is claimed',
      { rows: [ANA, `${ANA} T1`], listed: [`${ANA} T1`] },
      ['alike', 'same r1'],
    ],
  ])('%s', (_, world, answers) => {
    expect(who(world)).toEqual(answers);
  });
});

describe('a person is a value like any other', () => {
  const base = { bases: [`${ANA} T1 id=r1 phone=1`] };
  test.each<Case>([
    [
      'by a first name there, while the file changes the e-mail',
      {
        rows: ['Ana Diaz new@x.test T1 key=b:T1'],
        listed: ['Ben Diaz ana@x.test T1'],
        bases: ['Ana Diaz ana@x.test T1 id=r1 key=b:T1'],
      },
      ['someone-else r1 first'],
    ],
    [
      'not by a first name alone',
      {
        rows: ['Ana Diaz ana@x.test T1 key=b:T1'],
        listed: ['Ben Diaz ana@x.test T1'],
        bases: ['Ana Diaz ana@x.test T1 id=r1 key=b:T1'],
      },
      ['same r1'],
    ],
    [
      'but by one that makes it another person of the list',
      {
        rows: ['Ana Diaz a@x.test key=1', 'Ben Diaz a@x.test key=2'],
        listed: ['Ben Diaz a@x.test T1'],
        bases: ['Ana Diaz a@x.test T1 id=r1 key=1'],
      },
      ['someone-else r1', 'same r1'],
    ],
    [
      'a substitute',
      { ...base, rows: [`${ANA} T1 phone=2`], listed: [`${BEN} T1`] },
      ['someone-else r1 first last mail'],
    ],
    [
      'a walk-in with another id',
      { ...base, rows: [`${ANA} T1`], listed: [`${BEN} T1 id=r9`] },
      ['someone-else r9 first last mail'],
    ],
    [
      'a substitute at the same address',
      { ...base, rows: [`${ANA} T1`], listed: ['Ben Klein ana@x.test T1'] },
      ['someone-else r1 first last'],
    ],
    [
      'both have put somebody else there',
      { ...base, rows: ['Cy Fox cy@x.test T1'], listed: [`${BEN} T1`] },
      ['someone-else r1 first last mail'],
    ],
    ['the file alone gives it away', { ...base, rows: [`${BEN} T1`], listed: [`${ANA} T1`] }, ['same r1']],
    [
      'both have put the same one there',
      { ...base, rows: [`${BEN} T1`], listed: [`${BEN} T1`] },
      ['same r1'],
    ],
    ['a new e-mail alone', { ...base, rows: [`${ANA} T1`], listed: ['Ana Diaz new@x.test T1'] }, ['same r1']],
    [
      'a new last name alone',
      { ...base, rows: [`${ANA} T1`], listed: ['Ana Mora ana@x.test T1'] },
      ['same r1'],
    ],
    [
      'another way of writing it',
      { ...base, rows: [`${ANA} T1`], listed: ['ANA DÍAZ ana@x.test T1'] },
      ['same r1'],
    ],
    [
      'a row that names nobody',
      { ...base, rows: ['T1 phone=2'], listed: [`${BEN} T1`] },
      ['someone-else r1 first last mail'],
    ],
    ['nothing known of anybody', { rows: [`${ANA} T1`], listed: [`${BEN} T1`] }, ['same r1']],
    [
      'without a barcode',
      { rows: [`${ANA} key=h:1`], listed: [`${BEN} Q1`], bases: [`${ANA} Q1 id=r1 key=h:1`] },
      ['someone-else r1 first last mail'],
    ],
    [
      'an id that was used again',
      { rows: [`${ANA} key=h:1 id=r1`], listed: [`${BEN} Q2`], bases: [`${ANA} Q1 id=r1 key=h:1`] },
      ['left'],
    ],
  ])('%s', (_, world, answers) => {
    expect(who(world)).toEqual(answers);
  });
});

describe('who was there before', () => {
  const bases = [`${ANA} Q1 id=r1 key=h:1`];
  test.each<Case>([
    [
      'under the key of the row, whatever its e-mail is',
      { bases, rows: [`${ANA} key=h:1`], listed: ['Ana Diaz new@x.test Q1'] },
      ['same r1'],
    ],
    [
      'under what was said, when the row has changed',
      { bases, rows: [`${ANA} key=h:2`], listed: ['Ana Diaz new@x.test Q1'] },
      ['same r1'],
    ],
    [
      'under what was said, where nobody has looked since',
      {
        bases: [`${ANA} key=h:1 seen=no`],
        rows: ['Ana Diaz new@x.test key=h:2'],
        listed: [`${ANA} Q1`],
      },
      ['alike r1'],
    ],
    ['entered again', { bases, rows: [`${ANA} key=h:1`], listed: [`${ANA} Q5 id=r5`] }, ['same r5']],
    ['deleted', { bases, rows: [`${ANA} key=h:1`] }, ['left']],
    [
      'deleted, and entered again under another barcode',
      { bases: [`${ANA} T1 id=r1 key=b:T1`], rows: [`${ANA} T1`], listed: [`${ANA} W1 id=r5`] },
      ['alike r5'],
    ],
    [
      'by a first name alone, and another one with another id is there',
      {
        bases: ['Ana T1 id=r1 key=b:T1 seen=no'],
        rows: ['Ana ana@x.test T1'],
        listed: ['Ben Klein T1 id=r9'],
      },
      ['someone-else r9 first'],
    ],
    ['deleted, and the row has changed', { bases, rows: [`${ANA} key=h:2 phone=3`] }, ['left']],
    [
      'deleted, and the files have got e-mails',
      { bases: ['Ana Diaz Q1 id=r1 key=h:1'], rows: [`${ANA} key=h:2`] },
      ['left'],
    ],
    ['deleted, and the row has a barcode now', { bases, rows: [`${ANA} T1`] }, ['left']],
    ['deleted, by its barcode', { bases: [`${ANA} T1 key=b:T1`], rows: [`${ANA} T1`] }, ['left']],
    ['a namesake of somebody deleted', { bases, rows: ['Ana Diaz other@x.test key=h:2'] }, ['new']],
    [
      'a namesake whose own row is in the files',
      { bases, rows: [`${ANA} key=h:1`, `${ANA} T2`] },
      ['left', 'new near email'],
    ],
  ])('%s', (_, world, answers) => {
    expect(who(world)).toEqual(answers);
  });

  test('is not said to have left where the list is not whole', () => {
    expect(who({ bases, rows: [`${ANA} key=h:1 state=unchanged`] }, {}, { isWhole: false })).toEqual([
      'unknown',
    ]);
  });
});

describe('who was sent before and is in no list', () => {
  const blind = { ids: false, barcodes: false, emails: false, values: false };
  const hidden = { kinds: new Set(['speaker']) };
  const unseen = `${ANA} T1 id=r1 key=b:T1 seen=no`;
  test.each<readonly [string, World, Parameters<typeof who>[2], readonly string[]]>([
    [
      'may be whom an edited row is about',
      { bases: [`${ANA} key=h:1`], rows: [`${ANA} key=h:2`] },
      blind,
      ['alike'],
    ],
    [
      'is not whom another row is about',
      { bases: [`${ANA} key=h:1`], rows: ['Bo Ek bo@x.test'] },
      blind,
      ['new'],
    ],
    [
      'may be whom a new row with that e-mail is about',
      { bases: [unseen], rows: ['Bo Ek ana@x.test T2'] },
      hidden,
      ['alike'],
    ],
    [
      'may be whom a row of its group with another name is about, without e-mails',
      { bases: ['Bea Klein key=h:1 parent=T1'], rows: ['Beate Klein parent=T1'] },
      blind,
      ['alike'],
    ],
    [
      'is not whom a row of another group, or beside its own, is about',
      {
        bases: ['Bea Klein key=h:1 parent=T1', 'Cy Fox key=h:2 parent=T2'],
        rows: ['Bea Klein key=h:1 parent=T1', 'Beate Klein parent=T1'],
      },
      blind,
      ['unknown', 'new'],
    ],
    ['stands for its own row', { bases: [unseen], rows: [`${ANA} T1`] }, hidden, ['unknown']],
    [
      'is not gone because nobody has an e-mail that is new in the file',
      { bases: ['Ana Diaz T1 key=b:T1'], rows: [`${ANA} T1`], listed: ['Bo Ek bo@x.test'] },
      { ids: false, barcodes: false },
      ['unknown'],
    ],
    ['is gone where others of its kind are shown', { bases: [unseen], rows: [`${ANA} T1`] }, {}, ['left']],
    [
      'is gone where it was seen',
      { bases: [`${ANA} T1 id=r1 key=b:T1`], rows: [`${ANA} T1`] },
      hidden,
      ['left'],
    ],
  ])('%s', (_, world, shown, answers) => {
    expect(who(world, {}, shown)).toEqual(answers);
  });

  test('is somebody else where that is said', () => {
    expect(who({ bases: [unseen], rows: ['Bo Ek ana@x.test T2'] }, { match: 'none' }, hidden)).toEqual([
      'new near email',
    ]);
  });
});

describe('what is left of rows and registrations', () => {
  test.each<Case>([
    ['e-mail and name', { rows: [ANA], listed: [ANA] }, ['same r1']],
    [
      'one e-mail and more registrations than rows',
      { rows: ['Ana Diaz ana@x.test phone=1'], listed: [ANA, ANA] },
      ['alike r1 r2'],
    ],
    [
      'an equal row before another one',
      { rows: [`${ANA} phone=1`, `${ANA} phone=2`], listed: [`${ANA} phone=2`, `${ANA} phone=3`] },
      ['same r2', 'same r1'],
    ],
    ['one e-mail, another name', { rows: ['Eva Diaz ana@x.test'], listed: [ANA] }, ['alike r1']],
    ['one e-mail in another persona', { rows: [`${ANA} persona=speaker`], listed: [ANA] }, ['alike r1']],
    ['a name, and nothing else to tell by', { rows: ['Ana Diaz'], listed: ['Ana Diaz'] }, ['same r1']],
    ['a name, and other values', { rows: ['Ana Diaz phone=1'], listed: ['Ana Diaz phone=2'] }, ['alike r1']],
    ['a name, and one of them with an e-mail', { rows: [ANA], listed: ['Ana Diaz'] }, ['new']],
    ['a barcode without its zeros', { rows: ['Bo Ek 1'], listed: [`${ANA} 0001`] }, ['alike r1']],
    ['a barcode in another case', { rows: ['Bo Ek ab-1'], listed: [`${ANA} AB-1`] }, ['alike r1']],
    ['new barcodes for the same names', { rows: ['Ana Diaz N1'], listed: ['Ana Diaz T1'] }, ['alike r1']],
    ['a first name beside another barcode', { rows: ['Ana N1'], listed: ['Ana T1'] }, ['new']],
    [
      'a mended e-mail',
      { rows: ['Ana Diaz new@x.test'], listed: [`${ANA} Q1`], bases: [`${ANA} Q1 id=r1 key=h:1`] },
      ['alike r1'],
    ],
    [
      'a namesake of other files',
      { rows: ['Ana Diaz new@x.test'], listed: [`${ANA} Q1`], bases: [`${ANA} Q1 id=r1 files=x`] },
      ['new'],
    ],
    [
      'a mended name without e-mails',
      { rows: ['Anita Diaz'], listed: ['Ana Diaz Q1'], bases: ['Ana Diaz Q1 id=r1 key=h:1'] },
      ['alike r1'],
    ],
    [
      'one who has another name by now',
      { rows: ['Ana Diaz new@x.test'], listed: ['Dan Fox ana@x.test Q1'], bases: [`${ANA} Q1 id=r1`] },
      ['alike r1'],
    ],
    [
      'whose ticket the list and the service have both written anew',
      { rows: ['Ana T9'], listed: ['Ana T5'], bases: ['Ana T1 id=r1 key=b:T1'] },
      ['alike r1'],
    ],
    [
      'whose ticket was given to somebody else, while the list has a new one',
      {
        rows: ['Ana Diaz ana@x.test T9'],
        listed: ['Ben Klein ben@x.test T1 id=r7'],
        bases: [`${ANA} T1 id=r1 key=b:T1`],
      },
      ['left'],
    ],
    [
      'whose id is that of somebody else by now',
      { rows: ['Ana T9'], listed: ['Bea T5'], bases: ['Ana T1 id=r1 key=b:T1'] },
      ['left'],
    ],
    ['twins of one e-mail', { rows: [`${ANA} T1`, 'Bo Diaz ana@x.test T2'] }, ['new', 'new near email']],
    [
      'what was given another name since it was sent',
      {
        rows: ['Ana Diaz ana@x.test key=h:1'],
        listed: ['Ben Diaz ana@x.test'],
        bases: ['Ana Diaz ana@x.test id=r1 key=h:1 seen=no'],
      },
      ['someone-else r1'],
    ],
  ])('%s', (_, world, answers) => {
    expect(who(world)).toEqual(answers);
  });
});

test.each<readonly [string, readonly string[]]>([
  ['Ana Diaz Q1', ['alike r1']],
  ['Ana Klein Q1', ['new']],
])('where no e-mails are shown, nobody can see that a namesake is another person: %s', (one, answers) => {
  expect(who({ rows: [ANA], listed: [one] }, {}, { emails: false })).toEqual(answers);
});

describe('an answer', () => {
  const world = { rows: ['Eva Diaz ana@x.test'], listed: [ANA] };
  test.each<readonly [string, World, 'email' | 'none', readonly string[]]>([
    ['is that it is the same one', world, 'email', ['same r1']],
    ['is that it is another one', world, 'none', ['new near email']],
    ['does not choose among several', { ...world, listed: [ANA, ANA] }, 'email', ['alike r1 r2']],
    [
      'leaves one alone to who is judged before',
      {
        rows: ['Ana Diaz new@x.test', 'Eva Diaz two@x.test'],
        listed: ['Ana Diaz one@x.test', 'Ana Diaz two@x.test'],
        bases: ['Ana Diaz one@x.test id=r1', 'Ana Diaz two@x.test id=r2'],
      },
      'email',
      ['same r1', 'same r2'],
    ],
    [
      'does not choose among rows',
      { rows: ['Eva Diaz ana@x.test', 'Bo Ek ana@x.test'], listed: [ANA] },
      'email',
      ['alike r1', 'alike r1'],
    ],
    [
      'does not choose by a name whom other rows name by an e-mail',
      {
        rows: ['Ana Diaz key=1', 'Eva Diaz ana@x.test', 'Bo Ek ana@x.test'],
        listed: [ANA],
        bases: [`${ANA} id=r1`],
      },
      'email',
      ['alike r1', 'alike r1', 'alike r1'],
    ],
    [
      'moves nobody to another persona',
      { rows: [`${ANA} persona=speaker`], listed: [ANA] },
      'email',
      ['alike r1'],
    ],
  ])('%s', (_, given, match, answers) => {
    expect(who(given, { match })).toEqual(answers);
  });
});

test('What the service is known to take for one person is that person, or is not sent', () => {
  const recognition = { email: 'yes', 'email-across': undefined, case: undefined } as const;
  expect(who({ rows: [`${ANA} T2`], listed: [`${ANA} T1`] }, { recognition })).toEqual(['same r1']);
  expect(who({ rows: ['Eva Ek ana@x.test T2'], listed: [`${ANA} T1`] }, { recognition })).toEqual(['alike']);
});
