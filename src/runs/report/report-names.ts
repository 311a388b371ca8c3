import { basename } from 'node:path';
import type { Reject } from '../../registration/model/row.ts';
import type { RowProblem } from '../../report/views/summary-view.ts';
import type { RowView } from '../../report/views/story-view.ts';

/** Calls files by their names without folders: these may hold the name of a person or a machine, and reports travel. */
export class ReportNames {
  /** Those that were given with a folder, and what they are called. */
  readonly #folders: readonly (readonly [file: string, name: string])[];

  constructor(files: readonly string[]) {
    this.#folders = files
      .map((file) => [file, basename(file)] as const)
      .filter(([file, name]) => file !== name)
      // One may begin with another.
      .sort(([one], [other]) => other.length - one.length);
  }

  inText<Text extends string | undefined>(text: Text): Text {
    if (text === undefined) return text;
    return this.#folders.reduce<string>((all, [file, name]) => all.replaceAll(file, name), text) as Text;
  }

  inReject(reject: Reject): Reject {
    const { place, reasons } = reject;
    return {
      place: { ...place, file: basename(place.file) },
      reasons: this.#inReasons(reasons),
    };
  }

  inProblem(problem: RowProblem): RowProblem {
    return {
      ...problem,
      place: this.inText(problem.place),
      message: this.inText(problem.message),
      reasons: problem.reasons && this.#inReasons(problem.reasons),
    };
  }

  inRow(row: RowView): RowView {
    return {
      ...row,
      place: this.inText(row.place),
      message: this.inText(row.message),
      reasons: this.#inReasons(row.reasons),
      findings: row.findings.map((finding) => this.inText(finding)),
      steps: row.steps.map((step) => ({ ...step, detail: this.inText(step.detail) })),
    };
  }

  #inReasons<R extends { problem: string }>(reasons: readonly R[]): R[] {
    return reasons.map((reason) => ({ ...reason, problem: this.inText(reason.problem) }));
  }
}
