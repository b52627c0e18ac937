import { expect, test } from 'vitest'
import { buildPromptDocument } from '../../../../src/render/prompt/build-prompt-document.ts'
import { promptLedger } from '../../../../src/render/prompt/ledger/prompt-ledger.ts'
import type { PromptOptions } from '../../../../src/render/prompt/document/prompt-input.ts'
import { writePrompt, writeSection } from '../../../../src/render/prompt/forms/write-prompt.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'
import { aSession, wordCounter } from '../a-session.ts'

const skills = ['alpha', 'beta', 'gamma'].map((name) =>
  defineSkill({
    name,
    description: `Works on ${name}. And then it goes on at some length about it.`,
    triggers: [`do ${name}`],
  }),
)

async function catalogWithin(options: Partial<PromptOptions>) {
  const session = await aSession({ skills })
  const document = buildPromptDocument(session.input({ options }))
  const section = document.sections.find(({ id }) => id === 'skill-catalog')
  if (section === undefined) throw new Error('There is no catalog.')
  return { text: writeSection(section), notes: promptLedger(document, wordCounter).notes }
}

test('within the budget every skill is listed in full', async () => {
  const { text, notes } = await catalogWithin({ catalogBudget: 100 })
  expect(notes).toEqual([])
  expect(text).toContain(
    '- `alpha`: Works on alpha. And then it goes on at some length about it.\n  - triggers: do alpha',
  )
})

test('over the budget each description is shortened to its share, and the section says so', async () => {
  const { text, notes } = await catalogWithin({ catalogBudget: 52 })
  expect(text).toMatchInlineSnapshot(`
    "## Skill catalog

    Skills that can be loaded, by id, with shortened descriptions.

    - \`alpha\`: Works on alpha. And then it goes…
      - triggers: do alpha
    - \`beta\`: Works on beta. And then it goes…
      - triggers: do beta
    - \`gamma\`: Works on gamma. And then it goes…
      - triggers: do gamma

    "
  `)
  expect(notes).toMatchInlineSnapshot(`
    [
      {
        "code": "catalog-shortened",
        "message": "3 skills do not fit 52 tokens: each description is shortened to its share. Raise "catalogBudget", in loadout.config or as an option of the workspace.",
        "section": "skill-catalog",
      },
    ]
  `)
})

test('then only the first skills have descriptions', async () => {
  const { text, notes } = await catalogWithin({ catalogBudget: 38 })
  expect(text).toMatchInlineSnapshot(`
    "## Skill catalog

    Skills that can be loaded, by id; only the first have descriptions, which are shortened.

    - \`alpha\`: Works on alpha.
      - triggers: do alpha
    - \`beta\`: Works on beta.
      - triggers: do beta
    - \`gamma\`

    "
  `)
  expect(notes).toMatchInlineSnapshot(`
    [
      {
        "code": "catalog-shortened-in-part",
        "message": "3 skills do not fit 38 tokens: the first have shortened descriptions, and the others only their ids. Raise "catalogBudget", in loadout.config or as an option of the workspace.",
        "section": "skill-catalog",
      },
    ]
  `)
})

test('then only the ids are left', async () => {
  const { text, notes } = await catalogWithin({ catalogBudget: 26 })
  expect(text).toMatchInlineSnapshot(`
    "## Skill catalog

    Skills that can be loaded, by id; there are too many to describe them here.

    - \`alpha\`
    - \`beta\`
    - \`gamma\`

    "
  `)
  expect(notes.map(({ code }) => code)).toEqual(['catalog-names-only'])
})

test.each([
  [['loadSkill'], 'Ask for one by what it is called; the answer names the nearest ids.'],
  [['loadSkill', 'listAvailableSkills'], 'Call `listAvailableSkills` to see them.'],
])('then skills are counted, and with %j it says how to find them', async (metaTools, how) => {
  const { text, notes } = await catalogWithin({ catalogBudget: 0, metaTools })
  expect(text).toBe(`## Skill catalog\n\n3 skills can be loaded, too many to list here. ${how}\n\n`)
  expect(notes).toEqual([
    {
      code: 'catalog-not-listed',
      section: 'skill-catalog',
      message:
        '3 skills do not fit 0 tokens: they are counted and not listed. Raise "catalogBudget", in loadout.config or as an option of the workspace.',
    },
  ])
})

