import { expect, test } from 'vitest';
import { jsonText, prettyJson } from '../../../src/report/words/data-text.ts';

test.each(['##[error]x', '##vso[task.setvariable variable=a]b'])(
  'what begins a command of a runner is written so that it is none: %s',
  (text) => {
    for (const json of [jsonText({ a: text }), prettyJson({ a: text })]) {
      expect(json).not.toContain('##');
      expect(JSON.parse(json)).toEqual({ a: text });
    }
  },
);
