import { describe, expect, it } from 'vitest';
import { NothingEvidence } from '../../../src/registration/evidence/nothing-evidence.ts';
import { mayBeName, meansNothing } from '../../../src/registration/evidence/nothing-words.ts';
import type { FieldKind } from '../../../src/registration/model/persona.ts';
import { listed } from '../../support/tables.ts';

/** What is asked of a column with these texts. */
function asked(kind: FieldKind, texts: readonly string[], companion?: number): string[] {
  const evidence = new NothingEvidence();
  const of = companion === undefined ? {} : { companion };
  const watched = { index: 0, column: 'c', watch: 'text', kind, name: 'c', options: [], ...of } as const;
  for (const [at, text] of texts.entries()) evidence.add(text, watched, at + 2);
  return evidence.words.map(({ text, rows }) => `${rows} ${text}`);
}

describe('a word for nothing', () => {
  it.each([
    '*|FNAME|*',
    '${name}',
    ...listed(`
      n/a | N/A | n. a. | NA | k.A. | k. A. | kA | - | – | — | -- | ... | ? | # | / | keine | Keine Angabe |
      none | NONE | NULL | (null) | null | nil | \\N | undefined | [object Object] | NaN | (blank) |
      (leer) | unbekannt | Unknown | TBD | tba | t.b.a. | to be announced | n.v. | s/d | s.o. | néant |
      Entfällt | ninguno | nessuno | geen | aucun | não se aplica | n.v.t. | {{first_name}} |
      {{ first name }} | {name} | %FIRSTNAME% | %%first name%% | [FIRST NAME] | [First name] |
      [first_name] | #{name} | <<name>> | <name> | «Vorname» | {% name %} | <%= name %> | __NAME__ |
      undefined undefined | null null | 無
    `),
  ])('%s', (text) => {
    expect(meansNothing(text)).toBe(true);
  });

  it.each([
    '',
    ...listed(`
      no | nein | non | x | ok | 0 | + | ✓ | ★★★ | 👍 | * | Anna | Nonna | Noneman | Ltd. | N | SD | NV |
      Null Bock GmbH | None of your business | no nuts | keine Nüsse | [redacted] | {"a":1} | 100% |
      50% off, 20% | #N/A | #NV | #### | <ada@example.com> | ada@example.com | «Ромашка» | Sing-Sing |
      Lane (work)
    `),
  ])('%s is none', (text) => {
    expect(meansNothing(text)).toBe(false);
  });

  it('is none in a column of names where a few people are called so', () => {
    const others = ['Lane', 'Marsh', 'Reed', 'Poole', 'Kerr'];
    for (const name of ['Null', 'NULL', 'None', 'Nil', 'Na', 'Nan', 'K.A.', 'Blank']) {
      expect(mayBeName(name)).toBe(true);
      expect(asked('name', [...others, name])).toEqual([]);
      expect(asked('name', [...others, name, name])).toEqual([]);
      expect(asked('name', [...others, name, name, name])).toEqual([`3 ${name}`]);
      expect(asked('name', ['Lane', name, name])).toEqual([`2 ${name}`]);
    }
    for (const word of listed('\\N | undefined | {{last_name}} | - | n/a | k.A. | unbekannt | null | TBD')) {
      expect(asked('name', [...others, word])).toEqual([`1 ${word}`]);
    }
  });

  it('is one that names nobody where companions are named, and there alone', () => {
    const words = listed(
      'N.N. | Ehefrau | wife | +1 | ja | No | x | 0 | nein | épouse | guest 2 | Sim | Sí | mulher | mijn partner | mais um | my guest',
    );
    const names = listed('Nina | Mae | Guest | Friend | J. | J | Vero | Jan | Mia | Ehefried | N.');
    const named = words.map((word) => `1 ${word}`);
    expect(asked('name', [...words, ...names], 1)).toEqual(named);
    expect(asked('name', ['Guest', 'Guest', 'Guest', 'Ann'], 1)).toEqual(['3 Guest']);
    expect(asked('name', words)).toEqual(['1 N.N.']);
    expect(asked('numeric', ['+1', '0', '2'], 1)).toEqual([]);
  });

  it('is none where it is a country, or a code among codes', () => {
    expect(asked('country', ['DE', 'NA', 'na', 'n/a'])).toEqual(['1 n/a']);
    expect(asked('text', ['MI', 'NA', 'RM', 'TO'])).toEqual([]);
    expect(asked('text', ['Milan', 'NA', 'Rome', 'Turin'])).toEqual(['1 NA']);
    expect(asked('text', ['NA', 'NA'])).toEqual(['2 NA']);
  });
});
