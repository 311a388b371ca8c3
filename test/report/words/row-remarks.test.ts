import { describe, expect, it } from 'vitest';
import type { Reason } from '../../../src/registration/model/row.ts';
import { formatReject } from '../../../src/report/words/row-remarks.ts';

const EMAIL: Reason = {
  column: 'E-mail',
  field: 'email',
  value: 'ann@exa',
  code: 'email-invalid',
  problem: 'is not a valid e-mail address',
  remedy: 'write it as name@example.com',
  personal: true,
};

function format(reason: Partial<Reason>, showValues = false): string[] {
  const reject = { place: { file: 'attendees.csv', line: 12 }, reasons: [{ ...EMAIL, ...reason }] };
  return formatReject(reject, { showValues });
}

describe('formatReject', () => {
  it('names place, column, field, value, problem and remedy, with the value masked', () => {
    expect(format({})).toEqual([
      'attendees.csv:12  column "E-mail" (email): "a••@e••" is not a valid e-mail address; write it as name@example.com',
    ]);
  });

  it('shows the value when asked to, or when it is not personal', () => {
    expect(format({}, true)[0]).toContain(': "ann@exa" is');
    expect(format({ personal: false })[0]).toContain(': "ann@exa" is');
  });

  it('leaves out what a reason does not have', () => {
    const bare = { value: undefined, remedy: undefined, problem: 'is missing' };
    expect(format(bare)).toEqual(['attendees.csv:12  column "E-mail" (email) is missing']);
    expect(format({ ...bare, field: undefined })).toEqual(['attendees.csv:12  column "E-mail" is missing']);
    expect(format({ ...bare, column: undefined })).toEqual(['attendees.csv:12  field "email" is missing']);
    expect(format({ ...bare, column: undefined, field: undefined, problem: 'the row is empty' })).toEqual([
      'attendees.csv:12  the row is empty',
    ]);
  });

  it('writes one line a reason', () => {
    const place = { file: 'a.csv', line: 2 };
    expect(formatReject({ place, reasons: [EMAIL, EMAIL] }, { showValues: false })).toHaveLength(2);
  });

  it('cuts long values and makes all text safe', () => {
    const value = `\u001B]0;x\u0007${'y'.repeat(100)}`;
    const [line] = format({ value, personal: false, column: 'a\nb', problem: 'is\u202E bad' });
    expect(line).toBe(
      `attendees.csv:12  column "a\\nb" (email): "\\u{1b}]0;x\\u{7}${'y'.repeat(74 - 1)}…" is\\u{202e} bad; write it as name@example.com`,
    );
  });
});
