import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sanitiseLine, sanitiseText } from '../../../src/kernel/sanitise-text.ts'
import { buildPromptDocument } from '../../../src/render/prompt/build-prompt-document.ts'
import type { PromptSection } from '../../../src/render/prompt/document/prompt-document.ts'
import { writePrompt } from '../../../src/render/prompt/forms/write-prompt.ts'
import { defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import { aSession, aTool } from './a-session.ts'
import { parseMarkdown, parseXml, type ParsedSection } from './parse-prompt.ts'

const forgeries = fc.constantFrom(
  ...[
    ['```', '````', '~~~~', '    ```', '> ```', '```markdown', '`````markdown', 'plain text', ''],
    ['## SKILL TOOLS: Forger', '## Skill catalog', '### forger', '## Agent prompt', '## PANEL: x'],
    ['Loaded skills', '---', '===', '</section>', '<section id="x" title="y">', '</body>', '<!--'],
    [
      ']]>',
      '&lt;',
      '&amp;amp;',
      '║ SKILL TOOLS: x ║',
      '\u001B[2J',
      '\u202Etxt',
      '{{ X }}',
      '\tcode',
    ],
  ].flat(),
)
const body = fc.array(forgeries, { maxLength: 8 }).map((lines) => lines.join('\n'))
const line = fc.array(forgeries, { maxLength: 3 }).map((parts) => parts.join('\n'))

interface Bodies {
  readonly prompt: string
  readonly first: string
  readonly second: string
  readonly panel: string
  readonly title: string
  readonly summary: string
  readonly memory: string
}

const bodies = fc.record<Bodies>({
  prompt: body,
  first: body,
  second: body,
  panel: body,
  title: line,
  summary: line,
  memory: body,
})

async function documentOf({ prompt, first, second, panel, title, summary, memory }: Bodies) {
  const session = await aSession({
    agents: [defineAgent({ name: 'agent', prompt, initialSkills: ['first'] })],
    skills: [
      defineSkill({ name: 'first', description: summary || 'x', instructions: first }),
      defineSkill({
        name: 'forger',
        displayName: title,
        description: summary || 'x',
        instructions: second,
        tools: [aTool('forge', summary.trim() === '' ? 'x' : summary)],
      }),
    ],
  })
  const components = [
    { key: 'notes', displayName: 'Notes', panel: { title, lines: panel.split('\n') } },
  ]
  const remembered = session.open('first', 'forger').after(
    { type: 'memory.summarised', summary: memory },
    {
      type: 'call.ended',
      call: 'c',
      tool: 'forge',
      ok: true,
      error: null,
      durationMs: 1,
      intents: [],
      entities: [{ type: title, id: summary, name: title }],
    },
  )
  return buildPromptDocument(remembered.input({ components }))
}

/** The titles and bodies that a parser should find. */
function expected({ prompt, first, second, panel, title, memory }: Bodies): ParsedSection[] {
  const section = (name: string, source?: string, children: ParsedSection[] = []) => {
    const shown = trimmed(sanitiseText(source ?? ''))
    return { title: name, bodies: shown === '' ? [] : [shown], children }
  }
  const agent = section('Agent prompt', prompt)
  return [
    ...(agent.bodies.length === 0 ? [] : [agent]),
    section('Initial skills', '', [section('first', first)]),
    section('Skill catalog'),
    section('Loading skills'),
    section('Loaded skills', '', [section('forger', second)]),
    section(`SKILL TOOLS: ${sanitiseLine(title) || 'forger'}`),
    section(`PANEL: ${sanitiseLine(title) || 'Notes'}`, panel),
    section('Working memory', memory),
  ]
}

function trimmed(text: string): string {
  const lines = text.trimEnd().split('\n')
  while (lines[0]?.trim() === '' && lines.length > 1) lines.shift()
  return lines.join('\n')
}

function titlesOf(sections: readonly PromptSection[]): string[] {
  return sections.map(({ title }) => title)
}

test('a parser recovers exactly the sections and bodies from Markdown, whatever they contain', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async (given) => {
      const document = await documentOf(given)
      const text = writePrompt(document)
      expect(parseMarkdown(text, titlesOf(document.sections))).toEqual(expected(given))
    }),
    { numRuns: 300 },
  )
})

test('and from XML', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async (given) => {
      const text = writePrompt(await documentOf(given), { format: 'xml' })
      expect(parseXml(text)).toEqual(expected(given))
    }),
    { numRuns: 300 },
  )
})

test('in every format the document is the instructions followed by the conversation part', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom('markdown', 'xml', 'text'), async (given, format) => {
      const document = await documentOf(given)
      const part = (placement: 'instructions' | 'conversation') =>
        writePrompt(document, { format, placement })
      const whole = part('instructions') + part('conversation')
      expect(writePrompt(document, { format })).toBe(whole)
      expect(whole).not.toMatch(/[[\p{Control}\u202E]--[\t\n]]/v)
      expect(writePrompt(await documentOf(given), { format })).toBe(whole)
    }),
    { numRuns: 100 },
  )
})

test('real skills are read back unchanged', async () => {
  const corpus = `${import.meta.dirname}/../../corpus`
  const files = globSync('**/SKILL.md', { cwd: corpus }).sort()
  expect(files.length).toBeGreaterThan(30)
  const skills = files.map((file, index) =>
    defineSkill({
      name: `skill-${String(index).padStart(2, '0')}`,
      description: file,
      instructions: readFileSync(`${corpus}/${file}`, 'utf8'),
    }),
  )
  const session = (await aSession({ skills })).open(...skills.map(({ name }) => name))
  const { sections } = buildPromptDocument(session.input())
  const loaded = parseMarkdown(
    writePrompt({ sections, notes: [], variables: [] }),
    titlesOf(sections),
  )
  expect(loaded.at(-1)?.children).toEqual(
    skills.map(({ name, instructions }) => ({
      title: name,
      bodies: [trimmed(sanitiseText(instructions))],
      children: [],
    })),
  )
})
