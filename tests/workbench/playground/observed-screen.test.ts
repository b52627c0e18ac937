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
