import Table from 'cli-table3';
import type { ChainResult } from './chain.ts';
import { type KillOrder, writeKill } from './kill-order.ts';
import type { Scenario } from './scenarios.ts';

/** What the chains came to, counted. */
export class Tally {
  readonly #results: ChainResult[] = [];

  add(result: ChainResult): void {
    this.#results.push(result);
  }

  get kills(): number {
    return sum(this.#results, ({ kills }) => kills.length);
  }

  get failed(): boolean {
    return this.#results.some(({ verdict }) => verdict.violations.length > 0);
  }

  /** A line for each scenario. */
  table(scenarios: readonly Scenario[]): string {
    const head = ['command', 'known barcode', 'concurrency', 'barcodes', 'chains', 'kills', 'resumes'];
    const table = new Table({
      head: [...head, 'lost', 'doubled', 'uncertain, listed'],
      colAligns: ['left', 'left', 'right', 'left', ...Array.from({ length: 6 }, () => 'right' as const)],
      style: { head: [], border: [], compact: true },
    });
    for (const { name, command, limited, upsert, concurrency, data } of scenarios) {
      const own = this.#results.filter(({ scenario }) => scenario.name === name);
      const chains = own.filter(({ kills }) => kills.length > 0).length;
      const kills = sum(own, (result) => result.kills.length);
      const resumes = sum(own, (result) => result.resumes);
      const what = `${command}${limited ? ', limited' : ''}`;
      table.push([what, upsert, concurrency, data, chains, kills, resumes, ...this.#fates(own)]);
    }
    return table.toString();
  }

  #fates(results: readonly ChainResult[]): number[] {
    return [
      sum(results, ({ verdict }) => verdict.lost),
      sum(results, ({ verdict }) => verdict.doubled),
      sum(results, ({ verdict }) => verdict.uncertain),
    ];
  }

  /** How the kills were spread; `writes` is the most that any push was seen to make. */
  spread(writes: number): string {
    const kills = this.#results.flatMap((result) => result.kills);
    const at = (way: KillOrder['at']): number => kills.filter((kill) => kill.at === way).length;
    const inside = sum(this.#results, (result) => result.inside);
    const hit = new Set(kills.flatMap((kill) => ('write' in kill ? [kill.write] : [])));
    return (
      `Kills: ${at('before')} before a write, ${at('after')} after one, ${at('during')} during one (${inside} hit inside it), ` +
      `${at('request')} at a request, ${at('time')} at any time. Writes hit: ${hit.size} of ${writes}.`
    );
  }

  /** Everything that went wrong, each with how to see it again. */
  failures(): string[] {
    return this.#results
      .filter(({ verdict }) => verdict.violations.length > 0)
      .map(({ scenario, latencyMs, orders, verdict }) => {
        const play = orders.length === 0 ? 'nothing' : orders.map(writeKill).join(',');
        const latency = latencyMs === 0 ? '' : ` --latency ${latencyMs}`;
        return [
          `${scenario.name}:`,
          ...verdict.violations.map((violation) => `  - ${violation}`),
          `  again: npm run test:crash -- --only ${scenario.name} --play ${play}${latency}`,
        ].join('\n');
      });
  }

  closing(seconds: number, what: string): string {
    const [lost = 0, doubled = 0, uncertain = 0] = this.#fates(this.#results);
    const resumes = sum(this.#results, (result) => result.resumes);
    return (
      `${this.kills} ${what} and ${resumes} resumes in ${Math.round(seconds)} s: ` +
      `${lost} lost, ${doubled} doubled, ${uncertain} uncertain and listed.` +
      (this.failed ? ` ${this.failures().length} chains went wrong: see above.` : ' Nothing went wrong.')
    );
  }
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
