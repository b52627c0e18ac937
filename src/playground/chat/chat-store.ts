import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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
