import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../cli/run-command.ts'

const STORED = join(import.meta.dirname, '../../connections/observed/transcripts')
const cwd = mkdtempSync(join(tmpdir(), 'loadout-observed-screen-'))

async function output(file: string, ...argv: readonly string[]): Promise<string> {
  const { stdout } = await runCommand([...argv, '--log', join(STORED, file)], { cwd, home: cwd })
  return stdout
}

/** Returns the lines of the tab Why, with the cursor on a row of a list. */
async function whyOnScreen(file: string, list: string, row: number): Promise<string> {
  const keys = [list, ...Array.from({ length: row }, () => 'j'), 'enter'].join(' ')
  const size = ['--columns', '500', '--rows', '60']
  return output(file, 'play', '--snapshot', 'text', ...size, '--keys', keys)
}

/** Finds the name in a list of the command, which is in the order of the screen. */
async function place(file: string, kind: 'skills' | 'tools', name: string): Promise<number> {
  const rows = JSON.parse(await output(file, kind, '--json')) as { name: string; owner?: string }[]
  return rows.findIndex((row) => row.name === name)
}

describe.each([
  ['scripted/claude-code/refused-skill.jsonl', 'tidy-notes', 'refused in claude-code: '],
  ['scripted/claude-code/load-one.jsonl', 'tidy-notes', 'loaded in claude-code: '],
  ['claude-code/two-turns.jsonl', 'dataviz', 'passed over in claude-code: '],
  ['scripted/claude-code/compacted.jsonl', 'tidy-notes', 'lost by compaction in claude-code: '],
])('in %s, the skill %s', (file, name, outcome) => {
  let why: string[] = []

  beforeAll(async () => {
    why = (await output(file, 'why', name)).trimEnd().split('\n')
  })

  test('has its outcome, the reason and the fix in the tab Why, in the words of the command', async () => {
    const screen = await whyOnScreen(file, '1', await place(file, 'skills', name))
    expect(why.some((line) => line.trim().startsWith(outcome))).toBe(true)
    for (const line of why) expect(screen).toContain(line)
  })

  test('has them in the page, at its last moment', async () => {
    const page = await output(file, 'play', '--snapshot', 'html')
    const escaped = why.map((line) => line.replaceAll('&', '&amp;').replaceAll('"', '&quot;'))
    expect(page).toContain(escaped.join('\n'))
  })
})

test('at an earlier moment, the tab Why has the outcome until then', async () => {
  const file = 'scripted/claude-code/refused-skill.jsonl'
  const keys = [
    '1',
    ...Array.from({ length: await place(file, 'skills', 'tidy-notes') }, () => 'j'),
  ]
  const screen = async (seq: string) =>
    output(
      file,
      'play',
      '--snapshot',
      'text',
      '--at',
      seq,
      '--columns',
      '300',
      '--keys',
      keys.join(' ') + ' enter',
    )
  expect(await screen('7')).toContain('refused in claude-code')
  expect(await screen('6')).not.toContain('refused in claude-code')
})

test('a tool has its outcome and the fix in the tab Why and in the page, in the words of the command', async () => {
  const file = 'scripted/claude-code/refused.jsonl'
  const why = (await output(file, 'why', 'Bash')).trimEnd().split('\n')
  expect(why.join('\n')).toContain('refused in claude-code: ')
  const size = ['--columns', '500', '--rows', '60']
  // The filter leaves the heading of its owner and the tool.
  const keys = '2 / B a s h enter g j enter'
  const screen = await output(file, 'play', '--snapshot', 'text', ...size, '--keys', keys)
  for (const line of why) expect(screen).toContain(line)
  const page = await output(file, 'play', '--snapshot', 'html')
  expect(page).toContain(why.join('\n').replaceAll('"', '&quot;'))
})

test('the tab Why has the place of a skill by search, for the words of the person at the moment shown', async () => {
  const file = 'claude-code/two-turns.jsonl'
  const screen = async (name: string, ...at: readonly string[]) => {
    const down = Array.from({ length: await place(file, 'skills', name) }, () => 'j')
    const keys = ['1', ...down, 'enter'].join(' ')
    const size = ['--columns', '500', '--rows', '60']
    return output(file, 'play', '--snapshot', 'text', ...size, '--keys', keys, ...at)
  }
  const used = ': by search, its description is at place 1 of 15 for these words'
  expect(await screen('stock-report')).toContain(`turn 2 ("Now report the stock of nuts.")${used}`)
  // The second turn begins with entry 16.
  const before = await screen('tidy-notes', '--at', '15')
  expect(before).toContain(`turn 1 ("Sort my notes.")${used}`)
  const after = await screen('tidy-notes', '--at', '16')
  expect(after).toContain('turn 2 ("Now report the stock of nuts."): its description has none')
})

const WIDE = ['--columns', '200', '--rows', '60']

test('the conversation of a transcript unfolds, with the figures of its provider and none that nobody knows', async () => {
  const file = 'claude-code/two-turns.jsonl'
  const keys = '5 g j j j j j space'
  const screen = await output(file, 'play', '--snapshot', 'text', ...WIDE, '--keys', keys)
  expect(screen).toContain('user: Sort my notes.')
  expect(screen).toContain('call Read {"file_path":"/project/notes.txt"}')
  expect(screen).toContain('result Read 1 2026-02-01 b 2 2026-01-01 a 3')
  expect(screen).toContain('model: Sorted: a, b.')
  expect(screen).toMatch(/step 2, request [\d,]+ tokens by its provider, 0 cached/u)
  expect(screen).not.toContain('paid again')
  expect(screen).not.toContain('OVER')
})

test('Enter on a call of a transcript leads to its arguments and its result', async () => {
  const file = 'claude-code/two-turns.jsonl'
  // The call of Read ends with entry 13.
  const calls = ['--at', '13', '--keys', '4 enter']
  const screen = await output(file, 'play', '--snapshot', 'text', ...WIDE, ...calls)
  expect(screen).toContain('Arguments')
  expect(screen).toContain('file_path: /project/notes.txt')
  expect(screen).toContain('2026-02-01 b')
})

test.each(['codex/two-turns.jsonl', 'opencode/two-turns.jsonl', 'pi/two-turns.jsonl'])(
  'the answers of the model in %s are rows',
  async (file) => {
    const shown = await output(
      file,
      'play',
      '--snapshot',
      'text',
      ...WIDE,
      '--keys',
      '5 / m o d e l :',
    )
    expect(shown).toContain('model: ')
  },
)
