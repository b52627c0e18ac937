import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type RolldownPlugin } from 'rolldown'
import { terminalFigure, type TerminalFigure } from './terminal-figure.ts'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const WORKBENCH = ['examples/workbench', '--agent', 'assistant', '--trust']
const LOADOUT = join('bin', 'loadout.js')
/** A text in the last line of a frame. */
const LAST = 'Quit'
const RUNS = 20
/** Fills the caches of the disk and of compiled code. */
const WARMING = 2

/** Measures the command line on the workbench: a screen, a prompt, and the starts of Ink and of Node alone. */
export async function measureStart(): Promise<readonly TerminalFigure[]> {
  const home = mkdtempSync(join(tmpdir(), 'loadout-bench-'))
  const frame = (columns: number, rows: number, command: readonly string[]) => {
    const screen = [join('bench', 'first-frame.py'), `${columns}`, `${rows}`, LAST]
    return Number(run('python3', [...screen, process.execPath, ...command]))
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
    const pairs = (columns: number, rows: number) =>
      runs(() => [frame(columns, rows, [LOADOUT, ...WORKBENCH]), frame(columns, rows, hello)])
    const [wide, narrow] = [pairs(160, 45), pairs(80, 24)]
    const ours = (pair: readonly number[]) => pair[0] ?? Number.NaN
    const inks = (pair: readonly number[]) => pair[1] ?? Number.NaN
    const times = (pair: readonly number[]) => ours(pair) / inks(pair)
    return [
      terminalFigure('first frame, from the shell', '160x45', wide.map(ours)),
      terminalFigure('first frame, from the shell', '80x24', narrow.map(ours)),
      terminalFigure('first frame, times that of Ink', '160x45', wide.map(times)),
      terminalFigure('first frame, times that of Ink', '80x24', narrow.map(times)),
      terminalFigure('first frame of Ink with one line', '160x45', wide.map(inks)),
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

/** Joins the screen of one line with Ink, as the build joins the playground; returns the file. */
async function joinHello(folder: string): Promise<string> {
  const { ownScreen }: { ownScreen(): RolldownPlugin } = await import(
    new URL('../scripts/bundle/own-screen.ts', import.meta.url).href
  )
  await build({
    input: join(PROJECT, 'bench', 'ink-hello.ts'),
    platform: 'node',
    external: ['react-devtools-core'],
    plugins: [ownScreen()],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: { dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  })
  return join(folder, 'ink-hello.mjs')
}

function runs<Measured>(once: () => Measured): readonly Measured[] {
  return Array.from({ length: RUNS + WARMING }, once).slice(WARMING)
}
