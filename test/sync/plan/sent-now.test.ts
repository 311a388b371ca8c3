import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import { type LastWord, whatIsSent } from '../../../src/sync/decide/what-is-sent.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';
import { pushBench } from '../push-bench.ts';

const HEAD = 'persona,barcode,first_name';

/** The fields of the last request that wrote. */
const lastFields = (bench: Awaited<ReturnType<typeof pushBench>>): unknown =>
  (JSON.parse(bench.posts().at(-1)?.body ?? '{}') as { fields?: unknown }).fields;

test('a value that the service has never shown again is sent along as it was said', async () => {
  const bench = await pushBench({ misstored: 'dropped', fieldsOnUpdate: 'replace' });
  await bench.push([bench.write('a.csv', `${HEAD},company\nvisitor,A,Ada,Acme\n`)]);
  const ended = await bench.push([bench.write('b.csv', `${HEAD}\nvisitor,A,Ava\n`)]);
  expect(ended.code).toBe(EXIT.done);
  expect(lastFields(bench)).toEqual({ first_name: 'Ava', company: 'Acme' });
});

test('nothing is sent along that no file has said', async () => {
  const bench = await pushBench({ fieldsOnUpdate: 'replace' });
  await bench.push([bench.write('a.csv', `${HEAD}\nvisitor,A,Ada\n`)]);
  await bench.push([bench.write('b.csv', `${HEAD}\nvisitor,A,Ava\n`)]);
  expect(lastFields(bench)).toEqual({ first_name: 'Ava' });
});

const FIELDS = fieldsOf(event(persona('visitor', [field('first_name', 'name'), field('remarks', 'text')])));

function sent(remarks: string | undefined, lastWord: LastWord): unknown {
  const { registration, along, cannot } = whatIsSent({
    registration: {
      persona: 'visitor',
      fields: { first_name: 'Ava' },
      barcode: 'A',
      parentBarcode: undefined,
      enableComms: false,
    },
    before: {
      id: '1',
      persona: 'visitor',
      barcode: 'A',
      fields: { first_name: 'Ada', ...(remarks === undefined ? {} : { remarks }) },
    },
    fields: FIELDS,
    lastWord,
  });
  return { remarks: registration.fields['remarks'], along, cannot };
}

test('what is shown cut is sent along whole where it is known whole', () => {
  const whole: LastWord = ({ slug }) => (slug === 'remarks' ? { value: 'Allergic to nuts' } : undefined);
  expect(sent('Allergic', whole)).toEqual({ remarks: 'Allergic to nuts', along: ['remarks'], cannot: [] });
  expect(sent('Allergic', () => undefined)).toMatchObject({ remarks: 'Allergic' });
});

test('what was said, is not shown, and is not known any more keeps the row back', () => {
  const lost: LastWord = ({ slug }) => (slug === 'remarks' ? 'lost' : undefined);
  expect(sent(undefined, lost)).toEqual({ remarks: undefined, along: [], cannot: ['remarks'] });
});
