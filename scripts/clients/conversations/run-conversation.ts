import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { dirname, join } from 'node:path'
import {
  type Answer,
  type Conversation,
  type TalkingClient,
  TASK_MARK,
  type Turn,
} from './conversation.ts'
import { openCodeRows } from '../../../src/connections/observed/transcripts/read-open-code.ts'
import { withOtherFiles } from '../../../src/connections/observed/transcripts/read-transcript.ts'
import { memberIn, text } from '../../../src/connections/observed/content/text-in-content.ts'
import { runProgram } from '../../run-command.ts'
import type { CaseFolders } from '../case-folder.ts'
import type { SentRequest } from '../model-server.ts'
import { clientCall } from './client-calls.ts'
import { goBack } from './go-back.ts'
import type { ScriptedAnswer, ScriptedCall } from './scripted-answers.ts'
import { startTurn } from './start-turn.ts'
import { isTurnRequest, systemText, userTexts } from './wire-texts.ts'

type Line = Readonly<Record<string, unknown>>

/** A request of a conversation, in its order. */
export interface WireRequest {
  /** `main`, or the task of a subagent. */
  readonly thread: string
  /** The number of the turn, from 0. */
  readonly turn: number
  readonly body: unknown
  /** The calls of its answer. */
  readonly calls: readonly ScriptedCall[]
  /** The client asks for a summary of the conversation. */
  readonly isSummary: boolean
}

/** The requests of a client, and the files that it wrote. */
export interface Recorded {
  readonly wire: readonly WireRequest[]
  /** The lines of each session; those of Claude Code have its subagents, and those of OpenCode are all. */
  readonly transcript: readonly (readonly Line[])[]
  /** The last lines that the client printed, for a person. */
  readonly printed: string
}

/** The surroundings of a conversation. */
export interface ConversationRun {
  readonly client: TalkingClient
  readonly conversation: Conversation
  readonly folders: CaseFolders
  readonly address: string
  readonly installed: string
}

/** The answers of a scripted model to the requests of one conversation. */
export class ScriptedModel {
  readonly wire: WireRequest[] = []
  /** The tokens of the input of all answers. */
  reported = 0
  readonly #run: ConversationRun
  readonly #left = new Map<string, Answer[]>()
  #turn = 0
  #calls = 0

  constructor(run: ConversationRun) {
    this.#run = run
    for (const [task, answers] of Object.entries(run.conversation.tasks ?? {}))
      this.#left.set(task, [...answers])
  }

  begin(turn: number, answers: readonly Answer[]): void {
    this.#turn = turn
    this.#left.set('main', [...answers])
  }

  reply(request: SentRequest): ScriptedAnswer | null {
    const answer = this.#answer(request)
    this.reported += answer?.tokens ?? 0
    return answer
  }

  #answer({ body }: SentRequest): ScriptedAnswer | null {
    const texts = userTexts(body)
    const [, task] = new RegExp(`${TASK_MARK}(\\d+)`).exec(texts.join('\n')) ?? []
    const [thread, turn] = [task ?? 'main', this.#turn]
    const isSummary = SUMMARISES.test(`${systemText(body)}\n${texts.at(-1) ?? ''}`)
    if (isSummary) this.wire.push({ thread, turn, body, calls: [], isSummary })
    if (isSummary || !isTurnRequest(body))
      return { text: 'A summary: the stock was counted.', calls: [], tokens: 900 }
    const left = this.#left.get(thread) ?? []
    let calls: readonly ScriptedCall[] = []
    let answer: Answer = { text: 'Done.' }
    // An action that the client has no tool for is left out, and an answer without any.
    do {
      answer = left.shift() ?? { text: 'Done.' }
      calls = this.#callsIn(answer, body)
    } while (calls.length === 0 && answer.actions !== undefined && answer.text === undefined)
    if (answer.fails) return null
    this.wire.push({ thread, turn, body, calls, isSummary })
    const tokens = answer.tokens ?? 2000 + this.wire.length
    return { text: answer.text ?? '', calls, tokens, model: text(memberIn(body, 'model')) || 'm' }
  }

  #callsIn({ actions = [] }: Answer, body: unknown): readonly ScriptedCall[] {
    const { client, folders } = this.#run
    return actions.flatMap((action) => {
      const call = clientCall(client, action, folders, body)
      if (call === null) return []
      this.#calls += 1
      return [{ ...call, id: `${client === 'claude-code' ? 'toolu' : 'call'}_${this.#calls}` }]
    })
  }
}

