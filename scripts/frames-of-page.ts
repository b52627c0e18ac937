/** What shows a frame on a page: the keys pressed before it was taken, then the frame itself. */
const MARKED = /^<!-- keys: (.*?) ?-->\n\n```text\n[^`]*```$/gm

/** A page with its frames taken anew, and how many there are. */
export interface PageWithFrames {
  readonly text: string
  readonly frames: number
}

/**
 * Take the frames of a page anew. A frame stands in a `text` fence below a comment that has the
 * keys, such as `<!-- keys: 2 / q -->`; none before the first frame.
 */
export async function framesOfPage(
  page: string,
  takeFrame: (keys: string) => Promise<string>,
): Promise<PageWithFrames> {
  const taken: string[] = []
  for (const [, keys = ''] of page.matchAll(MARKED)) {
    const frame = withoutSession(await takeFrame(keys)).trimEnd()
    taken.push(`<!-- keys: ${keys}${keys === '' ? '' : ' '}-->\n\n\`\`\`text\n${frame}\n\`\`\``)
  }
  const rest = [...taken]
  return { text: page.replace(MARKED, () => rest.shift() ?? ''), frames: taken.length }
}

/** A session has a random id; a page shows the same one each time. */
export function withoutSession(frame: string): string {
  return frame.replace(/(?<=session "?)[\da-f]{6,}[\da-f-]*/g, (id) => id.replace(/[\da-f]/g, '0'))
}
