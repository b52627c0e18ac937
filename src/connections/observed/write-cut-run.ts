import { createHmac } from 'node:crypto'

/** Matches what a recording has for a run of a text that was cut. */
export const CUT_RUN = /\[cut: (\d{1,9}) bytes, (\d{1,9}) tokens, [0-9a-f]{12}\]/g

/**
 * Returns what a recording has for a run of a text that it must not have: its length, and a digest by which it is the same
 * wherever it was, and no one can look for it.
 *
 * @param key the secret of one recording
 */
export function writeCutRun(run: string, key: Buffer, count: (text: string) => number): string {
  const digest = createHmac('sha256', key).update(run).digest('hex').slice(0, 12)
  return `[cut: ${Buffer.byteLength(run)} bytes, ${count(run)} tokens, ${digest}]`
}

/** Counts the tokens that a text had before runs of it were cut. */
export function countUncut(text: string, count: (text: string) => number): number {
  if (!text.includes('[cut: ')) return count(text)
  let cut = 0
  const rest = text.replaceAll(CUT_RUN, (_, bytes: string, tokens: string) => {
    // A token has a byte at least, whatever the file says.
    cut += Math.min(Number(bytes), Number(tokens))
    return ''
  })
  return count(rest) + cut
}
