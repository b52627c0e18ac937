import type { Guide } from '../../../playground/context/playground-context.ts'
import { observeNames } from './print-snapshot.ts'
import type { VirtualWorkspace } from '../../../../entries/index.ts'
import { counted } from '../../../../entries/plan.ts'
import { sanitiseLine, shellWord } from '../../../../entries/kit.ts'
import type { OpenSession } from '../../opening/open-session.ts'
import type { CliContext, CliTerminal } from '../../shell/cli-context.ts'
import type { ModelOptions, OpeningOptions, ScreenOptions } from '../../shell/opening-options.ts'
import { withoutPassword } from '../../shell/without-password.ts'
import { isOnLight } from '../../../report/writers/paint.ts'
import type { ScreenSession } from '../../../playground/session-screen.tsx'

/** A session to play with. */
export interface PlayedSession {
  readonly session: OpenSession
  readonly moment: { readonly live: boolean; readonly at?: number }
  /** Opens a session that is read-only, to answer its questions; absent where the screen may not. */
  readonly attach?: () => Promise<VirtualWorkspace>
}

/**
 * Opens the playground on a terminal, and then prints the state it was left in.
 *
 * @param open opens the session; what it reports is printed when the screen is left
 */
export async function playOnTerminal(
  open: (context: CliContext) => Promise<PlayedSession>,
  terminal: CliTerminal,
  typed: {
    readonly words: readonly string[]
    readonly options: OpeningOptions & ModelOptions & ScreenOptions & { readonly guide?: Guide }
  },
  context: CliContext,
): Promise<void> {
  const { env, colour, stdout, stderr } = context
  const { options } = typed
  const { inline = false, screenReader = false, policy } = options
  // Before a screen that would hide what is reported, and the question whether rules may be lifted.
  const isFirst = inline || screenReader || policy === 'replace'
  const early = isFirst ? await open(context) : null
  const reports: string[] = []
  let opened: OpenSession | undefined
  const { loadPlayground } = await import('../../../playground/load-playground.ts')
  const { openPlayground } = await loadPlayground(colour ? 'terminal' : 'none')
  const left = await openPlayground({
    ...terminal,
    env,
    inline,
    mouse: options.mouse,
    screenReader,
    theme: {
      ascii: options.ascii === true || !drawsUnicode(env),
      colour,
      light: isOnLight(env),
    },
    name: openedName(typed),
    async open(onProgress) {
      const hidden = { write: (text: string) => reports.push(text) }
      const played = early ?? (await open({ ...context, stderr: hidden, onProgress }))
      opened = played.session
      return screenSession(played, options, context)
    },
    // A closed window leaves no session in which nothing was done.
    async onEnded(workspace) {
      if (opened !== undefined) await keepOrDelete(opened, workspace, typed)
    },
  }).finally(() => {
    for (const report of reports) stderr.write(report)
  })
  const { activeSkills } = await import('../../../../entries/kit.ts')
  const active = activeSkills(left.state).map(sanitiseLine)
  const skills = active.length === 0 ? 'none' : active.join(', ')
  const tools = counted(left.getAvailableTools().length, 'available tool')
  stdout.write(`Active skills: ${skills}. ${tools}.\n`)
  const kept = opened === undefined ? null : await keepOrDelete(opened, left, typed)
  await left.close()
  if (kept !== null) stdout.write(`${kept}\n`)
}

/** Returns words for the session that the command line opens. */
function openedName({ words, options: { path = [], session, log } }: AsTyped): string {
  const paths = [...words, ...path]
  if (session !== undefined) return `session ${session}`
  if (paths.length > 0) return paths.join(', ')
  return log === undefined ? 'the skills of this folder' : withoutPassword(log)
}

