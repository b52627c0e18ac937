import { expect, test } from 'vitest'
import { hasTerminals, runInTerminal } from '../workbench/playground/terminal/run-in-terminal.ts'
import { installed } from './installed.ts'

/** An application that shows the playground with a model that answers once. */
const APPLICATION = `
  import { render } from 'ink'
  import { createElement } from 'react'
  import { createCatalog, defineSkill, VirtualWorkspace } from 'loadout'
  import { Playground } from 'loadout/ink'
  import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
  const owls = defineSkill({ name: 'owls', description: 'Knows owls.', instructions: 'Owls.' })
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ skills: [owls] }) })
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const model = new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'text-start', id: '0' },
          { type: 'text-delta', id: '0', delta: 'Owls are quiet.' },
          { type: 'text-end', id: '0' },
          { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
        ],
      }),
    }),
  })
  const screen = render(createElement(Playground, { workspace, model }), { exitOnCtrlC: false })
  await screen.waitUntilExit()
  await workspace.close()
`

test.runIf(hasTerminals)(
  'Playground writes to a model with the packages alone that the page of components names',
  async () => {
    const { folder } = await installed(['ink', 'react', 'ai'], { 'application.mjs': APPLICATION })
    const { left, output, ended } = await runInTerminal(
      [process.execPath, 'application.mjs'],
      [
        { wait: 'on/off' },
        { type: '>' },
        { type: 'hello\r' },
        { wait: 'Owls are quiet.' },
        { wait: 'turn 1 ended' },
        { type: '\x1b' },
        { wait: 'press Enter to write' },
        { type: '\x03' },
      ],
      { cwd: folder, columns: 160 },
    )
    expect({ left, ended }).toEqual({ left: [], ended: { ended: 'exit', by: 0 } })
    expect(output).not.toMatch(/REFUSED|FAILED/)
  },
)
