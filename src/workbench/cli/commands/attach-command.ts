import { setTimeout } from 'node:timers/promises'
import { Option } from 'commander'
import { lastCell, type ListedSession, listSession } from './sessions/sessions-list-command.ts'
import {
  findSession,
  givenSession,
  LATEST,
  logMissing,
  openExistingSession,
  sessionUnknown,
  shortId,
} from '../opening/find-session.ts'
import { type OpenLog, openLog, stateFolder } from '../opening/open-log.ts'
import { openSession } from '../opening/open-session.ts'
import { openQuestions } from '../shell/ask-person.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext, CliTerminal } from '../shell/cli-context.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import {
  type OpeningOptions,
  repeatable,
  type ScreenOptions,
  screenOptions,
  sessionOptions,
} from '../shell/opening-options.ts'
import { isOnLight } from '../../report/writers/paint.ts'
import { writeTable } from '../../report/writers/print-report.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface AttachOptions
  extends Pick<OpeningOptions, 'log' | 'session' | 'path' | 'trust'>, ScreenOptions {
  readonly json?: true
}

/** `loadout attach`: follow the session of another process, and answer its questions. */
export const attachCommand: CliCommand<AttachOptions> = {
  name: 'attach',
  summary: 'Follow the session of another process, and answer its questions',
  description:
    'Open the playground on a session that another process works in, such as an agent. New entries appear at once. ' +
    'The screen is read-only: w lets it answer questions, and nothing else.\n\n' +
    'While loadout watch records an agent in this folder, its session is shown. The file of another agent is followed, too: ' +
    '--log claude-code.\n\n' +
    'Without a session, the most recently changed ones are listed: arrows and letters find one, Enter chooses. With ' +
    '--inline or --screen-reader, a number chooses. A session is also given by the first characters of its id, or as "latest". Without a terminal, the list is printed.',
  arguments: '[session]',
  options: () => [
    ...sessionOptions(),
    repeatable('--path <path>', 'Read definitions from this path (default: those of the log)'),
    new Option('--trust', 'Run the code in these folders, for this command only'),
    ...screenOptions(),
  ],
  examples: ['loadout attach', 'loadout attach latest --log run.sqlite'],
  async run({ words: [word], options: typed, context }) {
    const { log: given = typed.log, session } = await givenSession(word, typed, context.cwd)
    const isDumb = typed.json === true || context.env['TERM'] === 'dumb'
    const terminal = isDumb ? undefined : context.terminal
    const isAny = given === undefined && session === undefined && terminal !== undefined
    const log = isAny ? await currentRecording(context) : given
    const options = { ...typed, ...(log !== undefined && { log }) }
    const open = await openLog(log, { purpose: 'look' }, context)
    if (open === null) throw await logMissing(log, context)
    const wanted = session ?? (open.isObserved && terminal ? LATEST : undefined)
    const found = wanted === undefined ? null : await findSession(open, wanted)
    if (wanted !== undefined && found === null) throw await sessionUnknown(open, wanted)
    if (found !== null && terminal !== undefined) {
      await follow(found, open, options, terminal, context)
      return 0
    }
    const sessions = await recentSessions(open, found)
    if (options.json === true) context.stdout.write(jsonText({ log: open.name, sessions }))
    else if (sessions.length === 0) context.stdout.write(`No sessions in ${open.name}.\n`)
    else if (terminal === undefined || !hasPicker(terminal, options))
      await writeSessions(sessions, context)
    if (terminal === undefined || sessions.length === 0) return 0
    const chosen = hasPicker(terminal, options)
      ? await pickSession(sessions, open, terminal, options, context)
      : await chooseSession(sessions, terminal)
    if (chosen !== null) await follow(chosen, open, options, terminal, context)
    return 0
  },
}

/** Returns the recording of this folder that runs now, once it has a session; undefined without one. */
async function currentRecording(context: CliContext): Promise<string | undefined> {
  const { latestRecording, runningRecording } = await import('../opening/new-recording.ts')
  const at = [context.cwd, stateFolder(context)] as const
  let isSaid = false
  for (;;) {
    const running = await runningRecording(...at)
    if (running === null) return undefined
    const isBegun = running === (await latestRecording(...at))
    const open = isBegun ? await openLog(running, { purpose: 'look' }, context) : null
    if (open !== null && (await open.log.list()).length > 0) return running
    if (!isSaid) context.stdout.write('Waiting for the first request. Ctrl-C ends it.\n')
    isSaid = true
    await setTimeout(WAIT_MS)
  }
}

/** Milliseconds between looks for the first request. */
const WAIT_MS = 100

/** The most sessions that are listed. */
const MOST_LISTED = 20

