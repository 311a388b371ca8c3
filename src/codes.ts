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
  masked:
    'the list is masked for another service than this one, or it is not masked, and people of a masked clone would get its values',
  busy: 'another eventreg works on it',
  'nothing-chosen': 'nothing was named, or nothing is there of what was named',
  unclear: 'the service shows too little to tell registrations apart without doubt',
  'moving-list': 'registrations came or went each time the list was read',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
export type GuardCode = keyof typeof GUARD_CODES;

/** Why a row, or a registration, is not as it was to be: the `code` of a problem. */
export const PROBLEM_CODES = {
  'barcode-invalid': 'is no barcode: too long, not visible, with decimals, or its own parent',
  'barcode-twice': 'another row has the same barcode',
  'cell-error': 'the file holds an error of a spreadsheet, or a formula without its value',
  'cell-type':
    'the cell holds another kind of thing than the field takes, such as a list, a date or a switch',
  'choice-several': 'the value fits several of those that the field allows',
  'choice-unknown': 'the value is none of those that the field allows',
  'column-twice': 'another column of the row fills the same field',
  'companion-untied': 'the companion cannot be tied to its row, which has no barcode',
  'country-unknown': 'is no ISO 3166 code of a country',
  'date-invalid': 'is no date or time in the form that the service takes',
  'date-order': 'day and month cannot be told apart',
  'digits-lost': 'a spreadsheet, or a number too long, has lost digits',
  'email-domain': 'the domain of the e-mail address takes no mail',
  'email-invalid': 'is no valid e-mail address',
  'example-row': 'the row has something of the example of a template',
  'field-foreign': 'the persona of the row has no such field',
  'flag-invalid': 'is neither true nor false',
  'header-again': 'the row repeats the headings of its file',
  'json-invalid': 'the JSON of the row is broken, or not made as a registration is',
  'name-unclear': 'the full name cannot be split into a first and a last one',
  'number-invalid': 'is no number of digits only',
  'parent-circle': 'the row hangs on a circle of parents',
  'parent-rejected': 'the row of its parent is rejected itself',
  'parent-unknown': 'its parent is neither in the file nor in the service',
  'persona-several': 'the persona fits several of the event',
  'persona-unknown': 'the row names no persona of the event',
  'phone-country': 'the country of the phone number cannot be told',
  'phone-invalid': 'is no valid phone number',
  'row-empty': 'the row holds nothing that is sent',
  'row-nameless': 'the row has neither a name nor an e-mail address',
  'text-damaged': 'the text has lost characters, or holds some that nobody sees',
  'text-mixed': 'the address mixes letters of alphabets that look alike',
  'url-invalid': 'is no valid web address',
  failed: 'the service has refused the row, or the deletion',
  conflict: 'the service holds something that contradicts it, or both sides have changed it',
  uncertain: 'a request may have landed or not',
  unanswered: 'nobody has said yes to a question about it, so nothing was sent',
  stopped: 'a guard has stopped the push before it: `stopped_by` says which',
  blocked: 'not sent because its parent was not, or not deleted because a member of it was not',
  postponed: 'held back, because it is not known what the service would do with it, or what it holds',
  different: 'the service holds other values than it was to be left with',
  doubled: 'it is registered more than once',
  gone: 'it is not listed any more, though nobody asked to delete it',
  orphaned: 'it has lost its parent',
  unseen: 'some of it is left alone: no list shows it, or the service does not take it back',
  lost: 'it is gone by the run that is undone, and was not brought back',
} as const;
export type ProblemCode = keyof typeof PROBLEM_CODES;
