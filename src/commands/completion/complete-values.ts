import { ROW_STATES } from '../../registration/model/row-states.ts';
import { OUTPUTS } from '../options/options.ts';
import { SHELLS } from './shells.ts';

/** Where the words come from that may stand at a place. */
export type Source = 'clones' | 'files' | 'personas' | 'profiles' | 'runs' | readonly string[];

/** What may follow a flag; of any other nothing is known. */
export const FLAG_VALUES: Readonly<Record<string, Source>> = {
  '--backup': 'files',
  '--body': 'files',
  '--respond': ['200', '500', 'slow'],
  '--blank': ['omit', 'clear'],
  '--data': 'files',
  '--file': 'files',
  '--invalid': ['stop', 'skip'],
  '--mapping': 'files',
  '--match': ['barcode', 'email', 'none'],
  '--output': OUTPUTS,
  '--persona': 'personas',
  '--plan': 'files',
  '--plan-out': 'files',
  '--profile': 'profiles',
  '--progress': ['auto', 'bar', 'text', 'none'],
  '--rejects': 'files',
  '--registrations': ['none', 'masked', 'as-they-are'],
  '--report': ['html=', 'junit='],
  '--run': 'runs',
  '--sandbox': 'clones',
  '--state': ROW_STATES,
  '--to': 'files',
  '--write-mapping': 'files',
};

/** What the words of a command may be, and how many of them there are at most. */
export const WORD_VALUES: Readonly<Record<string, { source: Source; most: number }>> = {
  completion: { source: SHELLS, most: 1 },
  'event fields': { source: 'personas', most: 1 },
  'event schema': { source: 'personas', most: 1 },
  'event template': { source: 'personas', most: 1 },
  'profiles remove': { source: 'profiles', most: 1 },
  'profiles show': { source: 'profiles', most: 1 },
  'profiles use': { source: 'profiles', most: 1 },
  push: { source: 'files', most: Number.POSITIVE_INFINITY },
  'runs bundle': { source: 'runs', most: 1 },
  'runs decide': { source: 'runs', most: 1 },
  'runs report': { source: 'runs', most: 1 },
  'runs purge': { source: 'runs', most: 1 },
  'runs show': { source: 'runs', most: 1 },
  'runs undo': { source: 'runs', most: 1 },
  'sandbox mask': { source: 'files', most: 1 },
  'sandbox reset': { source: 'clones', most: 1 },
  'sandbox sample': { source: 'files', most: 1 },
};
