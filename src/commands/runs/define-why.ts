import type { Command } from 'commander';
import * as z from 'zod';
import { globalOptions, type Handler, parseOptions, rawOptions } from '../options/options.ts';

const whyOptions = globalOptions.extend({
  action: z.literal('why'),
  /** Barcode, place, e-mail address or id of a registration. */
  who: z.string().min(1),
  /** Only what this run did. */
  run: z.string().optional(),
  /** Tell what is last known, without asking the service. */
  offline: z.boolean().default(false),
});
export type WhyOptions = z.infer<typeof whyOptions>;

const HELP = `
<who> is a barcode, the id of a registration, a place (guests.csv:17, guests.xlsx:Sheet1:17, or 17 alone for
the newest run; 17/2 is the second companion on the line), or an e-mail address as it was sent. The whole story
is told: what the service holds now, value by value, and then run by run, what was done last first, what was
compared, mended and sent, every answer with its time and request id, and what to do next. Where the service
cannot be reached, and with --offline, it is what was last known, and when.
Values of persons are masked without --show-values. Output: text for people; json and ndjson are one record a
registration; csv is one row a step.

Examples:
  eventreg runs why EV-1017
  eventreg runs why guests.xlsx:Sheet1:17 --show-values
  eventreg runs why ada@example.com --json
  eventreg runs why 17 --run 20270301-4f9a2c --offline

Exit codes: 0 found · 1 the journal cannot be used · 2 nothing is known of it`;

/** Defines `runs why`. */
export function defineWhy(command: Command, handle: Handler<WhyOptions>): void {
  const sub = command
    .command('why <who>')
    .description(
      'tell what the service holds of one registration, all that was done about it, and what to do next',
    )
    .option('--run <id>', 'only what this run did')
    .option('--offline', 'do not ask the service: tell what is last known')
    .addHelpText('after', HELP);
  sub.action(async () => {
    await handle(parseOptions(whyOptions, { ...rawOptions(sub), action: 'why', who: sub.args[0] }));
  });
}