/** The beginnings of requests for a summary, of the four clients. */
const SUMMARISES =
  /create a detailed summary|CONTEXT CHECKPOINT COMPACTION|anchored summary|continuation summary|structured context checkpoint/i

/** Has a conversation with a client, and returns what it sent and what it wrote. */
export async function runConversation(
  run: ConversationRun,
  model: ScriptedModel,
): Promise<Recorded> {
  let printed = ''
  const { turns } = run.conversation
  for (const [index, turn] of turns.entries()) {
    changeFiles(run.folders, turn)
    if (turns[index - 1]?.isRewound) await goBack(run, turns[index - 1] as Turn)
    if (turn.compacts) {
      model.begin(index, [])
      printed += await runOnce(run, { said: '/compact', answers: [] }, false)
    }
    model.begin(index, turn.answers)
    printed += await runOnce(run, turn, index === 0)
  }
  return { wire: model.wire, transcript: await readWritten(run), printed: printed.slice(-3000) }
}

/**
 * Runs a client for one turn, and returns what it printed.
 *
 * @param isFresh begins a session of its own, after others
 */
export async function runOnce(
  run: ConversationRun,
  turn: Turn,
  isFirst: boolean,
  isFresh = isFirst,
): Promise<string> {
  const { args, env, files } = startTurn(run, turn, isFresh)
  for (const [file, text] of Object.entries(isFirst ? files : {})) {
    mkdirSync(dirname(file), { recursive: true })
    // A case may have settings of its own: tables of TOML follow those of the script.
    const own = file.endsWith('.toml') && existsSync(file) ? readFileSync(file, 'utf8') : ''
    writeFileSync(file, `${text}${own}`)
  }
  const { code, stdout, stderr } = await runProgram('timeout', ['120', ...args], {
    cwd: run.folders.cwd,
    env: { ...surroundings(run), ...env },
  })
  return `[${code}] ${stdout}\n${stderr}\n`
}

/** Returns the environment of a client: its program, a Node, the search that OpenCode would fetch, and a home of its own. */
export function surroundings({ installed, folders }: ConversationRun): Record<string, string> {
  const bin = join(installed, 'node_modules', '.bin')
  const [search = ''] = globSync('node_modules/@openai/codex-*/vendor/*/codex-path', {
    cwd: installed,
  })
  const PATH = [bin, dirname(process.execPath), join(installed, search), '/usr/bin', '/bin'].join(
    ':',
  )
  return { PATH, HOME: folders.home, TERM: 'dumb' }
}

function changeFiles({ cwd }: CaseFolders, { changes = {} }: Turn): void {
  for (const [path, text] of Object.entries(changes)) {
    const file = join(cwd, path)
    rmSync(text === null ? dirname(file) : file, { recursive: true, force: true })
    if (text === null) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** The transcripts of each client below its home. */
const WRITTEN: Readonly<Record<TalkingClient, string>> = {
  'claude-code': '.claude/projects/**/*.jsonl',
  codex: '.codex/sessions/**/*.jsonl',
  opencode: '.local/share/opencode/opencode*.db',
  pi: '.pi/agent/sessions/**/*.jsonl',
}

/** Returns the paths of the files that a client wrote, the first session first. */
export function writtenFiles({ client, folders }: ConversationRun): readonly string[] {
  return globSync(WRITTEN[client], { cwd: folders.home })
    .toSorted()
    .map((path) => join(folders.home, path))
}

/** Returns the lines of the sessions that a client wrote. */
export async function readWritten(run: ConversationRun): Promise<Recorded['transcript']> {
  const files = writtenFiles(run).filter((file) => !file.includes('/subagents/'))
  const all = files.map((file) => (file.endsWith('.db') ? rowsIn(file) : linesIn(file)))
  // Codex continues a session in another file after going back.
  const continued = all.map((lines) => text(memberIn(historyBase(lines), 'thread_id')))
  const last = files.filter((file) => !continued.some((id) => id && file.endsWith(`${id}.jsonl`)))
  return Promise.all(last.map((file) => withOtherFiles(file, all[files.indexOf(file)] ?? [])))
}

function historyBase([first]: readonly Line[]): unknown {
  return memberIn(first?.['payload'], 'history_base')
}

function linesIn(file: string): readonly Line[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
}

function rowsIn(file: string): readonly Line[] {
  // The database is copied with its journal, so that reading it changes nothing.
  const copy = `${file}.copy`
  for (const end of ['', '-wal']) if (existsSync(file + end)) cpSync(file + end, copy + end)
  const database = new DatabaseSync(copy)
  try {
    return openCodeRows(database, () => undefined) ?? []
  } finally {
    database.close()
  }
}
