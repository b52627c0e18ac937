import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildPromptDocument } from '../../../src/render/prompt/build-prompt-document.ts'
import type { TokenCounter } from '../../../src/kernel/token-counter.ts'
import { promptLedger } from '../../../src/render/prompt/ledger/prompt-ledger.ts'
import {
  definitionTokens,
  sectionTokens,
  skillTokens,
} from '../../../src/render/prompt/ledger/section-tokens.ts'
import { writePrompt, writeSection } from '../../../src/render/prompt/forms/write-prompt.ts'
import { defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import { aSession, aTool, wordCounter } from './a-session.ts'

const skills = ['alpha', 'beta', 'gamma'].map((name) =>
  defineSkill({
    name,
    description: `All about ${name}.`,
    workDirection: `Work on ${name} with care.`,
    tools: [aTool(`${name}-tool`)],
  }),
)
const given = {
  skills,
  agents: [defineAgent({ name: 'agent', prompt: 'Be helpful.', initialSkills: ['gamma'] })],
  tools: [aTool('clock', 'Tells the time.')],
}
const notes = { key: 'notes', displayName: 'Notes', panel: { title: 'Notes', lines: ['milk'] } }

test('it prices sections, sources, skills and tools', async () => {
  const session = (await aSession(given)).open('gamma', 'alpha')
  const document = buildPromptDocument(session.input({ components: [notes] }))
  const { sections, ...rest } = promptLedger(document, wordCounter)
  expect(Object.fromEntries(sections.map(({ id, tokens }) => [id, tokens]))).toMatchInlineSnapshot(`
    {
      "active-skills": 20,
      "agent-prompt": 2,
      "available-tools": 8,
      "initial-skills": 19,
      "loading": 52,
      "panel/notes": 6,
      "skill-catalog": 20,
      "skill-tools/alpha": 8,
      "skill-tools/gamma": 8,
    }
  `)
  expect(rest).toMatchInlineSnapshot(`
    {
      "notes": [],
      "skills": [
        {
          "skill": "gamma",
          "tokens": 17,
        },
        {
          "skill": "alpha",
          "tokens": 17,
        },
      ],
      "sources": {
        "agent": 2,
        "component": 6,
        "global": 5,
        "loadout": 96,
        "skill": 34,
      },
      "tokenizer": "words",
      "tokens": 143,
      "tools": [
        {
          "definition": 2,
          "listed": 4,
          "name": "gamma-tool",
          "owner": "gamma",
          "source": "skill",
        },
        {
          "definition": 2,
          "listed": 4,
          "name": "alpha-tool",
          "owner": "alpha",
          "source": "skill",
        },
        {
          "definition": 3,
          "listed": 5,
          "name": "clock",
          "owner": "global",
          "source": "global",
        },
      ],
    }
  `)
})

test('sections add up to the whole, and so do sources, in every form', async () => {
  const names = fc.uniqueArray(fc.constantFrom('alpha', 'beta', 'gamma'))
  await fc.assert(
    fc.asyncProperty(names, fc.constantFrom('markdown', 'xml', 'text'), async (active, format) => {
      const session = (await aSession(given)).open(...active)
      const document = buildPromptDocument(session.input({ components: [notes] }))
      const ledger = promptLedger(document, wordCounter, format)
      const sum = (figures: readonly number[]) => figures.reduce((a, b) => a + b, 0)
      expect(ledger.tokens).toBe(sum(ledger.sections.map(({ tokens }) => tokens)))
      expect(ledger.tokens).toBe(sum(Object.values(ledger.sources)))
      expect(ledger.tokens).toBe(wordCounter.count(writePrompt(document, { format })))
    }),
    { numRuns: 50 },
  )
})

test('a second look, and a look after a change, count only what is new', async () => {
  const counted: string[] = []
  const counter: TokenCounter = {
    name: 'watched',
    count: (text) => {
      counted.push(text)
      return text.length
    },
  }
  const session = (await aSession(given)).open('gamma', 'alpha')
  const look = (at: typeof session) => {
    counted.length = 0
    return promptLedger(buildPromptDocument(at.input({ counter })), counter)
  }
  expect(look(session).tokens).toBeGreaterThan(0)
  look(session)
  expect(counted).toEqual([])
  look(session.open('beta'))
  expect(counted.filter((text) => text.includes('alpha'))).toEqual([])
  expect(counted.some((text) => text.includes('Work on beta'))).toBe(true)
})

test('a skill costs its text in the prompt, a tool what a request carries', async () => {
  const session = (await aSession(given)).open('gamma', 'alpha')
  const active = buildPromptDocument(session.input()).sections.find(
    ({ kind }) => kind === 'active-skills',
  )
  const [alpha] = skills
  const child = active?.children[0]
  if (active === undefined || child === undefined || alpha === undefined) throw new Error('None.')
  expect(skillTokens(alpha, wordCounter)).toBe(sectionTokens(child, wordCounter, 'markdown', 3))
  expect(sectionTokens(active, wordCounter)).toBe(wordCounter.count(writeSection(active)))
  const letters: TokenCounter = { name: 'letters', count: (text) => text.length }
  expect(definitionTokens(aTool('a', 'Does a.'), letters)).toBe(
    '{"description":"Does a.","inputSchema":{"additionalProperties":false,"properties":{},"type":"object"},"name":"a"}'
      .length,
  )
})
