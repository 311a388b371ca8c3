import type { SandboxFile } from './database.ts';
import { json, rowCodec } from '../../sqlite/row-codec.ts';
import { Store } from './store.ts';
import type { SandboxRegistration } from './stored-row.ts';
import { DEFAULT_SWITCHES, type Switches } from './switches.ts';

/** What a sandbox holds of the service that it copies, besides the registrations. */
export interface Copied {
  /** The body of GET /event, as it came. */
  event: unknown;
  /** The one token that it accepts. */
  token: string;
  switches: Partial<Switches>;
  /** Mark of the key by which its people are masked; undefined where they are as they are. */
  maskedBy: string | undefined;
  /** For those who made it: where it is from, and how that was seen. */
  about: unknown;
}

const NAME = 'copied';
const COPIED = rowCodec({ value: json<Copied>() });

/** Undefined where the sandbox is of the demo event. */
export function readCopied(file: SandboxFile): Copied | undefined {
  return file.readOne(COPIED, `FROM meta WHERE name = '${NAME}'`)?.value;
}

/** What a file holds of the service that it copies, with its identity and the number of its registrations. */
export function describeCopy(
  file: string,
): { copied: Copied; instanceId: string; registrations: number } | undefined {
  const store = new Store(file);
  try {
    const copied = readCopied(store.file);
    const registrations = store.count({ persona: undefined, barcode: undefined });
    return copied && { copied, instanceId: store.instanceId(), registrations };
  } finally {
    store.close();
  }
}

/** Fills the file of a sandbox with what another service shows. */
export class CopyWriter {
  readonly #store: Store;
  #last = 0;

  constructor(file: string) {
    this.#store = new Store(file);
  }

  get instanceId(): string {
    return this.#store.instanceId();
  }

  /** Registrations in the order in which they are listed. Ids are their own; without one they get one. */
  add(registrations: readonly SandboxRegistration[]): void {
    for (const registration of registrations) {
      this.#store.put(registration, DEFAULT_SWITCHES, registration.updatedAt);
      const number = /^\d{1,15}$/.test(registration.id) ? Number(registration.id) : 0;
      this.#last = Math.max(this.#last, number);
    }
  }

  clear(): void {
    this.#store.file.run('DELETE FROM registrations');
  }

  finish(copied: Copied): void {
    const { file } = this.#store;
    file.transaction(() => {
      if (copied.switches.listOrder === 'newest') {
        file.run('UPDATE registrations SET seq = -seq');
        file.run(
          `UPDATE registrations SET seq = seq + 1 +
             (SELECT seq FROM sqlite_sequence WHERE name = 'registrations')`,
        );
      }
      // Numbers that new ones get are made of this one: they shall not be those of registrations that are there.
      file.run(`UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'registrations'`, [this.#last]);
      file.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', [NAME, JSON.stringify(copied)]);
    });
  }

  close(): void {
    this.#store.close();
  }
}
