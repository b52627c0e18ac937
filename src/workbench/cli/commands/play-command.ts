import { dirname, join } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { FrameOptions, SnapshotForm } from './play/print-snapshot.ts'
import { promptReport } from './prompt-command.ts'
import { openSkillsReport } from './skills-command.ts'
import { openToolsReport } from './tools-command.ts'
import { refuseMissingEntry } from '../opening/find-session.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import {
  changingOptions,
  type ModelOptions,
  type OpeningOptions,
  type ScreenOptions,
  screenOptions,
  talkOptions,
} from '../shell/opening-options.ts'
import { jsonText, rowValues } from '../../report/writers/json-text.ts'
import { printReport } from '../../report/writers/print-report.ts'
import { paint } from '../../report/writers/paint.ts'
import { type ExitCode, wrongUsage } from '../shell/wrong-usage.ts'
import type { Guide } from '../../playground/context/playground-context.ts'
import { isStroke, KEY_NAMES } from '../../playground/keys/key-name.ts'

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
    const open = async (shown: CliContext) => {
      const session = await openSession(
        words,
        isView ? others : options,
        shown,
        keeps ? 'keep' : 'look',
        { follow: snapshot === undefined, answers: terminal !== undefined && keeps },
      )
      if (isView && at !== undefined)
        refuseMissingEntry(at, session.workspace.state.seq, options.log ?? options.session)
      const moment = { live: !isView && session.live, ...(isView && at !== undefined && { at }) }
      return { session, moment }
    }
    if (terminal !== undefined && isScreen) {
      const { playOnTerminal } = await import('./play/play-on-terminal.ts')
      await playOnTerminal(open, terminal, { words, options }, context)
      return 0
    }
    const { session, moment } = await open(context)
    const { printSnapshot, serveSession } = await import('./play/print-snapshot.ts')
    if (snapshot === undefined) await serveSession(session, moment, context)
    else await printSnapshot(session, snapshot, moment, options, context)
    return 0
  },
}

/** `loadout demo`: three minutes with a small shop. */
export const demoCommand: CliCommand<ScreenOptions> = {
  name: 'demo',
  summary: 'Try the playground on a small shop, without a model, in three minutes',
  description:
    'Open the playground on a small shop with three skills, a rule and a question. A scripted model answers: nothing is sent ' +
    'anywhere, and nothing is stored. The last line says what to press next.',
  arguments: '',
  options: screenOptions,
  examples: ['loadout demo'],
  async run({ options, context }) {
    if (context.terminal === undefined || context.env['TERM'] === 'dumb') {
      throw wrongUsage('The demo needs a terminal.', 'Run it in one: loadout demo.')
    }
    const [{ createDemoGuide }, { mkdtemp, rm }, { createRequire }, { tmpdir }] = await Promise.all(
      [
        import('../../playground/context/create-demo-guide.ts'),
        import('node:fs/promises'),
        import('node:module'),
        import('node:os'),
      ],
    )
    const require = createRequire(import.meta.url)
    const shop = join(dirname(require.resolve('loadout/package.json')), 'examples', 'demo')
    const folder = await mkdtemp(join(tmpdir(), 'loadout-demo-'))
    context.onEnd(() => rm(folder, { recursive: true, force: true }))
    await playCommand.run({
      words: [shop],
      options: {
        ...options,
        trust: true,
        scenario: join(shop, 'refund.scenario.yaml'),
        log: join(folder, 'demo.sqlite'),
        session: 'demo',
        guide: createDemoGuide(),
      },
      context: { ...context, ...alone(folder, context) },
    })
    context.stdout.write(NEXT)
    return 0
  },
}

/** Returns a home of its own for the demo: what it changes is of nobody, and play would print how to continue it. */
function alone(folder: string, { env }: CliContext): Partial<CliContext> {
  const own = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']
  return {
    cwd: folder,
    home: folder,
    trustFile: join(folder, 'trust.json'),
    env: { ...env, ...Object.fromEntries(own.map((name) => [name, folder])) },
    stdout: SILENT,
    stderr: SILENT,
  }
}

const SILENT = { write: () => true }

const NEXT = `
Your own skills:          npx loadout init my-agent
What is in this folder:   npx loadout
The agent that you have:  npx loadout why <skill> --log claude-code
`

/** Returns true for a session that is opened read-only, such as that of a log without `--session`. */
function isViewOnly({ log, session, at, activate, readOnly, snapshot, web }: PlayOptions): boolean {
  if (log === undefined && session === undefined) return false
  if (readOnly === true || activate !== undefined) return readOnly === true
  return session === undefined || at !== undefined || snapshot !== undefined || web === true
}

interface PlayOptions extends OpeningOptions, ModelOptions, FrameOptions, ScreenOptions {
  readonly readOnly?: true
  readonly snapshot?: SnapshotForm
  readonly web?: true
  /** Leads through the screen. */
  readonly guide?: Guide
}

/** The options of every command that opens a session, and those of the screen. */
function playOptions(): readonly Option[] {
  return [
    ...changingOptions(),
    ...talkOptions(),
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

/** Prints skills, tools and the prompt: the playground without a terminal. */
async function overview(
  session: OpenSession,
  options: Pick<OpeningOptions, 'json'>,
  context: CliContext,
): Promise<ExitCode> {
  const [skills, tools] = await Promise.all([openSkillsReport(session), openToolsReport(session)])
  if (options.json) {
    const { nextRequest } = await import('../../../entries/plan.ts')
    const next = await nextRequest(session.workspace)
    const prompt = await promptReport(session.workspace.prompt(), next)
    const [listed, offered] = [rowValues(skills), rowValues(tools)]
    context.stdout.write(jsonText({ skills: listed, tools: offered, prompt }))
    return 0
  }
  const title = (text: string) => context.stdout.write(`${paint(text, 'bold', context)}\n`)
  title(`Skills (${skills.count})`)
  printReport([skills], context)
  title(`\nTools (${tools.summary()})`)
  printReport([tools], context)
  title('\nPrompt')
  const { nextRequestText } = await import('../../report/facts/request-report.ts')
  printReport([await nextRequestText(session.workspace)], context)
  context.stdout.write(session.workspace.render())
  return 0
}
