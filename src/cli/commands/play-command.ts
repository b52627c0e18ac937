import { InvalidArgumentError, Option } from 'commander'
import type { FrameOptions, SnapshotForm } from './print-snapshot.ts'
import { promptReport } from './prompt-command.ts'
import { skillReports, writeSkillTable } from './skills-command.ts'
import { toolReports, writeToolTable } from './tools-command.ts'
import { refuseMissingEntry } from '../opening/find-session.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext, CliTerminal } from '../shell/cli-context.ts'
import {
  changingOptions,
  type ModelOptions,
  modelOptions,
  type OpeningOptions,
} from '../shell/opening-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { counted } from '../../render/ink/parts/format-count.ts'
import { paint } from '../shell/paint.ts'
import { withoutPassword } from '../shell/without-password.ts'
import { shellWord } from '../../kernel/shell-word.ts'
import type { ExitCode } from '../shell/wrong-usage.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { isStroke, KEY_NAMES } from '../../playground/keys/key-name.ts'
import { brokenSkills } from '../../project/folders/broken-skills.ts'
import type { Project } from '../../project/folders/open-project.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** `loadout play`, and `loadout` alone: the playground, or an overview without a terminal. */
export const playCommand: CliCommand<PlayOptions> = {
  name: 'play',
  summary: 'Open the playground (also the default without a command)',
  description:
    'Open the playground on the skills in the default folders, or on the given paths. Activate skills and see which ' +
    'tools they add, why other tools are unavailable, what the model reads and what it costs.\n\n' +
    'The session is saved; --session continues it. A log is opened read-only if it is given without ' +
    '--session, or with --at or --read-only. To select text, hold Shift or use --no-mouse.\n\n' +
    'If the output is not a terminal, an overview is printed once, and nothing is saved.',
  arguments: '[paths...]',
  options: playOptions,
  examples: [
    'loadout examples/workbench --trust --agent assistant',
    'loadout play examples/workbench --session latest',
    'loadout play examples/workbench --snapshot text --columns 80 --rows 24',
    'loadout play --session latest --snapshot html',
  ],
  async run({ words, options, context }) {
    const terminal = context.env['TERM'] === 'dumb' ? undefined : context.terminal
    const { snapshot, web, at, ...others } = options
    const isScreen = snapshot === undefined && web === undefined
    if (options.json === true || (terminal === undefined && isScreen)) {
      return overview(await openSession(words, options, context), options, context)
    }
    // A viewed session is read completely: `--at` is only where the screen starts.
    const isView = isViewOnly(options)
    const isSession = options.log === undefined || options.session !== undefined
    const keeps = !isView && isSession && isScreen && at === undefined
    const session = await openSession(
      words,
      isView ? others : options,
      context,
      keeps ? 'keep' : 'look',
      { follow: snapshot === undefined, answers: terminal !== undefined && keeps },
    )
    if (isView && at !== undefined)
      refuseMissingEntry(at, session.workspace.state.seq, options.log ?? options.session)
    const moment = { live: !isView && session.live, ...(isView && at !== undefined && { at }) }
    if (snapshot !== undefined || web === true) {
      const { printSnapshot, serveSession } = await import('./print-snapshot.ts')
      if (snapshot === undefined) await serveSession(session, moment, context)
      else await printSnapshot(session, snapshot, moment, options, context)
    } else if (terminal !== undefined) {
      await playOnTerminal(session, terminal, moment, { words, options }, context)
    }
    return 0
  },
}

/** Returns true for a session that is opened read-only, such as that of a log without `--session`. */
function isViewOnly({ log, session, at, activate, readOnly, snapshot, web }: PlayOptions): boolean {
  if (log === undefined && session === undefined) return false
  if (readOnly === true || activate !== undefined) return readOnly === true
  return session === undefined || at !== undefined || snapshot !== undefined || web === true
}

/** The way in which a screen is drawn. */
export interface ScreenOptions {
  readonly inline?: true
  readonly ascii?: true
  /** False with `--no-mouse`. */
  readonly mouse: boolean
  readonly screenReader?: true
}

interface PlayOptions extends OpeningOptions, ModelOptions, FrameOptions, ScreenOptions {
  readonly readOnly?: true
  readonly snapshot?: SnapshotForm
  readonly web?: true
}

/** The options of a screen on a terminal. */
export function screenOptions(): readonly Option[] {
  return [
    new Option('--inline', 'Draw below the shell prompt instead of on a full screen'),
    new Option('--no-mouse', 'Do not use the mouse'),
    new Option('--ascii', 'Use only ASCII for borders and symbols'),
    new Option('--screen-reader', 'Print plain lines in reading order, without borders'),
  ]
}

/** The options of every command that opens a session, and those of the screen. */
function playOptions(): readonly Option[] {
  return [
    ...changingOptions(),
    ...modelOptions(),
    new Option('--read-only', 'Open the session read-only'),
    ...screenOptions(),
    new Option(
      '--snapshot <format>',
      'Print one frame of the screen (text, svg) or a page of the session (html), and exit',
    ).choices(['svg', 'html', 'text']),
    new Option(
      '--web',
      'Serve the page of the session to browsers of this machine, read-only, until Ctrl-C',
    ).conflicts(['snapshot', 'json', 'inline']),
    new Option('--columns <n>', 'Width of the frame (default: 120)').argParser(cells),
    new Option('--rows <n>', 'Height of the frame (default: 36)').argParser(cells),
    new Option('--keys <keys>', 'Keys to press before the frame, such as "tab j enter"').argParser(
      strokes,
    ),
  ]
}

