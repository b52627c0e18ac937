import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { hasTerminals, runInTerminal, type TerminalStep } from './run-in-terminal.ts'

const WORKBENCH = resolve('examples/workbench')

/** Runs the built command in a terminal until the steps are reached. */
async function inTerminal(words: readonly string[], steps: readonly TerminalStep[]) {
  const command = [process.execPath, resolve('bin/loadout.js'), ...words]
  const size = { columns: 120, rows: 34 }
  return runInTerminal(command, steps, { cwd: await temporaryFolder(), ...size })
}

test.runIf(hasTerminals)(
  'a stranger types a question: the skill that fits is loaded, with the reason and the way to a model',
  async () => {
    const { left, ended } = await inTerminal(
      [WORKBENCH, '--trust', '--agent', 'assistant'],
      [
        { wait: 'on/off' },
        { type: '>which region sold most?' },
        { wait: 'sold most?' },
        { type: '\r' },
        { wait: '+ skill data-analysis' },
        { wait: 'query_table of the skill' },
        { wait: 'No model answers here.' },
        { wait: 'turn 1 ended' },
        { type: '\x1b' },
        { wait: 'press Enter to write to the model' },
        { type: '1q' },
      ],
    )
    expect(left).toEqual([])
    expect(ended).toEqual({ ended: 'exit', by: 0 })
  },
)

test.runIf(hasTerminals)(
  'a scenario is played in the playground: Enter makes its next move, and a person answers its question',
  async () => {
    const file = resolve(WORKBENCH, 'scenarios/from-question-to-lifetime.scenario.yaml')
    const { left, ended } = await inTerminal(
      ['play', '--scenario', file, '--trust'],
      [
        { wait: 'on/off' },
        { type: '>' },
        { wait: 'Enter makes the next move of the scenario.' },
        { type: '\r' },
        { wait: 'East sells most.' },
        { wait: 'turn 1 ended' },
        { type: '\r' },
        { wait: 'Move 2 of 4.' },
        { wait: 'turn 2 ended' },
        { type: '\r' },
        { wait: '? remove_note' },
        { type: '\t' },
        { wait: 'Approve' },
        { type: 'y' },
        { wait: 'It is gone.' },
        { wait: 'turn 3 ended' },
        { type: '\x1b' },
        { wait: 'press Enter to write to the model' },
        { type: '1q' },
      ],
    )
    expect(left).toEqual([])
    expect(ended).toEqual({ ended: 'exit', by: 0 })
  },
)