/** A session that can be followed. */
interface FollowableSession extends ListedSession {
  /** The number of its questions that nobody has answered; null when it cannot be read. */
  readonly questions: number | null
}

/** Lists the sessions that changed last, or the given one. */
async function recentSessions(
  open: OpenLog,
  given: string | null,
): Promise<readonly FollowableSession[]> {
  const { fold } = await import('../../../engine/evolve/evolve.ts')
  const all = await open.log.list(given === null ? { limit: MOST_LISTED } : undefined)
  const sessions: FollowableSession[] = []
  for (const summary of all) {
    if (given !== null && summary.session !== given) continue
    const listed = await listSession(open, summary)
    const state = listed.damage === null ? fold(await open.recorded.read(summary.session)) : null
    sessions.push({ ...listed, questions: state?.confirmations.length ?? null })
  }
  return sessions
}

/** Returns true when the sessions are a list with a cursor; otherwise they are lines with numbers. */
function hasPicker({ stdin }: CliTerminal, { inline, screenReader }: ScreenOptions): boolean {
  return stdin.isTTY && inline !== true && screenReader !== true
}

/** Lets the person choose a session on a screen. Returns null when the person leaves. */
async function pickSession(
  sessions: readonly FollowableSession[],
  { name }: OpenLog,
  terminal: CliTerminal,
  { ascii }: ScreenOptions,
  { env, colour }: CliContext,
): Promise<string | null> {
  const { loadPlayground } = await import('../../playground/load-playground.ts')
  const { openPicker } = await loadPlayground(colour ? 'terminal' : 'none')
  const { drawsUnicode } = await import('./play/play-on-terminal.ts')
  const lines: string[] = []
  const stdout = { write: (text: string) => lines.push(...text.trimEnd().split('\n')) }
  await writeSessions(sessions, { stdout, isTerminal: false, columns: 0, colour: false })
  const [head = '', ...texts] = lines
  return openPicker({
    ...terminal,
    env,
    theme: { ascii: ascii === true || !drawsUnicode(env), colour, light: isOnLight(env) },
    title: `Follow a session of ${name}`,
    head,
    rows: sessions.map(({ session }, at) => ({ id: session, text: texts[at] ?? session })),
  })
}

async function writeSessions(
  sessions: readonly FollowableSession[],
  context: Parameters<typeof writeTable>[2],
): Promise<void> {
  const { timeText } = await import('../shell/time-text.ts')
  writeTable(
    ['#', 'SESSION', 'AGENT', 'QUESTIONS', 'CHANGED', 'LAST'],
    await Promise.all(
      sessions.map(async ({ session, agent, questions, changedAt, last, damage }, at) => [
        String(at + 1),
        shortId(session),
        agent ?? '-',
        { text: String(questions ?? '-'), colour: questions ? 'yellow' : undefined },
        timeText(Date.parse(changedAt ?? '')),
        await lastCell({ last, damage }),
      ]),
    ),
    context,
  )
}

/** Asks for the number of a session; Enter is the first. Returns null when the person leaves. */
async function chooseSession(
  sessions: readonly FollowableSession[],
  terminal: CliTerminal,
): Promise<string | null> {
  const questions = openQuestions(terminal)
  try {
    for (;;) {
      const typed = await questions.ask('Number (Enter: 1, q: quit): ')
      if (typed === null || typed === 'q') return null
      const chosen = sessions[typed === '' ? 0 : Number(typed) - 1]
      if (chosen !== undefined) return chosen.session
    }
  } finally {
    questions.close()
  }
}

/** Opens the playground on a session, read-only, and lets it answer questions in the log of the session. */
async function follow(
  session: string,
  { log, name, isObserved }: OpenLog,
  options: AttachOptions,
  terminal: CliTerminal,
  context: CliContext,
): Promise<void> {
  if (log.follow === undefined) {
    throw wrongUsage(
      `"${name}" cannot be followed.`,
      'Look at it: loadout play --read-only --log <file>.',
    )
  }
  const opening = { ...options, session }
  const { attachToSession } = await import('../opening/attach-to-session.ts')
  let writing: ReturnType<typeof openExistingSession> | undefined
  const attach = async () => {
    writing ??= openExistingSession(opening, context).catch((error: unknown) => {
      // The next answer tries again.
      writing = undefined
      throw error
    })
    const { open } = await writing
    return attachToSession(open, session)
  }
  const open = async (shown: CliContext) => {
    const opened = await openSession([], opening, shown, 'look', { follow: true })
    const about = { session: opened, moment: { live: false } }
    return isObserved ? about : { ...about, attach }
  }
  const { playOnTerminal } = await import('./play/play-on-terminal.ts')
  await playOnTerminal(open, terminal, { words: [], options: opening }, context)
}
