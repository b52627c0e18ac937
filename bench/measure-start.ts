import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type RolldownPlugin } from 'rolldown'
import { terminalFigure, type TerminalFigure, type TerminalWhat } from './terminal-figure.ts'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const WORKBENCH = ['examples/workbench', '--agent', 'assistant', '--trust']
const LOADOUT = join('bin', 'loadout.js')
/** A text in the last line of the first frame, of both programs, and of the frame with the skills. */
const FIRST = 'quit'
const WITH_SKILLS = 'All actions'
const RUNS = 20
/** Fills the caches of the disk and of compiled code. */
const WARMING = 2

/** Measures the command line on the workbench: a screen, a prompt, and the starts of Ink and of Node alone. */
export async function measureStart(): Promise<readonly TerminalFigure[]> {
  const home = mkdtempSync(join(tmpdir(), 'loadout-bench-'))
  /** The milliseconds to a frame with each of the texts. */
  const frames = (
    columns: number,
    rows: number,
    texts: readonly string[],
    command: readonly string[],
  ) => {
    const screen = [join('bench', 'frame-times.py'), `${columns}`, `${rows}`, texts.join('|'), '']
    return run('python3', [...screen, process.execPath, ...command])
      .trim()
      .split('\n')
      .map(Number)
  }
  const node = (args: readonly string[]) =>
    runs(() => {
      const start = performance.now()
      run(process.execPath, args)
      return performance.now() - start
    })
  /** The bench passes on neither its colours nor its mode of React. */
  const run = (command: string, args: readonly string[]) => {
    const env = { PATH: process.env['PATH'], HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: PROJECT,
      env,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  try {
    const hello = [await joinHello(home)]
    // In turn, so that another program on the machine slows both.
    const starts = (columns: number, rows: number) =>
      runs(() => {
        const ours = frames(columns, rows, [FIRST, WITH_SKILLS], [LOADOUT, ...WORKBENCH])
        const [first = Number.NaN, withSkills = Number.NaN] = ours
        const [ink = Number.NaN] = frames(columns, rows, [FIRST], hello)
        return { first, withSkills, ink }
      })
    const screens = [
      { on: '160x45', times: starts(160, 45) },
      { on: '80x24', times: starts(80, 24) },
    ]
    const of = (what: TerminalWhat, time: (one: StartTimes) => number) =>
      screens.map(({ on, times }) => terminalFigure(what, on, times.map(time)))
    return [
      ...of('first frame, from the shell', ({ first }) => first),
      ...of('first frame, times that of Ink', ({ first, ink }) => first / ink),
      ...of('frame with the skills, from the shell', ({ withSkills }) => withSkills),
      ...of('frame with the skills, times that of Ink', ({ withSkills, ink }) => withSkills / ink),
      ...of('first frame of Ink with one line', ({ ink }) => ink),
      terminalFigure(
        'the prompt without a screen, from the shell',
        'a pipe',
        node([LOADOUT, 'prompt', ...WORKBENCH]),
      ),
      terminalFigure('Node itself, from the shell', 'a pipe', node(['--eval', '0'])),
    ]
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** Milliseconds from the shell, of one start of each program. */
interface StartTimes {
  readonly first: number
  readonly withSkills: number
  readonly ink: number
}

/** Joins the screen of one line with Ink, as the build joins the playground; returns the file. */
async function joinHello(folder: string): Promise<string> {
  const { shippedInk }: { shippedInk(): RolldownPlugin } = await import(
    new URL('../scripts/bundle/shipped-ink.ts', import.meta.url).href
  )
  await build({
    input: join(PROJECT, 'bench', 'ink-hello.ts'),
    platform: 'node',
    external: ['react-devtools-core'],
    plugins: [shippedInk()],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: { dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  })
  return join(folder, 'ink-hello.mjs')
}

function runs<Measured>(once: () => Measured): readonly Measured[] {
  return Array.from({ length: RUNS + WARMING }, once).slice(WARMING)
}
