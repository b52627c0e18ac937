import { InvalidArgumentError, Option } from 'commander'
import { promptReport } from './prompt-command.ts'
import { skillReports, writeSkillTable } from './skills-command.ts'
import { toolReports, writeToolTable } from './tools-command.ts'
import { refuseMissingEntry } from '../opening/find-session.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext, CliTerminal } from '../shell/cli-context.ts'
import { type CommonOptions, commonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { counted } from '../../render/ink/parts/format-count.ts'
import { paint } from '../shell/paint.ts'
import { shellWord, withoutPassword } from '../shell/shell-word.ts'
import type { ExitCode } from '../shell/wrong-usage.ts'
import { activeSkills } from '../../engine/standing/assess-skill.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { isStroke, KEY_NAMES } from '../../playground/keys/key-name.ts'
import type { StyledFrame } from '../../playground/snapshot/read-frame.ts'
import { brokenSkills } from '../../project/folders/broken-skills.ts'
import type { Project } from '../../project/folders/open-project.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** `loadout play`, and `loadout` alone: the playground, or what it shows where there is no terminal. */
export const playCommand: CliCommand<PlayOptions> = {
  name: 'play',
  summary: 'open the playground on skills, tools and prompt (what "loadout" alone does)',
  description:
    'Open the playground on the nearest skills, or on the paths: equip skills and see which tools ' +
    'come, why others are not there, what the model reads and what it costs. What is done there is ' +
    'kept, so that --session goes on with it; a log that is named alone, or with --at or ' +
    '--read-only, is only looked at. Text is selected with Shift held, or with --no-mouse. Where the ' +
    'output is no terminal, the same is printed once, and nothing is kept.',
  arguments: '[paths...]',
  options: playOptions,
  examples: [
    'loadout examples/workbench --trust --agent assistant',
    'loadout play examples/workbench --session latest',
    'loadout play examples/workbench --snapshot text --columns 80 --rows 24',
  ],
  async run({ words, options, context }) {
    const { terminal } = context
    const { snapshot, at, ...others } = options
    if (options.json === true || (terminal === undefined && snapshot === undefined)) {
      return overview(await openSession(words, options, context), options, context)
    }
    // A session that is looked at is opened whole: `--at` is where the screen begins.
    const isLook = isOnlyLookedAt(options)
    const goesOn = options.log === undefined || options.session !== undefined
    const keeps = !isLook && goesOn && snapshot === undefined && at === undefined
    const session = await openSession(
      words,
      isLook ? others : options,
      context,
      keeps ? 'keep' : 'look',
      { follow: snapshot === undefined },
    )
    if (isLook && at !== undefined)
      refuseMissingEntry(at, session.workspace.state.seq, options.log ?? options.session)
    const moment = { live: !isLook, ...(isLook && at !== undefined && { at }) }
    if (snapshot !== undefined) await printFrame(session, snapshot, moment, options, context)
    else if (terminal !== undefined) {
      await playOnTerminal(session, terminal, moment, { words, options }, context)
    }
    return 0
  },
}

/** A session is gone on with when it is named as one; a log that is named alone is looked at. */
function isOnlyLookedAt({ log, session, at, activate, readOnly, snapshot }: PlayOptions): boolean {
  if (log === undefined && session === undefined) return false
  if (readOnly === true || activate !== undefined) return readOnly === true
  return session === undefined || at !== undefined || snapshot !== undefined
}

/** Forms a frame can be printed in. */
type SnapshotForm = 'svg' | 'html' | 'text'

interface PlayOptions extends CommonOptions {
  readonly readOnly?: true
  readonly inline?: true
  /** False with `--no-mouse`. */
  readonly mouse: boolean
  readonly ascii?: true
  readonly screenReader?: true
  readonly snapshot?: SnapshotForm
  readonly columns?: number
  readonly rows?: number
  readonly keys?: readonly string[]
}

/** What `loadout play` takes beside what every command takes. */
function playOptions(): readonly Option[] {
  return [
    ...commonOptions(),
    new Option('--read-only', 'only look at the session'),
    new Option('--inline', 'draw below the prompt, not on a screen of its own'),
    new Option('--no-mouse', 'leave the mouse to the terminal'),
    new Option('--ascii', 'borders and marks of ASCII only'),
    new Option('--screen-reader', 'plain lines in reading order, without borders'),
    new Option('--snapshot <form>', 'print one frame of the screen and end').choices([
      'svg',
      'html',
      'text',
    ]),
    new Option('--columns <n>', 'how wide the frame is (120)').argParser(cells),
    new Option('--rows <n>', 'how high the frame is (36)').argParser(cells),
    new Option(
      '--keys <keys>',
      'keys pressed before the frame is taken, such as "tab j enter"',
    ).argParser(strokes),
  ]
}

/** A screen of more cells than this is a slip of the fingers. */
const MOST_CELLS = 1000

function cells(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > MOST_CELLS) {
    throw new InvalidArgumentError(`Give a number from 1 to ${MOST_CELLS}.`)
  }
  return number
}

function strokes(text: string): readonly string[] {
  const keys = text.split(' ').filter((key) => key !== '')
  const unknown = keys.find((key) => !isStroke(key))
  if (unknown === undefined) return keys
  throw new InvalidArgumentError(
    `No key is named "${unknown}": give letters and ${KEY_NAMES.join(', ')}, also with ctrl+ or shift+.`,
  )
}

