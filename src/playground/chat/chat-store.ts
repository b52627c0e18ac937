import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { ModelMessage } from 'ai'
import { textHash } from '../../kernel/content-hash.ts'
import { isObject } from '../../kernel/json-value.ts'
import { errorCode, tryOrUndefined } from '../../kernel/thrown-message.ts'

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
  append(messages: readonly ModelMessage[]): void
  keepAnswer(answer: StreamedAnswer): void
}

/** A line of the file. */
type Line = { readonly messages: readonly ModelMessage[] } | { readonly answer: StreamedAnswer }

/** Returns the file with the messages of a session: in a folder next to the file of its log. */
export function chatFile(log: string, session: string): string {
  const name = textHash(session).slice('sha256:'.length).slice(0, 32)
  return join(`${log}.chats`, `${name}.jsonl`)
}

/** Deletes the messages of a session; null is a log in memory. */
export function deleteChat(log: string | null, session: string): void {
  if (log !== null) rmSync(chatFile(log, session), { force: true })
}

/** Opens a store in a file, which only its user can read; in memory without a file. */
export function openChatStore(file: string | null): ChatStore {
  const messages: ModelMessage[] = []
  let answer: StreamedAnswer | null = null
  const take = (line: Line) => {
    if ('messages' in line) messages.push(...line.messages)
    answer = 'answer' in line ? line.answer : null
  }
  const text = file === null ? '' : readIfThere(file)
  for (const line of text.split('\n')) {
    const read = parseLine(line)
    if (read !== null) take(read)
  }
  // The process that wrote the last line died in it.
  let isTorn = text !== '' && !text.endsWith('\n')
  const write = (line: Line) => {
    if (file !== null) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      appendFileSync(file, `${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`, { mode: 0o600 })
      isTorn = false
    }
    take(line)
  }
  return {
    messages,
    get answer() {
      return answer
    },
    append: (more) => write({ messages: more }),
    keepAnswer: (kept) => write({ answer: kept }),
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}

function parseLine(text: string): Line | null {
  const line = tryOrUndefined((): unknown => JSON.parse(text))
  return isObject(line) ? (line as Line) : null
}
