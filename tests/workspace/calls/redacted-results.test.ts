import fc from 'fast-check'
import {
  createMemoryLog,
  createRedactor,
  type JsonValue,
  type ToolResponse,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { providerTool, type ProviderTools } from 'loadout/adapter'
import { expect, test } from 'vitest'
import { streamHider } from '../../../src/workspace/calls/handlers/answer-hider.ts'
import { aTool, aWorkspace } from '../a-workspace.ts'
import { leaks, plantedCatalog, plantedOptions } from '../planted-secrets.ts'

const byModel = { caller: 'model' } as const

const answering = (data: unknown, options: Omit<WorkspaceOptions, 'catalog'>) =>
  aWorkspace(
    { tools: [aTool('tell', { category: 'retrieval', execute: () => data })] },
    { metaTools: ['read_result'], ...options },
  )

/** Secrets whose first characters occur in no other text here. */
const secrets = fc
  .array(fc.constantFrom(...'QWZ97/"é+ '), { minLength: 5, maxLength: 30 })
  .map((characters) => `Q${characters.join('')}9`)

test('wherever a result is cut, no part that a model reads has a part of a secret', async () => {
  const law = fc.asyncProperty(
    secrets,
    fc.nat(900),
    fc.integer({ min: 40, max: 200 }),
    fc.boolean(),
    async (secret, place, resultTokens, isJson) => {
      const text = `${'a row '.repeat(place)}${secret}${' more'.repeat(300)}`
      const workspace = await answering(isJson ? { rows: [text] } : text, {
        redact: { secrets: [secret] },
        limits: { resultTokens },
      })
      const first = await workspace.callTool('tell', {}, byModel)
      const parts = [JSON.stringify(first)]
      let from: number | undefined = 0
      while (from !== undefined) {
        const page: ToolResponse = await workspace.callTool(
          'read_result',
          { tool: 'tell', from },
          byModel,
        )
        if (!page.ok) break
        parts.push(String(page.data))
        const [, next]: readonly string[] = /Read on from (\d+)\./u.exec(String(page.data)) ?? []
        from = next === undefined ? undefined : Number(next)
      }
      await workspace.close()
      for (const part of parts) expect(part).not.toMatch(/Q[QWZ97/"é+ ]/u)
    },
  )
  await fc.assert(law, { numRuns: 60 })
})

test('however a text is yielded in pieces, at most three characters of a secret are seen', () => {
  const law = fc.property(
    secrets,
    fc.array(fc.constantFrom('one', ' two', '. '), { maxLength: 5 }),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 }),
    (secret, words, lengths) => {
      const redactor = createRedactor({ secrets: [secret], keys: [], prefixes: [] })
      const whole = `${words.join('')}${secret}${words.join('')}${secret}. End`
      const hide = streamHider(redactor, redactor.value)
      const seen: JsonValue[] = []
      for (let at = 0, piece = 0; at < whole.length; piece += 1) {
        const length = lengths[piece % lengths.length] ?? 1
        seen.push(hide(whole.slice(at, at + length)))
        at += length
      }
      const text = seen.join('')
      expect(text).not.toContain(secret.slice(0, 4))
      expect(text).not.toContain(secret.slice(3))
      expect(text.endsWith('nd')).toBe(true)
    },
  )
  fc.assert(law, { numRuns: 500 })
})

test('outputs that are no secret pass, also as all of the text so far', () => {
  const redactor = createRedactor({ secrets: ['secret-value'] })
  const hide = streamHider(redactor, redactor.value)
  const yielded = [
    'It',
    'It is',
    'It is secret-v',
    'It is secret-value',
    { a: 'secret-value' },
    'x',
  ]
  expect(yielded.map(hide)).toEqual([
    'It',
    'It is',
    'It is [redacted]',
    'It is [redacted]',
    { a: '[redacted]' },
    'x',
  ])
})

test('a call by the host, a person or a handler gets the data, and one by the model does not', async () => {
  const inner = aTool('inner', { execute: () => ({ token: 'abc', text: 'secret-value' }) })
  const seen: unknown[] = []
  const outer = aTool('outer', {
    execute: async (
      _: unknown,
      { callTool }: { callTool: (name: string, input: object) => unknown },
    ) => {
      const answer = await callTool('inner', {})
      seen.push(answer)
      return answer
    },
  } as never)
  const workspace = await aWorkspace(
    { tools: [inner, outer] },
    { redact: { secrets: ['secret-value'] } },
  )
  const raw = { token: 'abc', text: 'secret-value' }
  for (const caller of ['host', 'user'] as const)
    expect(await workspace.callTool('inner', {}, { caller })).toMatchObject({ ok: true, data: raw })
  const hidden = { token: '[redacted]', text: '[redacted]' }
  const answer = await workspace.callTool('outer', {}, byModel)
  expect(answer).toMatchObject({ ok: true, data: hidden, meta: { redacted: true } })
  expect(seen).toMatchObject([{ ok: true, data: raw }])
})

test('a definition with a secret has the same bytes and price after a restart, in the form of each provider', async () => {
  const log = createMemoryLog()
  const open = async () =>
    VirtualWorkspace.open({
      catalog: await plantedCatalog(),
      log,
      session: 's',
      ...plantedOptions(),
    })
  const first = await open()
  await first.activateSkill('garden', { arguments: 'roses' })
  const step = await first.beginStep()
  const preview = await first.previewStep()
  const prompt = first.prompt()
  await first.close()
  const again = await open()
  const later = await again.previewStep()
  expect(JSON.stringify(later.tools)).toBe(JSON.stringify(preview.tools))
  expect(again.prompt().hash).toBe(prompt.hash)
  expect(later.cost.tokens).toEqual(preview.cost.tokens)
  const forms: readonly (keyof ProviderTools)[] = [
    'openai',
    'openai-strict',
    'openai-chat',
    'openai-chat-strict',
    'anthropic',
    'gemini',
    'mcp',
  ]
  const written = forms.flatMap((form) => step.tools.map((tool) => providerTool(tool, form)))
  expect(leaks(JSON.stringify([written, step.instructions, step.conversation]))).toEqual([])
  expect(written.length).toBeGreaterThan(100)
  // Providers refuse a value that is listed twice.
  expect(JSON.stringify(written)).toContain('"enum":["[redacted]","plain"]')
  await again.close()
})