/** Open the playground on a terminal; afterwards say in a line what it was left with. */
async function playOnTerminal(
  session: OpenSession,
  terminal: CliTerminal,
  moment: { readonly live: boolean; readonly at?: number },
  typed: { readonly words: readonly string[]; readonly options: PlayOptions },
  { env, colour, stdout }: CliContext,
): Promise<void> {
  const { options } = typed
  const { workspace, counter, project, paths, reading, options: opened } = session
  const { loadPlayground } = await import('../../playground/load-playground.ts')
  const { openPlayground } = await loadPlayground(colour ? 'terminal' : 'none')
  const left = await openPlayground({
    ...moment,
    ...terminal,
    env,
    workspace,
    counter,
    inline: options.inline === true,
    mouse: options.mouse,
    screenReader: options.screenReader === true,
    theme: { ascii: options.ascii === true, colour },
    followed: opened.follow === true,
    remark: openingRemark(project),
    disk: moment.live ? { project, paths, reading, options: opened } : null,
  })
  const active = activeSkills(left.state).map(sanitiseLine)
  const skills = active.length === 0 ? 'no skill' : active.join(', ')
  stdout.write(`Left with ${skills} active: ${counted(left.getAvailableTools().length, 'tool')}.\n`)
  const kept = await keepOrDelete(session, left, typed)
  await left.close()
  if (kept !== null) stdout.write(`${kept}\n`)
}

/**
 * What keeps a screen from showing what its folders hold. What is told on stderr is behind the
 * screen by then, and comes to light when it is left.
 */
export function openingRemark({
  catalog,
  diagnostics,
}: Pick<Project, 'catalog' | 'diagnostics'>): string {
  const modules = diagnostics.filter(({ code }) => UNTRUSTED.has(code)).length
  const loaded = new Set([...catalog.skills.values()].map(({ path }) => path))
  const broken = brokenSkills(diagnostics, loaded).length
  const isCut = diagnostics.some(({ code }) => code === 'scan-cut')
  return [
    ...(isCut ? ['Not every folder was looked into: too many, or too deep.'] : []),
    ...(modules === 0
      ? []
      : [`${counted(modules, 'module')} not run: not trusted (--trust, or loadout trust).`]),
    ...(broken === 0 ? [] : [`${counted(broken, 'skill')} could not be loaded.`]),
  ].join(' ')
}

const UNTRUSTED: ReadonlySet<string> = new Set(['handler-untrusted', 'config-untrusted'])

/** How the screen was opened, as it was typed. */
interface AsTyped {
  readonly words: readonly string[]
  readonly options: Pick<PlayOptions, 'path' | 'log' | 'trust'>
}

/** What it is kept in. */
interface KeptIn {
  readonly options: Pick<OpenSession['options'], 'log'>
}

const BY_SOMEBODY: ReadonlySet<string> = new Set(['user', 'host', 'model'])

/**
 * A session that was begun for a screen stays when something was done in it, and the line says how to go
 * on with it; when not it goes, with null as for any other session.
 */
export async function keepOrDelete(
  { begunIn, options: { log } }: Pick<OpenSession, 'begunIn'> & KeptIn,
  left: VirtualWorkspace,
  typed: AsTyped,
): Promise<string | null> {
  if (begunIn === null) return null
  const { session } = left
  const entries = await left.entries()
  if (entries.some(({ cause }) => BY_SOMEBODY.has(cause.by))) {
    return `It is kept. Go on with it: ${resumeCommand(session, typed)}`
  }
  await log.delete(session)
  return null
}

/** The session alone would be opened without the skills and the agent of the folders. */
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

/** Size of a frame when none is asked for: what most windows have room for. */
const FRAME = { columns: 120, rows: 36 }

/** Print one frame of the playground, as it would be on a terminal of that size. */
async function printFrame(
  { workspace, counter }: OpenSession,
  form: SnapshotForm,
  moment: { readonly live: boolean; readonly at?: number },
  { ascii, columns = FRAME.columns, rows = FRAME.rows, keys = [] }: PlayOptions,
  { stdout }: CliContext,
): Promise<void> {
  const { loadPlayground } = await import('../../playground/load-playground.ts')
  const { takeFrame } = await loadPlayground(form === 'text' ? 'none' : 'all')
  const theme = { ascii: ascii === true, colour: form !== 'text' }
  const strokes = keys
  const frame = await takeFrame({ ...moment, workspace, counter, columns, rows, theme, strokes })
  stdout.write(await frameText(form, frame))
}

async function frameText(form: SnapshotForm, frame: StyledFrame): Promise<string> {
  const title = 'Loadout, the playground'
  switch (form) {
    case 'text':
      return (await import('../../playground/snapshot/write-html.ts')).writeText(frame)
    case 'html':
      return (await import('../../playground/snapshot/write-html.ts')).writeHtml(frame, title)
    case 'svg':
      return (await import('../../playground/snapshot/write-html.ts')).writeSvg(frame, title)
  }
}

/** Skills, tools and prompt at a glance: the playground where there is no terminal. */
function overview(
  session: OpenSession,
  options: Pick<CommonOptions, 'json'>,
  context: CliContext,
): ExitCode {
  const skills = skillReports(session)
  const tools = toolReports(session)
  if (options.json) {
    const prompt = promptReport(session.workspace.prompt())
    context.stdout.write(jsonText({ skills, tools, prompt }))
    return 0
  }
  const title = (text: string) => context.stdout.write(`${paint(text, 'bold', context)}\n`)
  title(`Skills (${skills.length})`)
  writeSkillTable(skills, context)
  title(`\nTools (${tools.filter(({ available }) => available).length} of ${tools.length})`)
  writeToolTable(tools, context)
  const { tokens, tokenizer } = promptReport(session.workspace.prompt())
  title(`\nPrompt (${tokens} tokens, ${tokenizer})`)
  context.stdout.write(session.workspace.render())
  return 0
}
