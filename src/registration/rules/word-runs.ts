/** Runs of at most so many words, from one up to another, the longest first: longer names hide those within them. */
export function* runsOf(words: readonly string[], longest: number): Generator<{ from: number; to: number }> {
  for (let length = Math.min(longest, words.length); length > 0; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) yield { from, to: from + length };
  }
}
