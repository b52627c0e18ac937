import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCatalog } from '../../../../src/catalog/create/create-catalog.ts'
import type { ExposedTool } from '../../../../src/engine/model/workspace-event.ts'
import type { ContentHash } from '../../../../src/kernel/content-hash.ts'
import type { TokenCounter } from '../../../../src/kernel/token-counter.ts'
import { buildPromptDocument } from '../../../../src/render/prompt/build-prompt-document.ts'
import { writePrompt, writeSection } from '../../../../src/render/prompt/forms/write-prompt.ts'
import { promptLedger, removalPrice } from '../../../../src/render/prompt/ledger/prompt-ledger.ts'
import {
  definitionTokens,
  sectionTokens,
  skillTextTokens,
  skillTokens,
} from '../../../../src/render/prompt/ledger/section-tokens.ts'
import { defineAgent } from '../../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'
import { aSession, aTool, wordCounter } from '../a-session.ts'

describe('prompt ledger', () => {
  const skills = ['alpha', 'beta', 'gamma'].map((name) =>
    defineSkill({
      name,
      description: `All about ${name}.`,
      instructions: `Work on ${name} with care.`,
      tools: [aTool(`${name}-tool`)],
    }),
  )

  const given = {
    skills,
    agents: [defineAgent({ name: 'agent', prompt: 'Be helpful.', initialSkills: ['gamma'] })],
    tools: [aTool('clock', 'Tells the time.')],
  }

  const notes = { key: 'notes', displayName: 'Notes', panel: { title: 'Notes', lines: ['milk'] } }

  test('counts that are upper bounds are noted, of sections and of definitions', async () => {
    const skill = defineSkill({
      name: 'alpha',
      description: 'All about alpha.',
      instructions: 'a'.repeat(1_000),
      tools: [aTool('long-tool', 'b'.repeat(1_000))],
    })
    const session = (await aSession({ ...given, skills: [...skills.slice(1), skill] })).open(
      'alpha',
    )
    const document = buildPromptDocument(session.input({}))
    const isUpperBound = (text: string) => /[ab]{500}/.test(text)
    const { notes } = promptLedger(document, { ...wordCounter, isUpperBound })
    expect(notes.map(({ code, section }) => [code, section])).toContainEqual([
      'tokens-upper-bound',
      'active-skills',
    ])
    expect(notes.map(({ message }) => message)).toContain(
      'The tokens of tool "long-tool" are an upper bound: its text has a very long run without a break.',
    )
    expect(promptLedger(document, wordCounter).notes).toEqual([])
  })

  test('it prices sections, sources, skills and tools', async () => {
    const session = (await aSession(given)).open('gamma', 'alpha')
    const document = buildPromptDocument(session.input({ components: [notes] }))
    const { sections, ...rest } = promptLedger(document, wordCounter)
    expect(Object.fromEntries(sections.map(({ id, tokens }) => [id, tokens])))
      .toMatchInlineSnapshot(`
        {
          "active-skills": 20,
          "agent-prompt": 2,
          "available-tools": 8,
          "initial-skills": 19,
          "loading": 51,
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
          "loadout": 95,
          "server": 0,
          "skill": 34,
        },
        "tokenizer": "words",
        "tokens": 142,
        "tools": [
          {
            "definition": 5,
            "listed": 4,
            "name": "gamma-tool",
            "owner": "gamma",
            "source": "skill",
          },
          {
            "definition": 5,
            "listed": 4,
            "name": "alpha-tool",
            "owner": "alpha",
            "source": "skill",
          },
          {
            "definition": 6,
            "listed": 5,
            "name": "clock",
            "owner": "global",
            "source": "global",
          },
        ],
      }
    `)
  })

  test('sections add up to the total, and so do sources, in every format', async () => {
    const names = fc.uniqueArray(fc.constantFrom('alpha', 'beta', 'gamma'))
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.constantFrom('markdown', 'xml', 'text'),
        async (active, format) => {
          const session = (await aSession(given)).open(...active)
          const document = buildPromptDocument(session.input({ components: [notes] }))
          const ledger = promptLedger(document, wordCounter, format)
          const sum = (figures: readonly number[]) => figures.reduce((a, b) => a + b, 0)
          expect(ledger.tokens).toBe(sum(ledger.sections.map(({ tokens }) => tokens)))
          expect(ledger.tokens).toBe(sum(Object.values(ledger.sources)))
          expect(ledger.tokens).toBe(wordCounter.count(writePrompt(document, { format })))
        },
      ),
      { numRuns: 50 },
    )
  })

  test('a second read, and a read after a change, count only new text', async () => {
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

  test('a skill costs its text and its tools, a tool what a request carries', async () => {
    const session = (await aSession(given)).open('gamma', 'alpha')
    const active = buildPromptDocument(session.input()).sections.find(
      ({ kind }) => kind === 'active-skills',
    )
    const [alpha] = skills
    const child = active?.children[0]
    if (active === undefined || child === undefined || alpha === undefined) throw new Error('None.')
    const text = sectionTokens(child, wordCounter, 'markdown', 3)
    expect(skillTextTokens(alpha, wordCounter)).toBe(text)
    const catalog = await createCatalog({ skills })
    const [brought] = catalog.skillTools.get('alpha') ?? []
    expect(brought?.tool.name).toBe('alpha-tool')
    expect(skillTokens(alpha, catalog, wordCounter)).toBe(
      text + definitionTokens(aTool('alpha-tool'), wordCounter),
    )
    expect(sectionTokens(active, wordCounter)).toBe(wordCounter.count(writeSection(active)))
    const letters: TokenCounter = { name: 'letters', count: (text) => text.length }
    expect(definitionTokens(aTool('a', 'Does a.'), letters)).toBe(
      '{"description":"Does a, and no more.","inputSchema":{"additionalProperties":false,"properties":{},"type":"object"},"name":"a"}'
        .length,
    )
  })

  test('what a definition carries besides is counted', () => {
    const letters: TokenCounter = { name: 'letters', count: (text) => text.length }
    const plain = definitionTokens(aTool('a', 'Does a.'), letters)
    const of = (more: object) => definitionTokens({ ...aTool('a', 'Does a.'), ...more }, letters)
    const inputExamples = [{ input: { order: '7' } }]
    expect(of({ inputExamples })).toBe(
      plain + `,"inputExamples":${JSON.stringify(inputExamples)}`.length,
    )
    expect(of({ strict: true })).toBe(plain + ',"strict":true'.length)
  })
})