async function screenSession(
  { session, moment, attach }: PlayedSession,
  options: OpeningOptions & ModelOptions & { readonly guide?: Guide },
  context: CliContext,
): Promise<ScreenSession> {
  const { workspace, counter, project, paths, reading, options: opened, trust, scenario } = session
  const [{ chatOpener, textSource }, { scenarioDesk }, { skillDesk }, { followObserved }] =
    await Promise.all([
      import('../../opening/chat-opener.ts'),
      import('../scenarios/scenario-desk.ts'),
      import('../../opening/skill-desk.ts'),
      import('../../opening/attach-to-session.ts'),
    ])
  const grows = workspace.state.opening?.observed && opened.log.follow !== undefined
  return {
    ...moment,
    workspace,
    counter,
    followed: opened.follow === true || grows === true,
    ...(grows && { onGrown: (show) => followObserved(session, show) }),
    openChat: moment.live ? await chatOpener(session, options, context) : undefined,
    scenarios: moment.live ? await scenarioDesk(session, options, context) : undefined,
    skillDesk: moment.live ? await skillDesk(reading) : undefined,
    observe: observeNames(context.home),
    folders: session.fromLog ? undefined : session,
    kept: textSource(session, options.log, context),
    attach,
    guide: options.guide,
    trust,
    remark: [
      ...(attach === undefined ? [] : ['w lets this screen answer questions.']),
      openingRemark(session),
    ].join(' '),
    // What is read again would have the code of the tools instead of the results of the scenario.
    disk: moment.live && scenario === null ? { project, paths, reading, options: opened } : null,
  }
}

/** Returns true unless the locale of the terminal has another character set than UTF-8. */
export function drawsUnicode(env: CliContext['env']): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((one) => (one ?? '') !== '')
  return locale === undefined || /utf-?8/iv.test(locale)
}

/**
 * Returns a remark on definitions that the screen cannot show. The reports on stderr are hidden behind
 * the screen until it is closed.
 */
export function openingRemark({
  project: { diagnostics },
  workspace,
  fromLog,
}: Pick<OpenSession, 'project' | 'workspace' | 'fromLog'>): string {
  if (workspace.state.opening?.observed) return OBSERVED_REMARK
  if (fromLog) return FROM_LOG_REMARK
  const modules = diagnostics.filter(({ code }) => UNTRUSTED.has(code)).length
  const broken = workspace.skills().filter(({ unread }) => unread !== undefined).length
  const isCut = diagnostics.some(({ code }) => code === 'scan-cut')
  return [
    ...(isCut ? ['Some folders were not searched: too many, or too deep.'] : []),
    ...(modules === 0
      ? []
      : [`${counted(modules, 'module')} not run: not trusted (use --trust or loadout trust).`]),
    ...(broken === 0 ? [] : [`${counted(broken, 'skill')} could not be loaded.`]),
  ].join(' ')
}

const OBSERVED_REMARK =
  'Read-only, from the transcript of another agent: what it does not have is not shown.'

/** A remark on a session that is shown with the definitions of its log. */
const FROM_LOG_REMARK =
  'Read-only, from the log: no panels, no variables, no texts of skills that were never active.'

const UNTRUSTED: ReadonlySet<string> = new Set(['handler-untrusted', 'config-untrusted'])

/** The command line that opened the screen. */
interface AsTyped {
  readonly words: readonly string[]
  readonly options: Pick<OpeningOptions, 'path' | 'log' | 'session' | 'trust'>
}

/** The log of the session. */
interface KeptIn {
  readonly options: Pick<OpenSession['options'], 'log'>
}

const ACTORS: ReadonlySet<string> = new Set(['user', 'host', 'model'])

/**
 * Keeps a session that was created for the screen if something was done in it, and returns a line that
 * says how to continue it. Otherwise deletes it. Returns null then, and for any other session.
 */
export async function keepOrDelete(
  { createdIn, options: { log } }: Pick<OpenSession, 'createdIn'> & KeptIn,
  left: VirtualWorkspace,
  typed: AsTyped,
): Promise<string | null> {
  if (createdIn === null) return null
  const { session } = left
  const entries = await left.entries()
  if (entries.some(({ cause }) => ACTORS.has(cause.by))) {
    return `The session is saved. Continue it: ${resumeCommand(session, typed)}`
  }
  await log.delete(session)
  return null
}

/** Repeats the paths, because the session needs their skills and agent. */
function resumeCommand(
  session: string,
  { words, options: { path = [], log, trust } }: AsTyped,
): string {
  const command = [
    'loadout',
    'play',
    ...words,
    ...path.flatMap((one) => ['--path', one]),
    ...(log === undefined ? [] : ['--log', withoutPassword(log)]),
    ...(trust === true ? ['--trust'] : []),
    '--session',
    session,
  ]
  return command.map((word) => shellWord(sanitiseLine(word))).join(' ')
}
