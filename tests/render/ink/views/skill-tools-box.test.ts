import fc from 'fast-check'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { renderSkillToolsSection } from '../../../../src/render/prompt/sections/render-tool-section.ts'
import { SkillToolsBox } from '../../../../src/render/ink/views/skill-tools-box.tsx'
import { drawn } from '../drawn.ts'
import { HOSTILE_TEXTS } from '../hostile-texts.ts'

const TOOLS = [
  { name: 'query_table', summary: 'Ask a table, and say what the answer rests on.' },
  { name: '검색', summary: 'Finds ═══ pages 🧰.' },
]

test('the title is centred in a double border', () => {
  const box = createElement(SkillToolsBox, { displayName: 'Data', tools: TOOLS, width: 40 })
  expect(drawn(box, 60)).toMatchInlineSnapshot(`
    "╔══════════════════════════════════════╗
    ║          SKILL TOOLS: Data           ║
    ╠══════════════════════════════════════╣
    ║ query_table: Ask a table, and say    ║
    ║   what the answer rests on.          ║
    ║ 검색: Finds ═══ pages 🧰.            ║
    ╚══════════════════════════════════════╝"
  `)
})

test('in ASCII only the border differs', () => {
  const theme = { ascii: true, colour: false }
  const props = { displayName: 'Data', tools: TOOLS, width: 40, theme }
  expect(drawn(createElement(SkillToolsBox, props), 60)).toMatchInlineSnapshot(`
    "+======================================+
    |          SKILL TOOLS: Data           |
    +======================================+
    | query_table: Ask a table, and say    |
    |   what the answer rests on.          |
    | 검색: Finds ═══ pages 🧰.            |
    +======================================+"
  `)
})

test('when the height is not enough, the tools are scrolled, not the title', () => {
  const tools = Array.from({ length: 30 }, (_, index) => ({ name: `tool-${index}`, summary: '' }))
  const props = { displayName: 'Data', tools, width: 30, height: 9, scroll: 4 }
  expect(drawn(createElement(SkillToolsBox, props), 60)).toMatchInlineSnapshot(`
    "╔════════════════════════════╗
    ║     SKILL TOOLS: Data      ║
    ╠════════════════════════════╣
    ║ ▲ 5 more                   ║
    ║ tool-5                     ║
    ║ tool-6                     ║
    ║ tool-7                     ║
    ║ ▼ 22 more                  ║
    ╚════════════════════════════╝"
  `)
})

test('a skill without tools has no box', () => {
  expect(drawn(createElement(SkillToolsBox, { displayName: 'X', tools: [], width: 40 }), 60)).toBe(
    '',
  )
})

test('it is line for line the text of renderSkillToolsSection', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom(...HOSTILE_TEXTS, '도구 🧰 e\u0301'))
  const tools = fc.array(fc.record({ name: text, summary: text }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(text, tools, fc.integer({ min: 10, max: 90 }), (displayName, tools, width) => {
      const box = createElement(SkillToolsBox, { displayName, tools, width })
      expect(drawn(box, 100)).toBe(
        renderSkillToolsSection(displayName, tools, { width })?.trimEnd(),
      )
    }),
    { numRuns: 50 },
  )
})
