import { setImmediate } from 'node:timers/promises'
import { createCatalog, defineSkill, VirtualWorkspace } from 'loadout'
import { expect, onTestFinished, test } from 'vitest'
import { o200kCounter } from '../../../src/workspace/open/o200k-counter.ts'
import { openPlayground } from '../../../src/workbench/playground/open-playground.tsx'
import type { ScreenSession } from '../../../src/workbench/playground/session-screen.tsx'
import { FakeInput, FakeOutput } from './fake-terminal.ts'

/** The playground on a fake terminal, which opens a session when the test says so. */
async function anOpening() {
  const skill = defineSkill({ name: 'music', description: 'Play songs.' })
  const catalog = await createCatalog({ skills: [skill] })
  const workspace = await VirtualWorkspace.open({ catalog })
  const counter = await o200kCounter()
  const { promise, resolve } = Promise.withResolvers<ScreenSession>()
  const [input, output] = [new FakeInput(), new FakeOutput(100, 30)]
  const left = openPlayground({
    stdin: input,
    stdout: output as unknown as NodeJS.WriteStream & { readonly fd: number },
    stderr: new FakeOutput(100, 30) as unknown as NodeJS.WriteStream,
    env: {},
    inline: false,
    mouse: false,
    screenReader: false,
    theme: { ascii: false, colour: true },
    name: 'songs',
    open: () => promise,
  })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await setImmediate()
  }
  const open = () => resolve({ workspace, counter, live: true, trust: null, disk: null })
  onTestFinished(async () => {
    open()
    await until(() => output.written.includes(': commands'))
    input.push('\x03')
    await (await left).close()
  })
  return {
    input,
    output,
    until,
    seen: (text: string) => until(() => output.screen().includes(text)),
    open,
  }
}

test('what other programs wrote while a session was opened is not on its screen', async () => {
  const { output, seen, open } = await anOpening()
  await seen('Opening songs')
  // Past the stream of this process.
  await new Promise<void>((resolve) => output.emulator.write('fatal: no repository\n', resolve))
  expect(output.screen()).toContain('fatal')
  open()
  await seen(': commands')
  expect(output.screen()).not.toMatch(/fatal|Opening|Ctrl-C Quit/u)
  expect(output.screen()).toMatch(/^now #1/u)
})

test('a line that the terminal finds longer than the screen does not move the rows', async () => {
  const { input, output, until, seen, open } = await anOpening()
  open()
  await seen(': commands')
  input.push(':')
  await seen('Run an action')
  // Four emoji for this terminal, and one for a newer one.
  input.push('👨‍👩‍👧‍👦')
  await seen('👦')
  // A complete frame.
  input.push('\x0c')
  await until(() => /1049l.*1049h.*👦.*Esc/su.test(output.written))
  await seen('👦')
  const rows = output.screen().split('\n')
  expect(rows[0]).toMatch(/^now #1/u)
  expect(rows).toHaveLength(30)
})
