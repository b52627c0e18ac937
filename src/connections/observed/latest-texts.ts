import { WorkspaceError } from '../../entries/index.ts'

/** The part of a text that an earlier one does not have. */
export interface SharedText {
  readonly text: string
  /** The earlier one, by its number of texts ago, and the characters at both ends that are the same. */
  readonly shared?: { readonly ago: number; readonly begin: number; readonly end: number }
}

/** Texts ago. Subagents take turns. */
const MOST_AGO = 8

/** Characters. Less is not worth a reference. */
const LEAST_SHARED = 200

/**
 * The latest requests of a recording: each has all messages of the one before it, so a recording would otherwise grow with the
 * square of their number. Writer and reader take the same texts in the same order.
 */
export class LatestTexts {
  #texts: readonly string[] = []

  shorten(text: string): SharedText {
    const all = this.#texts.map((earlier, index) => {
      const begin = sharedBegin(earlier, text)
      return { ago: index + 1, begin, end: sharedEnd(earlier, text, begin) }
    })
    this.#add(text)
    const [best] = all.toSorted((a, b) => b.begin + b.end - (a.begin + a.end))
    if (best === undefined || best.begin + best.end < LEAST_SHARED) return { text }
    return { text: text.slice(best.begin, text.length - best.end), shared: best }
  }

  /** Returns the whole text. Throws `LOG_UNREADABLE` when it refers to one that was not there. */
  restore({ text, shared }: SharedText): string {
    const { ago, begin, end } = shared ?? { ago: 0, begin: 0, end: 0 }
    const earlier = ago === 0 ? '' : this.#texts[ago - 1]
    if (earlier === undefined || !(begin + end <= earlier.length)) {
      const message = 'A request of the recording refers to one that it lacks.'
      throw new WorkspaceError('LOG_UNREADABLE', message, {
        hint: 'The file was changed. Record the agent again.',
      })
    }
    const whole = earlier.slice(0, begin) + text + earlier.slice(earlier.length - end)
    this.#add(whole)
    return whole
  }

  #add(text: string): void {
    this.#texts = [text, ...this.#texts].slice(0, MOST_AGO)
  }
}

function sharedBegin(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

/** Counts the same characters at the end, without those at the beginning. */
function sharedEnd(one: string, other: string, begin: number): number {
  const most = Math.min(one.length, other.length) - begin
  let end = 0
  while (
    end < most &&
    one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)
  )
    end += 1
  return end
}
