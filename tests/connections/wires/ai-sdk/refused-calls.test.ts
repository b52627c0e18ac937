import { ToolLoopAgent } from 'ai'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { openOffice, type Deeds } from './an-office.ts'
import { requestsOf, scriptedModel, type Said } from './scripted-model.ts'

/** Returns the answers to a model's first calls, and their entries in the log. */
async function answersTo(said: Said, streaming = false) {
  const deeds: Deeds = []
  const workspace = await openOffice(deeds)
  await workspace.activateSkill('pdf')
  const model = scriptedModel([said, 'Well.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  if (streaming) await (await agent.stream({ prompt: 'Go on.' })).consumeStream()
  else await agent.generate({ prompt: 'Go on.' })
  const [, last] = requestsOf(model)
  const answers = (last?.prompt ?? []).flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => (part.type === 'tool-result' ? part.output : []))
      : [],
  )
  const refused = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'command.refused' ? [`${event.subject}: ${event.code}`] : [],
  )
  return { answers, refused, deeds, prompt: last?.prompt ?? [] }
}

test('a tool whose skill is not loaded is refused with the skill to load, and the log says so', async () => {
  const { answers, refused } = await answersTo([
    { id: 'c1', tool: 'shred', input: { file: 'a.pdf' } },
  ])
  expect(refused).toEqual(['shred: skill-inactive'])
  expect(answers).toMatchInlineSnapshot(`
    [
      {
        "type": "error-text",
        "value": "UNAVAILABLE: The tool "shred" is not available (skill-inactive): Skill "bin" has not been activated since the session opened. Activate the skill "bin".",
      },
    ]
  `)
})

test.each<{ called: string; code: string }>([
  { called: 'raedPdf', code: 'unknown' },
  { called: '__proto__', code: 'unknown' },
  { called: 'constructor', code: 'unknown' },
  { called: 'toString', code: 'unknown' },
])('a call of $called, which nobody offered, is refused in the log', async ({ called, code }) => {
  for (const streaming of [false, true]) {
    const said = [{ id: 'c1', tool: called, input: {} }]
    const { answers, refused } = await answersTo(said, streaming)
    expect(refused).toEqual([`${called}: ${code}`])
    expect(answers).toMatchObject([
      { type: 'error-text', value: expect.stringMatching(/^NOT_FOUND: /) },
    ])
  }
})

test.each<{ what: string; text: string }>([
  { what: 'a wrong type', text: '{"file":7}' },
  { what: 'an argument too many', text: '{"file":"a","page":1}' },
  { what: 'nothing', text: '' },
  { what: 'no JSON', text: '{"file": "a' },
  { what: 'a list', text: '["a.pdf"]' },
  { what: 'a text', text: '"a.pdf"' },
  { what: 'null', text: 'null' },
  { what: 'a name the SDK does not parse', text: '{"file":"a","__proto__":{}}' },
])('arguments that are $what are refused in the log, not by the SDK', async ({ text }) => {
  for (const streaming of [false, true]) {
    const said = [{ id: 'c1', tool: 'readPdf', input: undefined, text }]
    const { answers, refused, deeds, prompt } = await answersTo(said, streaming)
    expect(refused).toEqual(['readPdf: input-invalid'])
    expect(deeds).toEqual([])
    expect(answers).toMatchObject([
      { type: 'error-text', value: expect.stringMatching(/^VALIDATION: /) },
    ])
    const calls = prompt.flatMap(({ role, content }) =>
      role === 'assistant' ? content.filter(({ type }) => type === 'tool-call') : [],
    )
    expect(calls).toEqual([
      expect.objectContaining({ input: expect.toSatisfy((input) => isPlainObject(input)) }),
    ])
  }
})

test.each(['{"now', '[]', '"now"', '{"constructor":{"prototype":{}}}'])(
  'a tool without arguments does not run on %s',
  async (text) => {
    const said = [{ id: 'c1', tool: 'clock', input: undefined, text }]
    const { answers, refused } = await answersTo(said)
    expect(refused).toEqual(['clock: input-invalid'])
    expect(answers).toMatchObject([
      { type: 'error-text', value: expect.stringMatching(/^VALIDATION: /) },
    ])
  },
)

test('a tool nobody offered is in no request, though it was called', async () => {
  const { prompt } = await answersTo([{ id: 'c1', tool: 'raedPdf', input: {} }])
  expect(JSON.stringify(prompt)).toContain('raedPdf')
  const workspace = await openOffice()
  const model = scriptedModel([[{ id: 'c1', tool: 'raedPdf', input: {} }], 'Well.'])
  const settings = forAiSdk(workspace)
  await new ToolLoopAgent({ model, ...settings }).generate({ prompt: 'Go on.' })
  expect(requestsOf(model).map(({ tools }) => (tools ?? []).map(({ name }) => name))).toEqual(
    Array.from({ length: 2 }, () => ['loadSkill', 'loadSkillFile', 'unloadSkill', 'clock']),
  )
})

test('a model that invents names without end fills nothing', async () => {
  const invented = Array.from({ length: 250 }, (_, at) => ({
    id: `c${at}`,
    tool: `tool${at}`,
    input: {},
  }))
  const settings = forAiSdk(await openOffice())
  const model = scriptedModel([invented, 'Well.'])
  await new ToolLoopAgent({ model, ...settings }).generate({ prompt: 'Go on.' })
  expect(Object.keys(settings.tools)).toHaveLength(104)
})

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