test('with a search it takes over as soon as the shares are too small, and says so', async () => {
  const metaTools = ['tool_search', 'loadSkill', 'listAvailableSkills']
  const short = await catalogWithin({ catalogBudget: 57, metaTools })
  expect(short.text).toContain('`tool_search` knows them in full.')
  expect(short.text).toContain('- `alpha`: Works on alpha. And then it goes…\n')
  const { text, notes } = await catalogWithin({ catalogBudget: 26, metaTools })
  expect(text).toMatchInlineSnapshot(`
    "## Skill catalog

    3 skills can be loaded, too many to list here. Say to \`tool_search\` what is to be done: it finds skills and their tools.

    "
  `)
  expect(notes).toMatchInlineSnapshot(`
    [
      {
        "code": "catalog-not-listed",
        "message": "3 skills do not fit 26 tokens: they are counted and not listed; tool_search finds them. Raise "catalogBudget", in loadout.config or as an option of the workspace.",
        "section": "skill-catalog",
      },
    ]
  `)
})

test('ten thousand skills cost the budget once to try, and nothing after that', async () => {
  const huge = Array.from({ length: 10_000 }, (_, index) =>
    defineSkill({ name: `skill-${index}`, description: `Number ${index}. And more of it.` }),
  )
  const session = await aSession({ skills: huge })
  let counted = 0
  const counter = {
    name: 'words',
    count: (text: string) => {
      counted += text.length
      return wordCounter.count(text)
    },
  }
  const metaTools = ['tool_search', 'loadSkill']
  const input = { counter, options: { metaTools } }
  const told = (at: typeof session) =>
    writePrompt(buildPromptDocument(at.input(input)), { placement: 'instructions' })
  const text = told(session)
  expect(text).toContain('10000 skills can be loaded, too many to list here.')
  expect(text.length).toBeLessThan(1500)
  // Two forms are tried, each until it is over: a word of these texts has ten letters at most.
  expect(counted).toBeLessThan(2 * 10 * 4000)
  counted = 0
  expect(told(session.open('skill-7'))).toBe(text)
  expect(counted).toBe(0)
})

test('a listed catalog never takes more than its budget', async () => {
  for (let catalogBudget = 0; catalogBudget < 80; catalogBudget += 1) {
    const { text, notes } = await catalogWithin({ catalogBudget })
    const listed = notes[0]?.code !== 'catalog-not-listed'
    expect(!listed || wordCounter.count(text) <= catalogBudget).toBe(true)
  }
})

test('of a huge catalog only as much is counted as the budget holds, and only once', async () => {
  const huge = Array.from({ length: 2000 }, (_, index) =>
    defineSkill({ name: `skill-${index}`, description: `Number ${index}.` }),
  )
  const session = await aSession({ skills: huge })
  let calls = 0
  const counter = {
    name: 'words',
    count: (text: string) => {
      calls += 1
      return wordCounter.count(text)
    },
  }
  buildPromptDocument(session.input({ counter, options: { catalogBudget: 100 } }))
  expect(calls).toBeLessThan(300)
  calls = 0
  buildPromptDocument(session.open('skill-7').input({ counter, options: { catalogBudget: 100 } }))
  expect(calls).toBe(0)
})

test('a long hint is left to the skill itself', async () => {
  const long = defineSkill({ name: 'long', description: 'x', whenToUse: 'y'.repeat(161) })
  const session = await aSession({ skills: [long] })
  const [section] = buildPromptDocument(session.input()).sections
  expect(section?.blocks.at(-1)).toMatchObject({ items: [{ name: 'long', facts: [] }] })
})
