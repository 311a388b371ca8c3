/** The first lines, and how many there are beyond them: `… and 70 more columns`. An error is read on one screen. */
export function firstLines(lines: readonly string[], most: number, what: string): readonly string[] {
  const left = lines.length - most;
  return left <= 0 ? lines : [...lines.slice(0, most), `… and ${left} more ${what}`];
}