/** Larger numbers of columns or rows are typing mistakes. */
const MOST_CELLS = 1000

function cells(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > MOST_CELLS) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_CELLS}.`)
  }
  return number
}

function strokes(text: string): readonly string[] {
  const keys = text.split(' ').filter((key) => key !== '')
  const unknown = keys.find((key) => !isStroke(key))
  if (unknown === undefined) return keys
  throw new InvalidArgumentError(
    `Unknown key "${unknown}". Use letters and ${KEY_NAMES.join(', ')}, also with ctrl+ or shift+.`,
  )
}

/**
 * Opens the playground on a terminal, and then prints the state it was left in.
 *
 * @param attach opens a session that is read-only, to answer its questions; absent where the screen may not
 */
export async function playOnTerminal(
  session: OpenSession,
  terminal: CliTerminal,
  moment: { readonly live: boolean; readonly at?: number },
  typed: {
    readonly words: readonly string[]
    readonly options: OpeningOptions & ModelOptions & ScreenOptions
  },
  context: CliContext,
  attach?: () => Promise<VirtualWorkspace>,
): Promise<void> {
  const { env, colour, stdout } = context
  const { options } = typed
  const { workspace, counter, project, paths, reading, options: opened } = session
  const { loadPlayground } = await import('../../playground/load-playground.ts')
  const { openPlayground } = await loadPlayground(colour ? 'terminal' : 'none')
  const { chatOpener } = await import('../opening/chat-opener.ts')
  const { scenarioDesk } = await import('./scenarios/scenario-desk.ts')
  const { skillDesk } = await import('../opening/skill-desk.ts')
  const left = await openPlayground({
    ...moment,
    ...terminal,
    env,
    workspace,
    counter,
    inline: options.inline === true,
    mouse: options.mouse,
    screenReader: options.screenReader === true,
    theme: { ascii: options.ascii === true || !drawsUnicode(env), colour },
    followed: opened.follow === true,
    openChat: moment.live ? await chatOpener(session, options, context) : undefined,
    scenarios: moment.live ? await scenarioDesk(session, options, context) : undefined,
    skillDesk: moment.live ? await skillDesk(reading) : undefined,
    attach,
    trust: session.trust,
    remark: [
      ...(attach === undefined ? [] : ['w lets this screen answer questions.']),
      openingRemark(project, session.fromLog),
    ].join(' '),
    disk: moment.live ? { project, paths, reading, options: opened } : null,
  })
  const { activeSkills } = await import('../../engine/standing/assess-skill.ts')
  const active = activeSkills(left.state).map(sanitiseLine)
  const skills = active.length === 0 ? 'none' : active.join(', ')
  const tools = counted(left.getAvailableTools().length, 'available tool')
  stdout.write(`Active skills: ${skills}. ${tools}.\n`)
  const kept = await keepOrDelete(session, left, typed)
  await left.close()
  if (kept !== null) stdout.write(`${kept}\n`)
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
export function openingRemark(
  { catalog, diagnostics }: Pick<Project, 'catalog' | 'diagnostics'>,
  fromLog: boolean,
): string {
  if (fromLog) return FROM_LOG_REMARK
  const modules = diagnostics.filter(({ code }) => UNTRUSTED.has(code)).length
  const loaded = new Set([...catalog.skills.values()].map(({ path }) => path))
  const broken = brokenSkills(diagnostics, loaded).length
  const isCut = diagnostics.some(({ code }) => code === 'scan-cut')
  return [
    ...(isCut ? ['Some folders were not searched: too many, or too deep.'] : []),
    ...(modules === 0
      ? []
      : [`${counted(modules, 'module')} not run: not trusted (use --trust or loadout trust).`]),
    ...(broken === 0 ? [] : [`${counted(broken, 'skill')} could not be loaded.`]),
  ].join(' ')
}

/** A remark on a session that is shown with the definitions of its log. */
const FROM_LOG_REMARK =
  'Read-only, from the log: no panels, no variables, no texts of skills that were never active.'

const UNTRUSTED: ReadonlySet<string> = new Set(['handler-untrusted', 'config-untrusted'])

/** The command line that opened the screen. */
interface AsTyped {
  readonly words: readonly string[]
  readonly options: Pick<PlayOptions, 'path' | 'log' | 'trust'>
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

/** Prints skills, tools and the prompt: the playground without a terminal. */
async function overview(
  session: OpenSession,
  options: Pick<OpeningOptions, 'json'>,
  context: CliContext,
): Promise<ExitCode> {
  const [skills, tools] = await Promise.all([skillReports(session), toolReports(session)])
  if (options.json) {
    const { nextRequest } = await import('../../workspace/offer/preview-step.ts')
    const next = await nextRequest(session.workspace)
    const prompt = await promptReport(session.workspace.prompt(), next)
    context.stdout.write(jsonText({ skills, tools, prompt }))
    return 0
  }
  const title = (text: string) => context.stdout.write(`${paint(text, 'bold', context)}\n`)
  title(`Skills (${skills.length})`)
  writeSkillTable(skills, context)
  title(`\nTools (${tools.filter(({ available }) => available).length} of ${tools.length})`)
  writeToolTable(tools, context)
  title('\nPrompt')
  const { writeNextRequest } = await import('../shell/request-report.ts')
  await writeNextRequest(session.workspace, context)
  context.stdout.write(session.workspace.render())
  return 0
}
