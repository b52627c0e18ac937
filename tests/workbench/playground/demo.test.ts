import { setImmediate } from 'node:timers/promises'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { main } from '../../../src/workbench/cli/main.ts'
import { runCommand } from '../cli/run-command.ts'
import { temporaryFolder } from '../project/temporary-folder.ts'
import { FakeInput, FakeOutput } from './fake-terminal.ts'

/** Opens the demo in an empty folder on a terminal. */
async function theDemo() {
  const cwd = await temporaryFolder()
  const [stdin, stdout] = [new FakeInput(), new FakeOutput(120, 36)]
  let printed = ''
  const write = (text: string) => (printed += text)
  const terminal = { stdin, stdout, stderr: new FakeOutput(120, 36) }
  const ended = main(['demo'], {
    stdout: { write },
    stderr: { write },
    stdin: stdin as never,
    env: { LANG: 'C.UTF-8' },
    cwd,
    home: null,
    isTerminal: true,
    columns: 120,
    terminal: terminal as never,
    colour: false,
    onInterrupt: () => () => {},
    finish: async () => {},
  })
  const seen = async (text: string) => {
    while (!stdout.screen().includes(text)) await setImmediate()
  }
  return { stdin, stdout, ended, seen, cwd, printed: () => printed }
}

function demoFolders(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('loadout-demo-'))
}

test('each line of the demo says keys that lead to the next one, and nothing stays behind', async () => {
  const before = demoFolders()
  const { stdin, stdout, ended, seen, cwd, printed } = await theDemo()
  const steps = [
    { says: 'DEMO 1 of 7', keys: [' '] },
    { says: 'DEMO 2 of 7', keys: ['>', '\r'] },
    { says: 'DEMO 3 of 7', keys: ['\t', 'y'] },
    { says: 'DEMO 4 of 7', keys: ['\r'] },
    { says: 'DEMO 5 of 7', keys: ['\x1b', '2', '/', 'send', '\r', '\r'] },
    { says: 'DEMO 6 of 7', keys: ['\x1b', '4', '['] },
  ]
  for (const { says, keys } of steps) {
    await seen(says)
    for (const key of keys) {
      stdin.push(key)
      await drawn(stdout)
    }
  }
  await seen('DEMO 7 of 7')
  expect(stdout.screen()).toContain('The tool "list_letters" of "mailing" was added.')
  for (const key of ['\x1b', 'q']) {
    stdin.push(key)
    await drawn(stdout)
  }
  expect(await ended).toBe(0)
  expect(printed()).toContain('npx loadout init my-agent')
  expect(printed()).not.toContain('session')
  expect(readdirSync(cwd)).toEqual([])
  expect(existsSync(cwd)).toBe(true)
  expect(demoFolders()).toEqual(before)
})

test('on a terminal, a section of the request opens, is searched and shown as sent, and goes to the clipboard', async () => {
  const { stdin, stdout, ended, seen } = await theDemo()
  await seen('DEMO 1 of 7')
  for (const key of [' ', '5', 'G', 'k', '\r', '/', 'find', '\r', 'n', 'N', 'y']) {
    stdin.push(key)
    await drawn(stdout)
  }
  expect(stdout.screen()).toMatch(/❯║ find_order: .*║│/u)
  expect(stdout.screen()).toMatch(/copied \d+ lines/u)
  expect(stdout.written).toContain('\x1b]52;c;')
  for (const key of ['m', '\x1b', '\x1b']) {
    stdin.push(key)
    await drawn(stdout)
  }
  expect(stdout.screen()).toContain('[5 Prompt]')
  stdin.push('\x03')
  expect(await ended).toBe(0)
})

/** Resolves when nothing more is drawn for a while, longer than a lone escape waits for the rest of a sequence. */
async function drawn(output: FakeOutput): Promise<void> {
  let quiet = performance.now()
  for (let length = -1; performance.now() - quiet < 80;) {
    if (output.written.length !== length) quiet = performance.now()
    length = output.written.length
    await setImmediate()
  }
}

test('without a terminal there is no demo', async () => {
  const { code, stderr } = await runCommand(['demo'], { cwd: await temporaryFolder() })
  expect(code).toBe(2)
  expect(stderr).toContain('The demo needs a terminal.')
})
