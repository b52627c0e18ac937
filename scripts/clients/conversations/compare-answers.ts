import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import {
  readTranscript,
  readTranscriptDatabase,
} from '../../../src/connections/observed/transcripts/read-transcript.ts'
import {
  createCatalog,
  type EventLog,
  recordedOptions,
  VirtualWorkspace,
} from '../../../src/entries/index.ts'
import { findVerdict } from '../../../src/workbench/report/answers/explain-name.ts'
import { observedNames } from '../../../src/workbench/report/facts/observed-names.ts'

/** The answers about one session. */
interface AnsweringSession {
  names(kind: 'skill' | 'tool'): readonly string[]
  /** Null where the session does not say. */
  why(name: string, kind: 'skill' | 'tool'): Promise<string | null>
}

/** Skills that are part of a client: no file that it wrote has their names. */
const OF_CLIENT: ReadonlySet<string> = new Set(['customize-opencode'])

/** Differences that no request has: a call whose result was summarised before it was sent, and failures without a mark. */
const NOT_IN_REQUESTS: ReadonlySet<string> = new Set([
  'opencode compacted-in-turn tool bash',
  'opencode server-fails tool stock_fail_items',
  'codex server-fails tool mcp__stock__fail_items',
])

/**
 * Asks a recording and the transcript of the same conversation for each skill and tool. Returns the number of questions that
 * the transcript can answer, and the different answers in words.
 *
 * @param id the client and the name of the conversation
 */
export async function compareAnswers(
  id: string,
  recording: string,
  transcripts: readonly string[],
  home: string,
): Promise<{ readonly asked: number; readonly differences: readonly string[] }> {
  const one = await openMain([recording], home)
  const other = await openMain(transcripts.filter(isOfPerson).toReversed(), home)
  if (one === null || other === null) return { asked: 1, differences: ['there is no session'] }
  const differences: string[] = []
  let asked = 0
  for (const kind of ['skill', 'tool'] as const) {
    for (const name of new Set([...one.names(kind), ...other.names(kind)])) {
      const there = OF_CLIENT.has(name) ? null : await other.why(name, kind)
      if (there === null || NOT_IN_REQUESTS.has(`${id} ${kind} ${name}`)) continue
      asked += 1
      const here = await one.why(name, kind)
      if (here !== there) differences.push(`why ${kind} ${name}: ${here} | transcript: ${there}`)
    }
  }
  return { asked, differences }
}

/** Returns false for the file of a subagent: that of Codex has the session that began it in its first line. */
function isOfPerson(file: string): boolean {
  if (file.includes('/subagents/')) return false
  return (
    file.endsWith('.db') ||
    !/"parent_thread_id":"/.test(readFileSync(file, 'utf8').split('\n', 1)[0] ?? '')
  )
}

/** Returns the tokens of the input that a recording has of all answers. */
export async function recordedTokens(recording: string): Promise<number> {
  const log = await readTranscript(recording)
  let tokens = 0
  for (const { session } of (await log?.list()) ?? []) {
    const entries = (await log?.read(session)) ?? []
    // A fork begins with the entries of its origin.
    const own = entries.slice(
      entries.findLastIndex(({ event }) => event.type === 'session.forked') + 1,
    )
    for (const { event } of own) if (event.type === 'step.reported') tokens += event.usage.input
  }
  return tokens
}

/** Opens the session of a person in the first file that has one. */
async function openMain(files: readonly string[], home: string): Promise<AnsweringSession | null> {
  for (const file of files) {
    const log = await readWritten(file)
    const session = log && (await mainSession(log))
    if (log && session) return openSession(log, session, home)
  }
  return null
}

async function readWritten(file: string): Promise<EventLog | null> {
  if (!file.endsWith('.db')) return readTranscript(file)
  const database = new DatabaseSync(file)
  try {
    return await readTranscriptDatabase(database, file)
  } finally {
    database.close()
  }
}

/** Returns the session of a person that changed last; null where there are subagents alone. */
async function mainSession(log: EventLog): Promise<string | null> {
  const main: { readonly session: string; readonly changedAt: number }[] = []
  for (const { session, changedAt, forkedFrom } of await log.list()) {
    const [first] = await log.read(session, 0, 0)
    const isChild = first?.event.type === 'session.opened' && first.event.parent !== undefined
    if (!isChild && forkedFrom === undefined) main.push({ session, changedAt })
  }
  return main.toSorted((a, b) => b.changedAt - a.changedAt)[0]?.session ?? null
}

async function openSession(
  log: EventLog,
  session: string,
  home: string,
): Promise<AnsweringSession> {
  const entries = await log.read(session)
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({}),
    ...(await recordedOptions(log, entries)),
    log,
    session,
    readOnly: true,
  })
  const read = observedNames(entries, home)
  return {
    names: (kind) =>
      (kind === 'skill' ? workspace.skills() : workspace.tools()).map(({ name }) => name),
    async why(name, kind) {
      const verdict = findVerdict(name, kind, workspace)
      const answer = await read(verdict, await workspace.history(verdict.name), kind)
      return answer === null || answer.outcome === 'unknown'
        ? null
        : `${answer.outcome}. ${answer.fix}`
    },
  }
}
