import { defineTool, type SkillDefinition } from 'loadout'
import fc from 'fast-check'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { note } from '../../../../src/workbench/playground/context/ui-state.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { DEFAULT_THEME } from '../../../../src/render/ink/parts/theme.ts'
import { aPlayground, TABLE } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'
import { foreignBytes } from './foreign-bytes.ts'

/** A clipboard write, a title, a clear screen by C1 and by C0, a device request, bidi tricks. */
const TRICKS = [
  '\x1b]52;c;cm0=\x07',
  '\x1b]0;title\x1b\\',
  '\x9b2J',
  '\x1b[2J\x1b[H',
  '\x1b[6n',
  '\x1bP+q\x1b\\',
  '\u202edesrever\u202c',
  '\u2066\u2069',
  '\u200b',
  '\u2028',
  '\b\b\b',
  '\r',
  '\x07',
  '\x00',
  '\x85',
]

/** Our own, when it is not we who write it. */
const LEAVE = '\x1b[?1049l'

/** Makes a text a file name: without path separators and null characters. */
function fileName(text: string): string {
  return text.replaceAll('/', '').replaceAll('\\', '').replaceAll('\0', '').replaceAll(':', '')
}

/** Everything an author writes, and everything a tool answers, with a text in it. */
function hostileSkills(text: string): SkillDefinition[] {
  const tool = defineTool({
    name: 'echo',
    description: `Tool ${text} end.`,
    documentation: `# Doc ${text}\n\nmore ${text}`,
    inputSchema: {
      type: 'object',
      properties: { [`key${text}`]: { type: 'string', description: `Field ${text}` } },
    },
    execute: () => ({ [`said${text}`]: [text, `a\n${text}`] }),
  })
  return [
    {
      name: 'evil',
      displayName: `Name ${text}`,
      description: `Does ${text} things.`,
      tags: [`tag${text}`],
      instructions: `Body ${text}\n${text} more`,
      files: [{ path: `notes ${fileName(text)}.md`, description: `File ${text}`, text }],
      tools: [tool],
    },
    { name: 'other', description: `Other ${text}`, conflicts: ['evil'] },
  ]
}

/** Through every pane with what it opens: details, palette, filter, help, a call and its answer. */
const WALK = [
  ' ',
  '\r',
  '\x1b',
  'j \x1b',
  '2/echo\r',
  '\r',
  'jjj\x1b',
  'c',
  '\r',
  '\x1b',
  '\x1b',
  '3jjjz',
  'm',
  '4kk\r',
  '\x1b',
  'dkd\r',
  '\x1b',
  '5jj',
  ':evil',
  '\x1b',
  '?',
  '\x1b',
  '1/evil',
  '\x1b',
]

async function walk(text: string): Promise<string> {
  const { context } = await aPlayground(hostileSkills(text))
  const screen = createElement(Screen, { context, table: TABLE, theme: DEFAULT_THEME })
  const { press, waitFor, output, unmount } = await realScreen(screen, 160, 45)
  context.ui.setState({ banner: note('refused', `Changes on disk were not applied: ${text}`) })
  await waitFor('were not applied')
  for (const [skill, said] of [
    ['evil', `Not read: ${text}`],
    [`other ${text}`, 'Gone.'],
  ] as const) {
    context.ui.setState({ banner: null, changes: [{ skill, what: 'broken', text: said }] })
    await waitFor(`ON DISK ${skill.slice(0, 4)}`)
  }
  for (const [at, keys] of WALK.entries()) {
    await press(keys)
    // The answer of a call comes when it comes.
    if (WALK[at - 1] === 'c') await waitFor('said')
  }
  await press(`/\x1b[200~pasted ${text}\x1b[201~`)
  await unmount()
  return output.written
}

test('every trick in names, texts, keys and results is written as visible text', async () => {
  const written = await walk([...TRICKS, LEAVE].join(' '))
  expect(foreignBytes(written)).toEqual([])
  // Once, by the screen itself when it closes.
  expect(written.split(LEAVE)).toHaveLength(2)
  for (const seen of ['said', 'Field', '"key', 'Doc', 'notes ', 'Not read', 'were not applied'])
    expect(written).toContain(seen)
  expect(written).toContain('<U+001B>')
  expect(written).toContain('<U+202E>')
})

test('whatever is in them, no foreign control byte is written', async () => {
  const part = fc.oneof(fc.constantFrom(...TRICKS), fc.string({ unit: 'binary', maxLength: 8 }))
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
      expect(foreignBytes(await walk(parts.join('')))).toEqual([])
    }),
    { numRuns: 3 },
  )
})

test.each(TRICKS)('%j would be seen', (trick) => {
  expect(foreignBytes(`\x1b[1mbold\x1b[22m\n${trick}`)).not.toEqual([])
})
