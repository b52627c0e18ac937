import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth } from '../../../../src/kernel/display-width.ts'
import {
  renderSkillsSection,
  renderSkillToolsSection,
  renderToolSection,
} from '../../../../src/render/prompt/sections/render-tool-section.ts'

test('the tools of a skill are in a double-ruled box under a centred title', () => {
  const tools = [
    { name: 'my-tool-1', summary: 'Finds pages in the knowledge base.' },
    { name: 'my-tool-2', summary: 'Opens one page, and says which pages are near it by subject.' },
  ]
  expect(renderSkillToolsSection('My Skill', tools)).toMatchInlineSnapshot(`
    "╔══════════════════════════════════════════════════════════════════════════════╗
    ║                            SKILL TOOLS: My Skill                             ║
    ╠══════════════════════════════════════════════════════════════════════════════╣
    ║ my-tool-1: Finds pages in the knowledge base.                                ║
    ║ my-tool-2: Opens one page, and says which pages are near it by subject.      ║
    ╚══════════════════════════════════════════════════════════════════════════════╝
    "
  `)
})

test('wide letters, emoji and combining marks leave the right border straight', () => {
  const tools = [
    { name: '검색', summary: '지식 베이스에서 문서를 찾습니다.' },
    { name: 'cafe\u0301', summary: '👩🏽\u200D💻 e\u0301crit, 🇰🇷, 葛\u{E0100}' },
    { name: 'شراء', summary: 'می\u200Cخواهم' },
  ]
  expect(renderSkillToolsSection('도구함 🧰', tools, { width: 40 })).toMatchInlineSnapshot(`
    "╔══════════════════════════════════════╗
    ║        SKILL TOOLS: 도구함 🧰        ║
    ╠══════════════════════════════════════╣
    ║ 검색: 지식 베이스에서 문서를         ║
    ║   찾습니다.                          ║
    ║ café: 👩🏽‍💻 écrit, 🇰🇷, 葛󠄀               ║
    ║ شراء: می‌خواهم                        ║
    ╚══════════════════════════════════════╝
    "
  `)
})

test('without tools or skills there is no box', () => {
  expect(renderSkillToolsSection('My Skill', [])).toBeNull()
  expect(renderToolSection([])).toBeNull()
  expect(renderSkillsSection([])).toBeNull()
})

test('other sections are in a light box, and the active skill is marked', () => {
  const skills = [
    { name: 'pdf', displayName: 'PDF Tools', description: 'Read PDF files.', active: true },
    { name: 'my-skill', displayName: 'My Skill', description: 'More.\nLines.', active: false },
  ]
  expect(renderSkillsSection(skills, { width: 40 })).toMatchInlineSnapshot(`
    "┌─ Skills ─────────────────────────────┐
    │ pdf (PDF Tools, active): Read PDF    │
    │   files.                             │
    │ my-skill: More. Lines.               │
    └──────────────────────────────────────┘
    "
  `)
})

test('the same section can be written in Markdown', () => {
  expect(
    renderSkillToolsSection('My Skill', [{ name: 'a', summary: 'Does a.' }], {
      format: 'markdown',
    }),
  ).toBe('## SKILL TOOLS: My Skill\n\n- `a`: Does a.\n\n')
})

const letters = [
  'a',
  'word',
  ' ',
  '\n',
  '\t',
  '도',
  'e\u0301',
  '👩🏽\u200D💻',
  '🇰🇷',
  'ﾊ',
  '\u001B[31m',
]
const letter = fc.constantFrom(...letters, '║')
const text = fc.array(letter, { maxLength: 40 }).map((some) => some.join(''))

test('whatever the text, every line of a box is as wide as the box', () => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.integer({ min: 1, max: 100 }),
      (title, name, summary, width) => {
        const tools = [{ name, summary }]
        const box = `${renderSkillToolsSection(title, tools, { width })}${renderToolSection(tools, { width })}`
        const widths = new Set(box.trimEnd().split('\n').map(displayWidth))
        expect([...widths]).toEqual([Math.max(width, 24)])
      },
    ),
    { numRuns: 500 },
  )
})
