import fc from 'fast-check'
import type { VirtualWorkspace } from 'loadout'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { handleStrokes } from '../../../src/workbench/playground/keys/handle-strokes.ts'
import { createUiStore } from '../../../src/workbench/playground/context/ui-state.ts'
import { createContext } from '../../../src/workbench/playground/session/create-context.ts'
import { NO_TERMINAL } from '../../../src/workbench/playground/terminal/terminal-control.ts'
import { openSession } from '../../../src/workbench/cli/opening/open-session.ts'
import { printReport } from '../../../src/workbench/report/writers/print-report.ts'
import { runCommand } from '../cli/run-command.ts'
import { WORKBENCH } from '../cli/workbench.ts'
import { TABLE } from './a-playground.ts'

/** Names by display name, with an owner, and some that nothing has. */
const NAMES = [
  'Data analysis',
  'data-analysis/query_table',
  'skill:data-analysis/open_table',
  'Ünknown',
]

const cwd = mkdtempSync(join(tmpdir(), 'loadout-answers-'))
let workspace: VirtualWorkspace
let ask: (text: string) => Promise<string>

beforeAll(async () => {
  const written = { write: () => true }
  const session = await openSession([WORKBENCH], { trust: true }, {
    stdout: written,
    stderr: written,
    env: {},
    cwd,
    home: null,
    trustFile: `${cwd}/node_modules/trust.json`,
    isTerminal: false,
    columns: 80,
    colour: false,
  } as unknown as Parameters<typeof openSession>[2])
  const { counter } = session
  workspace = session.workspace
  const ui = createUiStore('skills')
  const { context, close } = await createContext({
    workspace,
    counter,
    ui,
    live: true,
    folders: session,
    accept: async () => {},
    terminal: NO_TERMINAL,
  })
  ask = async (typed) => {
    await handleStrokes(['W', 'ctrl+u', ...typed], context, TABLE)
    context.answers.about(typed)
    await context.answers.reading()
    let text = ''
    const stdout = { write: (more: string) => (text += more) }
    const { report = [] } = context.answers.about(typed) ?? {}
    printReport(report, { stdout, isTerminal: false, columns: 0, colour: false })
    ui.setState({ dialog: null })
    return text
  }
  return async () => {
    close()
    await workspace.close()
  }
})

/** Returns what `loadout why` prints, and as much of the screen. */
async function why(name: string) {
  const { stdout } = await runCommand(['why', name, WORKBENCH, '--trust'], { cwd })
  return { printed: stdout, shown: (await ask(name)).slice(0, stdout.length) }
}

/** Returns what `loadout search` prints, and as much of the screen. */
async function search(sentence: string) {
  const words = ['search', sentence, WORKBENCH, '--trust', '--limit', '10']
  const { stdout, stderr } = await runCommand(words, { cwd })
  const printed = stdout || stderr.replace(/^.*loadout: nothing/s, 'nothing')
  return { printed, shown: (await ask(sentence)).slice(0, printed.length) }
}

describe('after W, the screen has the lines of the command', () => {
  test.each(NAMES)('why "%s"', async (name) => {
    const { printed, shown } = await why(name)
    expect(printed).not.toBe('')
    expect(shown).toBe(printed)
  })

  test('search for what nothing fits', async () => {
    const { printed, shown } = await search('zzqx vvkw')
    expect(printed).toContain('nothing matches "zzqx vvkw"')
    expect(shown).toBe(printed)
  })

  test('for 25 random names, some with a letter too few', async () => {
    const listed = [...workspace.tools(), ...workspace.skills()].map(({ name }) => name)
    const cut = fc.tuple(fc.constantFrom(...listed), fc.integer({ min: -20, max: 10 }))
    for (const [name, at] of fc.sample(cut, { numRuns: 25, seed: 39 })) {
      const { printed, shown } = await why(at < 0 ? name : name.slice(0, at) + name.slice(at + 1))
      expect(shown).toBe(printed)
    }
  })

  test('for 25 random sentences of the words that describe tools and skills', async () => {
    const texts = [...workspace.tools(), ...workspace.skills()].map(
      (one) => ('skill' in one ? one.skill : one.tool)?.description ?? '',
    )
    const words = texts.join(' ').match(/[a-z]{2,}/giv) ?? []
    const sentence = fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 6 })
    for (const some of fc.sample(sentence, { numRuns: 25, seed: 39 })) {
      const { printed, shown } = await search(some.join(' '))
      expect(shown).toBe(printed)
    }
  })
})
