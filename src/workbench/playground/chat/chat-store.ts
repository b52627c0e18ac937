import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { ModelMessage } from 'ai'
import { type Redactor, WorkspaceError } from '../../../entries/index.ts'
import { errorCode, isObject, textHash, tryOrUndefined } from '../../../entries/kit.ts'
import type { ChatNotice } from './chat-event.ts'
import { Budget } from '../../../workspace/commands/budget.ts'

/** The streamed parts of an answer of the model, before its calls run. */
export type StreamedAnswer = readonly LanguageModelV4StreamPart[]

/**
 * The messages of a conversation, which the log of its session does not have.
 *
 * An answer is stored before its calls run. A process that makes the step again after a crash gets the same answer
 * without asking the model, so its calls have the same ids, and the session returns the results that it recorded.
 */
export interface ChatStore {
  readonly messages: readonly ModelMessage[]
  /** The stored answer to these messages, without its results; null without one. */
  readonly answer: StreamedAnswer | null
  /** The notice of an unfinished turn that somebody else wrote. It was left out, since its calls would run. */
  readonly withheld: ChatNotice | null
  append(messages: readonly ModelMessage[]): void
  keepAnswer(answer: StreamedAnswer): void
}

/** A line of the file. */
type Line =
  | {
      readonly messages: readonly ModelMessage[]
      /** The number of messages that it follows, when those after them were left out. */
      readonly after?: number
    }
  | { readonly answer: StreamedAnswer }

/** The conversations of a log. */
export interface ChatPlace {
  readonly folder: string
  /** Recognises the lines that this user wrote; null where nobody else writes. */
  readonly user: {
    seal(text: string): string | undefined
    isOwn(text: string, seal: string | undefined): boolean
  } | null
  /** The hash of the first entry of the session, since another log may have a session of the same name. */
  readonly opening?: string
}

/** Returns the file with the messages of a session, in the folder with those of all sessions of its log. */
export function chatFile(folder: string, session: string): string {
  return join(folder, chatName(session))
}

function chatName(session: string): string {
  return `${textHash(session).slice('sha256:'.length).slice(0, 32)}.jsonl`
}

/** Deletes the messages of a session; null is a log in memory. */
export function deleteChat(folder: string | null, session: string): void {
  if (folder !== null) rmSync(chatFile(folder, session), { force: true })
}

/** Matches the names of files with messages. */
const CHAT_NAME = /^[0-9a-f]{32}\.jsonl$/

/**
 * Deletes the messages of sessions that are no longer in their log, also those that an interrupted deletion left.
 * Returns how many sessions had messages.
 *
 * @param remaining reads the sessions of the log. It is called after the files were listed: a session is in its log
 *   before its first message is stored.
 */
export async function pruneChats(
  folder: string | null,
  remaining: () => Promise<readonly string[]>,
  { dryRun }: { readonly dryRun: boolean },
): Promise<number> {
  const stored = namesIn(folder).filter((name) => CHAT_NAME.test(name))
  if (folder === null || stored.length === 0) return 0
  const kept = new Set((await remaining()).map(chatName))
  const unused = stored.filter((name) => !kept.has(name))
  if (!dryRun) for (const name of unused) rmSync(join(folder, name), { force: true })
  return unused.length
}

