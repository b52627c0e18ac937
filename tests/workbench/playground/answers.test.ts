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

/** Names of tools and skills, also as owner/name, by display name, and those that are not there. */
const NAMES = [
  'data-analysis',
  'repo-explorer',
  'mailer',
  'pdf',
  'query_table',
  'data-analysis/query_table',
  'open_table',
  'loadSkill',
  'read_file',
  'send_mail',
  'mcp-builder',
  'linear',
  'neon-postgres',
  'Data analysis',
  'qery_table',
  'data_analysis',
  'nonsense',
  'tool',
  'Ünknown',
  'skill:data-analysis/open_table',
]

const SENTENCES = [
  'average of a column',
  'which region sold most',
  'find where a function is defined',
  'open a csv file as a table',
  'fix the failing checks of my pull request',
  'create an issue for this bug',
  'summarise the meeting of yesterday',
  'write a server for the model context protocol',
  'give the customer his money back',
  'zzqx vvkw',
  'run one query over sales.csv',
  'branch of a database',
]

const cwd = mkdtempSync(join(tmpdir(), 'loadout-answers-'))
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
  const { workspace, counter } = session
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

describe('after W, the screen has the lines of the command', () => {
  test.each(NAMES)('why "%s"', async (name) => {
    const { stdout } = await runCommand(['why', name, WORKBENCH, '--trust'], { cwd })
    expect(stdout).not.toBe('')
    expect((await ask(name)).startsWith(stdout)).toBe(true)
  })

  test.each(SENTENCES)('search "%s"', async (sentence) => {
    const words = ['search', sentence, WORKBENCH, '--trust', '--limit', '10']
    const { stdout, stderr } = await runCommand(words, { cwd })
    const printed = stdout || stderr.replace(/^[\s\S]*loadout: nothing/, 'nothing')
    expect((await ask(sentence)).startsWith(printed)).toBe(true)
  })
})
