/**
 * Header in which a clone tells by which key its people are masked, so that a list can be held against it wherever it
 * runs. No service has it.
 */
export const MASKED_BY_HEADER = 'eventreg-masked-by';

/** Header in which a sandbox tells that it is one: people who are made up are at home there. No service has it. */
export const SANDBOX_HEADER = 'eventreg-sandbox';
