import { DatabaseSync } from 'node:sqlite'
import {
  readTranscript,
  readTranscriptDatabase,
} from '../../../src/connections/observed/transcripts/read-transcript.ts'
import {
  createCatalog,
  type Entry,
  type EventLog,
  recordedOptions,
  VirtualWorkspace,
} from '../../../src/entries/index.ts'
import { whyReport } from '../../../src/workbench/cli/commands/why-command.ts'
import { observedNames } from '../../../src/workbench/report/facts/observed-names.ts'

/** The answers about one session. */
interface AnsweringSession {
  readonly skills: readonly string[]
  readonly tools: readonly string[]
  readonly entries: readonly Entry[]
  /** Null where the session does not say. */
  why(name: string, kind: 'skill' | 'tool'): Promise<string | null>
}

/**
 * Asks a recording and the transcript of the same conversation for each skill and tool, and for the tokens that the server
 * counted. Returns the number of questions that the transcript can answer, and the different answers in words.
 */
export async function compareAnswers(
  recording: string,
  transcripts: readonly string[],
  home: string,
): Promise<{ readonly asked: number; readonly differences: readonly string[] }> {
  const files = transcripts.filter((file) => !file.includes('/subagents/'))
  const [one, other] = [
    await openSession(await readTranscript(recording), home),
    await openSession(await readWritten(files.at(-1) ?? ''), home),
  ]
  const questions = (['skill', 'tool'] as const).flatMap((kind) => {
    const names = kind === 'skill' ? [one.skills, other.skills] : [one.tools, other.tools]
    return [...new Set(names.flat())].map((name) => ({ kind, name }))
  })
  const differences: string[] = []
  let silent = 0
  for (const { kind, name } of questions) {
    const [here, there] = [await one.why(name, kind), await other.why(name, kind)]
    if (there === null) silent += 1
    else if (here !== there) differences.push(`why ${kind} ${name}: ${here} | transcript: ${there}`)
  }
  return { asked: questions.length - silent, differences }
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

/** Opens the session of a person that changed last. */
async function openSession(log: EventLog | null, home: string): Promise<AnsweringSession> {
  if (log === null) throw new Error('There is no transcript.')
  const main: { readonly session: string; readonly changedAt: number }[] = []
  for (const { session, changedAt, forkedFrom } of await log.list()) {
    const [first] = await log.read(session, 0, 0)
    const isChild = first?.event.type === 'session.opened' && first.event.parent !== undefined
    if (!isChild && forkedFrom === undefined) main.push({ session, changedAt })
  }
  const { session } = main.toSorted((a, b) => b.changedAt - a.changedAt)[0] ?? { session: '' }
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
    skills: workspace.skills().map(({ name }) => name),
    tools: workspace.tools().map(({ name }) => name),
    entries,
    async why(name, kind) {
      const verdict = whyReport(name, kind, workspace)
      const answer = await read(verdict, await workspace.history(verdict.name), kind)
      return answer === null || answer.outcome === 'unknown'
        ? null
        : `${answer.outcome}. ${answer.fix}`
    },
  }
}
