/**
 * What can be told apart by programs, each code with what it says: the tables of docs/json.md. A code never changes
 * its meaning; new ones may come.
 */

/** Why a command has failed. */
export const ERROR_CODES = {
  usage: 'flags, arguments or settings are wrong',
  input: 'a file cannot be read as what it says it is, or holds what cannot be used',
  questions: 'a file leaves something open that only its owner knows: `questions` has the flags that answer',
  unauthorised: 'the service refuses the token, or there is none',
  service: 'the service, or the way to it, failed',
  machine: 'something on this machine failed: the disk, the journal, the keychain',
  'gave-up': 'waiting would take longer than allowed; nothing is lost',
  interrupted: 'Ctrl-C, or another signal; the same command again goes on',
  defect: 'a defect of eventreg: please report it',
} as const;

/** What stops a command for safety (exit 7): `stopped_by`, and the code of its error. */
export const GUARD_CODES = {
  confirmation:
    'nobody has said yes: the question was answered with no, or nobody was there and --yes was not given',
  'max-delete': 'more would be deleted than --max-delete allows',
  'max-failures': 'more rows were refused than --max-failures allows',
  leave: '--leave keeps back every request that the service allows',
  prune: '--prune is not safe with these files, or with what the service shows',
  plan: 'files, flags or service are no longer as they were when the plan was made',
  'other-service': 'the run or the plan is of another service or event than the command is for',
  busy: 'another eventreg works on it',
  'nothing-chosen': 'nothing was named, or nothing is there of what was named',
  unclear: 'the service shows too little to tell registrations apart without doubt',
  'moving-list': 'registrations came or went each time the list was read',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
export type GuardCode = keyof typeof GUARD_CODES;
