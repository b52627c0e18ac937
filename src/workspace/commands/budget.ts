/** The most that may come in of one kind. */
interface Limits {
  readonly entries?: number
  /** Bytes, or characters of JSON. */
  readonly bytes?: number
  /** Milliseconds after which it is counted from 0 again; absent for one list, call, answer, turn or connection. */
  readonly ms?: number
  /** The things that are counted, in words. */
  readonly of: string
}

const MB = 1_048_576

const SECOND = 1_000

const MINUTE = 60_000

/**
 * The budgets of all that others send, for each server, model and client. A log is never cut, so what is over is
 * refused and leaves no entry. docs/trust.md has this table.
 */
const BUDGETS = {
  // A connection to a server.
  notifications: { of: 'notifications', entries: 1_000, ms: SECOND },
  requests: { of: 'requests', entries: 1_000, ms: MINUTE },
  unasked: { of: 'notifications and requests', bytes: 256 * MB, ms: MINUTE },
  errorOutput: { of: 'error output', bytes: 64 * MB, ms: MINUTE },
  strayAnswers: { of: 'answers without a question', entries: 1_000, ms: SECOND },
  list: { of: 'definitions', bytes: 4 * MB },
  answeredList: { of: 'entries', bytes: MB },
  lists: { of: 'lists', entries: 600, bytes: 32 * MB, ms: MINUTE },
  // A server in a session.
  listChanges: { of: 'changed tools', bytes: MB, ms: MINUTE },
  serverQuestions: { of: 'questions', entries: 400, bytes: 768 * 1_024, ms: MINUTE },
  // A call of a server.
  questions: { of: 'questions', entries: 20, bytes: MB / 2 },
  // A model in the chat of the command and the playground.
  response: { of: 'a response', bytes: 128 * MB },
  answer: { of: 'an answer', bytes: 750_000 },
  answerCalls: { of: 'calls in an answer', entries: 128 },
  turn: { of: 'answers to one message', bytes: 1_000_000 },
  conversation: { of: 'messages', bytes: 128 * MB },
  // A file of another agent.
  transcript: { of: 'content', bytes: 256 * MB },
  shown: { of: 'lists of tools, skills and texts', bytes: 512 * MB },
  // Each request has all messages of the one before.
  recorded: { of: 'requests', bytes: 4_096 * MB },
  // A principal of a server of ours: one user, or all clients without a name.
  entries: { of: 'entries in the log', entries: 4_000, bytes: 1_500_000, ms: MINUTE },
  // A connection of a client.
  subscriptions: { of: 'subscriptions', entries: 1_000, bytes: MB / 4 },
} satisfies Readonly<Record<string, Limits>>

/** Counts what comes in of one kind, against its budget. */
export class Budget {
  readonly #limits: Limits
  readonly #now: () => number
  #entries = 0
  #bytes = 0
  #since = -Infinity

  /**
   * @param now milliseconds of a clock that never goes back
   * @param entries the number that the host set instead
   */
  constructor(kind: keyof typeof BUDGETS, now = () => performance.now(), entries?: number) {
    this.#limits = { ...BUDGETS[kind], ...(entries !== undefined && { entries }) }
    this.#now = now
  }

  /** Counts one entry. Returns what it is over, in words; null for one that fits. One that is over is not counted. */
  take(bytes = 0): string | null {
    const { entries = Infinity, bytes: most = Infinity, ms = Infinity, of } = this.#limits
    this.#begin(ms)
    const time = ms === SECOND ? ' in a second' : ms === MINUTE ? ' in a minute' : ''
    if (this.#entries + 1 > entries) return `over ${entries} ${of}${time}`
    if (this.#bytes + bytes > most) return `over ${Budget.size(most)} of ${of}${time}`
    this.#entries += 1
    this.#bytes += bytes
    return null
  }

  /** Returns the milliseconds until there is room for so many bytes: 0 for now, and `Infinity` for never. */
  waitMs(bytes = 0): number {
    const { entries = Infinity, bytes: most = Infinity, ms = Infinity } = this.#limits
    if (bytes > most) return Infinity
    this.#begin(ms)
    const isFull = this.#entries + 1 > entries || this.#bytes + bytes > most
    return isFull ? this.#since + ms - this.#now() : 0
  }

  /** Writes a number of bytes, such as `4 MB`. */
  static size(bytes: number): string {
    const [size, unit] = bytes >= MB ? [bytes / MB, 'MB'] : [bytes / 1_024, 'kB']
    return `${Math.round(size * 10) / 10} ${unit}`
  }

  #begin(ms: number): void {
    const now = this.#now()
    if (now - this.#since < ms) return
    this.#since = now
    this.#entries = 0
    this.#bytes = 0
  }
}
