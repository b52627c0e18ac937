import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { terminalFigure, type TerminalFigure } from './terminal-figure.ts'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const WORKBENCH = ['examples/workbench', '--agent', 'assistant', '--trust']
const LOADOUT = join('bin', 'loadout.js')
/** A text in the last line of a frame. */
const LAST = 'Quit'
const RUNS = 20
/** Fills the caches of the disk and of compiled code. */
const WARMING = 2

/** Measures the command line on the workbench: a screen, a prompt, and the start of Node alone. */
export function measureStart(): readonly TerminalFigure[] {
  const home = mkdtempSync(join(tmpdir(), 'loadout-bench-'))
  const frame = (columns: number, rows: number) => {
    const screen = [join('bench', 'first-frame.py'), `${columns}`, `${rows}`, LAST]
    return runs(() => Number(run('python3', [...screen, process.execPath, LOADOUT, ...WORKBENCH])))
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
    return [
      terminalFigure('first frame, from the shell', '160x45', frame(160, 45)),
      terminalFigure('first frame, from the shell', '80x24', frame(80, 24)),
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

function runs(once: () => number): readonly number[] {
  return Array.from({ length: RUNS + WARMING }, once).slice(WARMING)
}
