import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryOrUndefined } from '../../../src/entries/kit.ts'
import type { TalkingClient } from './conversation.ts'
import { PROJECT } from '../../run-command.ts'
import type { ConversationFacts } from './facts.ts'
import type { Recorded } from './run-conversation.ts'

const FOLDER = join(PROJECT, 'tests', 'connections', 'observed', 'transcripts', 'scripted')

/** A conversation that is stored for the tests: what a client wrote, and the facts of its requests. */
export interface StoredConversation {
  readonly transcript: Recorded['transcript']
  readonly wire: ConversationFacts
}

/** Entries of Claude Code that repeat the parts of requests, and that the reader does not read. */
const REPEATS: ReadonlySet<unknown> = new Set([
  'api-request-blob',
  'api-request',
  'cost-state',
  'tools-used',
  'atis-latch',
])

/** Stores a conversation: a file with the lines of the client, and one with the facts. */
export function writeConversation(
  client: TalkingClient,
  name: string,
  { transcript, wire }: StoredConversation,
  scrub: (value: unknown) => unknown,
): void {
  const folder = join(FOLDER, client)
  mkdirSync(folder, { recursive: true })
  const files = transcript.map((lines) =>
    lines
      .filter(({ type }) => !REPEATS.has(type))
      .map((line) => JSON.stringify(scrub(withData(line))))
      .join('\n'),
  )
  writeFileSync(join(folder, `${name}.jsonl`), `${files.join('\n\n')}\n`)
  writeFileSync(join(folder, `${name}.wire.json`), `${JSON.stringify(scrub(wire))}\n`)
}

/** A row of a database has JSON in a text. */
function withData(line: Readonly<Record<string, unknown>>): object {
  const { data } = line
  return typeof data === 'string'
    ? { ...line, data: tryOrUndefined(() => JSON.parse(data) as unknown) }
    : line
}

/** Returns the names of the stored conversations of a client. */
export function storedConversations(client: TalkingClient): readonly string[] {
  return readdirSync(join(FOLDER, client))
    .filter((file) => file.endsWith('.wire.json'))
    .map((file) => file.slice(0, -'.wire.json'.length))
    .toSorted()
}

export function readConversation(client: TalkingClient, name: string): StoredConversation {
  const file = (end: string) => readFileSync(join(FOLDER, client, `${name}${end}`), 'utf8').trim()
  return {
    wire: JSON.parse(file('.wire.json')) as ConversationFacts,
    transcript: file('.jsonl')
      .split('\n\n')
      .map((lines) => lines.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)),
  }
}