function namesIn(folder: string | null): readonly string[] {
  if (folder === null) return []
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/**
 * Opens the store of a session, in a file that only its user can read; in memory without a place.
 *
 * Each line has a seal of its user, for its place after all lines before in the conversation of this session. What others
 * wrote is a conversation to read; a turn of theirs that has no end yet is not continued.
 *
 * @param redactor hides secrets in the messages, for the file and for the model
 */
export function openChatStore(
  place: ChatPlace | null,
  session: string,
  redactor?: Redactor,
): ChatStore {
  const file = place && chatFile(place.folder, session)
  const messages: ModelMessage[] = []
  /** The number of lines before each message. */
  const places: number[] = []
  let answer: StreamedAnswer | null = null
  let before = ''
  const shown = (line: Line) => redactor?.texts(line) ?? line
  const sealText = (text: string) => JSON.stringify(['chat', session, place?.opening, before, text])
  const take = (line: Line, at = 0) => {
    if ('messages' in line) {
      const { after = messages.length } = line
      messages.splice(after, Infinity, ...line.messages)
      places.splice(after, Infinity, ...line.messages.map(() => at))
    }
    answer = 'answer' in line ? line.answer : null
  }
  const text = file === null ? '' : readIfThere(file)
  let lastOfOthers = -1
  for (const [at, line] of text.split('\n').entries()) {
    const [end = '', seal] = /,"seal":"([0-9a-f]+)"\}$/u.exec(line) ?? []
    const body = seal === undefined ? line : `${line.slice(0, -end.length)}}`
    const read = tryOrUndefined((): unknown => JSON.parse(body))
    if (isObject(read)) {
      take(shown(read as Line), at)
      if (place?.user?.isOwn(sealText(body), seal) === false) lastOfOthers = at
    }
    if (line !== '') before = textHash(`${before} ${line}`)
  }
  const finished = finishedLength(messages)
  const isOpen = messages.length > finished || answer !== null
  const isWithheld = isOpen && lastOfOthers >= (places[finished] ?? 0)
  if (isWithheld) {
    messages.splice(finished)
    answer = null
  }
  let isCut = isWithheld
  // The process that wrote the last line died in it.
  let isTorn = text !== '' && !text.endsWith('\n')
  const write = (given: Line) => {
    const line = shown(given)
    if (file !== null) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const body = JSON.stringify(line)
      const seal = place?.user?.seal(sealText(body))
      const written = seal === undefined ? body : `${body.slice(0, -1)},"seal":"${seal}"}`
      appendFileSync(file, `${isTorn ? '\n' : ''}${written}\n`, { mode: 0o600 })
      before = textHash(`${before} ${written}`)
      isTorn = false
    }
    take(line)
  }
  return {
    messages,
    withheld: isWithheld ? WITHHELD : null,
    get answer() {
      return answer
    },
    append(more) {
      write({ messages: more, ...(isCut && { after: finished }) })
      isCut = false
    },
    keepAnswer: (kept) => write({ answer: kept }),
  }
}

const WITHHELD: ChatNotice = {
  type: 'notice',
  code: 'turn-withheld',
  message:
    'The conversation ended in an unfinished turn, which is left out with its calls. Somebody else wrote it, or you did with another home.',
  hint: 'Send the message again.',
}

/** Returns the number of messages up to the end of the last turn that has one. */
function finishedLength(messages: readonly ModelMessage[]): number {
  const isEnd = ({ role, content }: ModelMessage) =>
    role === 'assistant' &&
    (typeof content === 'string' || content.every(({ type }) => !UNFINISHED.has(type)))
  return messages.findLastIndex(isEnd) + 1
}

/** The parts of an answer after which its turn goes on. */
const UNFINISHED: ReadonlySet<string> = new Set(['tool-call', 'tool-approval-request'])

function readIfThere(file: string): string {
  try {
    const over = new Budget('conversation').take(statSync(file).size)
    if (over !== null) throw tooLarge(file, over)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}

function tooLarge(file: string, over: string): WorkspaceError {
  return new WorkspaceError('CHAT_TOO_LARGE', `The file of the conversation has ${over}: ${file}`, {
    facts: { file },
    hint: 'Begin a new session, or delete the file: the session stays, without its messages.',
  })
}

/** The messages of an answer that the person interrupted: its text, and its calls, whose results are lost. */
export function interruptedMessages(
  answer: StreamedAnswer | null,
  text: string,
): readonly ModelMessage[] {
  const calls = (answer ?? []).flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const { toolCallId, toolName } = part
    const input = tryOrUndefined((): unknown => JSON.parse(part.input)) ?? {}
    return [{ type: 'tool-call' as const, toolCallId, toolName, input }]
  })
  const said = text === '' ? [] : [{ type: 'text' as const, text }]
  if (said.length + calls.length === 0) return []
  return [{ role: 'assistant', content: [...said, ...calls] }]
}
