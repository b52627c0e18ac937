import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { skillText, temporaryFolder } from '../../project/temporary-folder.ts'
import { hasTerminals, runInTerminal, type TerminalStep } from './run-in-terminal.ts'

const BIN = resolve('bin/loadout.js')
/** The folder with the bundled screen of these tests. */
const folder = await mkdtemp(join(tmpdir(), 'loadout-screen-'))
const A_SCREEN = join(folder, 'a-screen.mjs')

beforeAll(async () => {
  await build({
    input: resolve('tests/workbench/playground/terminal/a-screen.ts'),
    external: 'react-devtools-core',
    platform: 'node',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: { dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
  })
})
afterAll(() => rm(folder, { recursive: true }))

/** Trusted code that causes an unhandled rejection or exception on a signal. */
const CONFIG = `
process.on('SIGUSR2', () => { Promise.reject(new Error('stray rejection')) })
process.on('SIGALRM', () => { throw new Error('stray exception') })
export default { skills: ['skills'] }
`

const project = {
  'loadout.config.mjs': CONFIG,
  'skills/alpha/SKILL.md': skillText('alpha'),
}

/** Text of the last line drawn: the screen is complete. */
const READY = { wait: ' keys' }

/** Modes that must be as before at the end, if they ever changed. */
const MODES = ['?1049', '?25', '?2004', '?1000', '?1006', '?2026', '?7']

/** Modes of a shell: a cursor, and lines that are broken. */
const ON = new Set(['?25', '?7'])

interface Ending {
  readonly how: string
  readonly steps: readonly TerminalStep[]
  readonly by: number | string
  readonly options?: readonly string[]
  readonly says?: string
}

const endings: readonly Ending[] = [
  { how: 'q', steps: [READY, { type: 'q' }], by: 0, says: 'Active skills: none.' },
  { how: 'q, inline', steps: [READY, { type: 'q' }], by: 0, options: ['--inline'] },
  { how: 'q, without mouse', steps: [READY, { type: 'q' }], by: 0, options: ['--no-mouse'] },
  { how: 'Ctrl-C', steps: [READY, { type: '\x03' }], by: 0 },
  { how: 'SIGINT', steps: [READY, { signal: 'SIGINT' }], by: 130 },
  { how: 'SIGTERM', steps: [READY, { signal: 'SIGTERM' }], by: 143 },
  { how: 'SIGTERM, inline', steps: [READY, { signal: 'SIGTERM' }], by: 143, options: ['--inline'] },
  { how: 'SIGHUP', steps: [READY, { signal: 'SIGHUP' }], by: 129 },
  {
    how: 'an unhandled rejection',
    steps: [READY, { signal: 'SIGUSR2' }],
    by: 1,
    says: 'internal error: stray rejection',
  },
  {
    how: 'an uncaught exception',
    steps: [READY, { signal: 'SIGALRM' }],
    by: 1,
    says: 'internal error: stray exception',
  },
  {
    how: 'SIGTSTP, SIGCONT, q',
    steps: [READY, { signal: 'SIGTSTP' }, { stopped: 1 }, { continue: true }, READY, { type: 'q' }],
    by: 0,
  },
  {
    how: 'Ctrl-Z twice, then q',
    steps: [
      READY,
      { type: '\x1a' },
      { stopped: 1 },
      { continue: true },
      READY,
      { type: '\x1a' },
      { stopped: 2 },
      { continue: true },
      READY,
      { type: 'q' },
    ],
    by: 0,
  },
  {
    how: 'SIGSTOP from outside, SIGCONT, q',
    steps: [READY, { signal: 'SIGSTOP' }, { stopped: 1 }, { continue: true }, READY, { type: 'q' }],
    by: 0,
  },
]

test.runIf(hasTerminals).each(endings)(
  'after $how the terminal is restored',
  async ({ how, steps, by, options = [], says = '' }) => {
    const cwd = await temporaryFolder(project)
    const command = [process.execPath, BIN, 'play', '--trust', ...options]
    const run = await runInTerminal(command, steps, { cwd })
    expect({ left: run.left, by: run.ended?.by }).toEqual({ left: [], by })
    expect(run.after).toBe(run.before)
    // Nobody can clean up after SIGSTOP before it takes effect.
    if (!how.startsWith('SIGSTOP')) for (const now of run.stopped) expect(now).toBe(run.before)
    expectModesOff(run.output)
    expect(afterScreen(run.output)).toContain(says)
  },
)

test.runIf(hasTerminals).each([
  { how: 'SIGTERM', steps: [READY, { signal: 'SIGTERM' }], kept: 0 },
  { how: 'a closed window', steps: [READY, { close: true }], kept: 0 },
  {
    how: 'a closed window',
    steps: [READY, { type: ' ' }, { wait: 'activated' }, { close: true }],
    kept: 1,
  },
] satisfies readonly { how: string; steps: readonly TerminalStep[]; kept: number }[])(
  'after $how, $kept sessions are kept: those in which something was done',
  async ({ steps, kept }) => {
    const cwd = await temporaryFolder(project)
    const run = await runInTerminal([process.execPath, BIN, 'play', '--trust'], steps, { cwd })
    expect(run.left).toEqual([])
    const list = [BIN, 'sessions', 'list', '--json']
    const { stdout } = spawnSync(process.execPath, list, { cwd, env: { HOME: cwd } })
    expect(JSON.parse(String(stdout))).toMatchObject({ sessions: { length: kept } })
  },
)

/** Trusted code that keeps the session from opening until a signal. Past the screen, it says when it does. */
const SLOW_CONFIG = `
import { writeSync } from 'node:fs'
setImmediate(() => writeSync(1, 'Waits'))
await new Promise((resolve) => process.once('SIGUSR2', resolve))
export default { skills: ['skills'] }
`

const OPENING = { wait: 'Waits' }

const early: readonly Ending[] = [
  { how: 'Ctrl-C', steps: [OPENING, { type: '\x03' }], by: 130 },
  { how: 'SIGTERM', steps: [OPENING, { signal: 'SIGTERM' }], by: 143 },
  {
    how: 'an error',
    steps: [OPENING, { signal: 'SIGUSR2' }],
    by: 1,
    options: ['--agent', 'nobody'],
    says: 'nobody',
  },
  {
    how: 'q, which waits for the session',
    steps: [OPENING, { type: 'q' }, { signal: 'SIGUSR2' }],
    by: 0,
    says: 'Active skills: none.',
  },
  {
    how: 'Ctrl-Z, which does not wait for the session, then q',
    steps: [
      OPENING,
      { type: '\x1a' },
      { stopped: 1 },
      { continue: true },
      { wait: 'Opening' },
      { signal: 'SIGUSR2' },
      READY,
      { type: 'q' },
    ],
    by: 0,
  },
  {
    how: 'keys that activate a skill',
    steps: [OPENING, { type: ' ' }, { signal: 'SIGUSR2' }, { wait: 'activated' }, { type: 'q' }],
    by: 0,
    says: 'Active skills: alpha.',
  },
]

test.runIf(hasTerminals).each(early)(
  'before the session is open, $how leaves the terminal as it was',
  async ({ steps, by, options = [], says = '' }) => {
    const cwd = await temporaryFolder({
      'loadout.config.mjs': SLOW_CONFIG,
      'skills/alpha/SKILL.md': skillText('alpha'),
      'skills/broken/SKILL.md': 'no front matter',
    })
    const command = [process.execPath, BIN, 'play', 'skills', '--trust', ...options]
    const run = await runInTerminal(command, steps, { cwd })
    expect({ left: run.left, by: run.ended?.by }).toEqual({ left: [], by })
    expect(run.output).toContain('Opening skills')
    expect(run.after).toBe(run.before)
    expectModesOff(run.output)
    expect(afterScreen(run.output)).toContain(says)
    // What was reported while the session was opened is printed behind the screen.
    if (by === 0) expect(afterScreen(run.output)).toContain('skills/broken/SKILL.md')
  },
)

test.runIf(hasTerminals)(
  'the rules of a session are replaced before its screen, where a person reads what that lifts',
  async () => {
    const rules = (deny: string) =>
      `export default { skills: ['skills'], permissions: { deny: ['${deny}'] } }`
    const cwd = await temporaryFolder({ ...project, 'loadout.config.mjs': rules('purge_*') })
    const log = ['--trust', '--log', 'run.sqlite']
    const env = { HOME: cwd }
    spawnSync(process.execPath, [BIN, 'activate', 'alpha', ...log], { cwd, env })
    await writeFile(join(cwd, 'loadout.config.mjs'), rules('other_*'))
    const command = [BIN, 'play', ...log, '--session', 'latest', '--policy', 'replace']
    const run = await runInTerminal(
      [process.execPath, ...command],
      [{ wait: 'purge_' }, { wait: '[y/N]' }, { type: 'y\r' }, READY, { type: 'q' }],
      { cwd },
    )
    expect({ left: run.left, by: run.ended?.by }).toEqual({ left: [], by: 0 })
    expect(run.output.indexOf('[y/N]')).toBeLessThan(run.output.indexOf('\x1b[?1049h'))
  },
)

test.runIf(hasTerminals).each([
  ['on a screen of its own', [], true],
  ['without mouse', ['--no-mouse'], false],
  ['below the prompt, where rows are elsewhere', ['--inline'], false],
  ['read aloud', ['--screen-reader'], false],
])('%s clicks are asked for: %o %s', async (_where, options, is) => {
  const cwd = await temporaryFolder(project)
  const command = [process.execPath, BIN, 'play', '--trust', ...options]
  const { left, output } = await runInTerminal(command, [READY, { type: 'q' }], { cwd })
  expect(left).toEqual([])
  expect(output.includes('\x1b[?1000h')).toBe(is)
})

test.runIf(hasTerminals).each([
  ['is closed', ''],
  // Each of them is drawn: some frame is written when nobody is there to take it.
  ['is closed while frames are written', '?\x1b12345jkjk'.repeat(40)],
])('when the window %s, the process ends', async (_when, typed) => {
  const cwd = await temporaryFolder(project)
  const command = [process.execPath, BIN, 'play', '--trust']
  const steps = [READY, { type: typed }, { close: true }] as const
  const { left, ended } = await runInTerminal(command, steps, { cwd })
  expect({ left, by: ended?.by }).toEqual({ left: [], by: 129 })
})

test.runIf(hasTerminals)('after a throw in a component the terminal is as before', async () => {
  const cwd = await temporaryFolder({})
  const steps = [{ wait: 'ready' }, { type: 't' }]
  const run = await runInTerminal([process.execPath, A_SCREEN], steps, {
    cwd,
  })
  expect(run.ended?.by).toBe(1)
  expect(run.after).toBe(run.before)
  expectModesOff(run.output)
  expect(afterScreen(run.output)).toContain('failed: thrown while drawing')
})

test.runIf(hasTerminals)('an editor gets the terminal restored, and returns it', async () => {
  const cwd = await temporaryFolder({})
  const editor = join(cwd, 'editor')
  const script = `#!/bin/sh\nstty -a > ${cwd}/seen\nread line\nprintf '%s, %s' "$(cat "$1")" "$line" > "$1"\n`
  await writeFile(editor, script)
  await chmod(editor, 0o755)
  const steps = [
    { wait: 'ready' },
    { type: 'e' },
    { wait: '\x1b[?1049l' },
    { type: 'typed\n' },
    { wait: 'edited: before, typed' },
    { type: 'q' },
  ]
  const run = await runInTerminal([process.execPath, A_SCREEN], steps, {
    cwd,
    env: { EDITOR: editor },
  })
  expect({ left: run.left, by: run.ended?.by }).toEqual({ left: [], by: 0 })
  expect(run.after).toBe(run.before)
  expectModesOff(run.output)
})

test('the endings of a terminal are tried where there are terminals', ({ skip }) => {
  skip(!hasTerminals, `${endings.length + 3} endings need python3 and stty`)
  expect(endings.length).toBeGreaterThan(10)
})

/** Expects that the last sequence of each mode switches it off, and that the cursor is shown. */
function expectModesOff(output: string): void {
  const last = MODES.map((mode) => {
    const [on, off] = ON.has(mode) ? ['l', 'h'] : ['h', 'l']
    const isOff =
      output.lastIndexOf(`\x1b[${mode}${off}`) >= output.lastIndexOf(`\x1b[${mode}${on}`)
    return { mode, isOff }
  })
  expect(last.filter(({ isOff }) => !isOff)).toEqual([])
}

/** The output after the terminal was restored. */
function afterScreen(output: string): string {
  return output.slice(output.lastIndexOf('\x1b[?1006l'))
}

test.runIf(hasTerminals)(
  'a terminal that draws no screen gets the overview, without a sequence',
  async () => {
    const cwd = await temporaryFolder(project)
    const command = [process.execPath, BIN, 'play', '--trust']
    const { ended, output } = await runInTerminal(command, [], { cwd, env: { TERM: 'dumb' } })
    expect(ended?.by).toBe(0)
    expect(output).toContain('alpha')
    expect(output).not.toContain('\x1b[?')
  },
)

test.runIf(hasTerminals)('in a locale without UTF-8 the screen is drawn with ASCII', async () => {
  const cwd = await temporaryFolder(project)
  const command = [process.execPath, BIN, 'play', '--trust']
  const env = { LC_ALL: 'C' }
  const { output } = await runInTerminal(command, [READY, { type: 'q' }], { cwd, env })
  expect(output).toContain('[1 Skills]')
  const screen = output.slice(output.indexOf('\x1b[?1049h'), output.indexOf('\x1b[?1049l'))
  expect([...screen].filter((letter) => letter > '~')).toEqual([])
})