describe('removal price', () => {
  const LETTERS = { name: 'letters', count: (text: string) => text.length }

  const tools = ['one', 'two', 'three'].map((name) => aTool(name, `Does ${name}.`))

  const byHash = new Map<ContentHash, (typeof tools)[number]>(
    tools.map((tool) => [tool.hash, tool]),
  )

  const exposed: readonly ExposedTool[] = tools.map(({ name, hash }) => ({ name, hash }))

  const [one = 0, two = 0, three = 0] = tools.map((tool) => definitionTokens(tool, LETTERS))

  const tokensOfTool = ({ hash }: ExposedTool) => {
    const tool = byHash.get(hash)
    return tool === undefined ? 0 : definitionTokens(tool, LETTERS)
  }

  const priced = (names: readonly string[], sent: readonly ExposedTool[] | null, behind?: number) =>
    removalPrice(names, sent, tokensOfTool, behind)

  test.each<[readonly string[], number, number]>([
    [['one'], one, two + three + 1000],
    [['two'], two, three + 1000],
    [['three'], three, 1000],
    [['one', 'three'], one + three, two + 1000],
    [['unsent'], 0, 0],
    [[], 0, 0],
  ])('%j frees %d and loses %d', (names, tokensFreed, prefixLost) => {
    expect(priced(names, exposed, 1000)).toEqual({ tokensFreed, prefixLost })
  })

  test('tokens behind the tools are lost only when the provider reads them after the tools', () => {
    expect(priced(['three'], exposed)).toEqual({ tokensFreed: three, prefixLost: 0 })
  })

  test('before the first step nothing was sent, and nothing is lost', () => {
    expect(priced(['one'], null, 1000)).toEqual({ tokensFreed: 0, prefixLost: 0 })
  })

  test('a deferred tool is not part of the prefix', () => {
    const [first, second, last] = exposed
    if (!first || !second || !last) throw new Error('Three were made.')
    const sent = [first, { ...second, deferred: true as const }, last]
    expect(priced(['two'], sent, 1000)).toEqual({ tokensFreed: 0, prefixLost: 0 })
    expect(priced(['one'], sent, 1000)).toEqual({ tokensFreed: one, prefixLost: three + 1000 })
  })

  test('a definition that no longer exists counts as 0', () => {
    const sent = [{ name: 'gone', hash: 'sha256:gone' as ContentHash }, ...exposed]
    expect(priced(['gone'], sent)).toEqual({ tokensFreed: 0, prefixLost: one + two + three })
  })
})
