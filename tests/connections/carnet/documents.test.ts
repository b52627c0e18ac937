import { generateText, isStepCount, tool } from 'ai'
import { Carnet } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { requestsOf, scriptedModel } from '../wires/ai-sdk/scripted-model.ts'
import { aManifest } from './a-manifest.ts'
import { HOST_TOOLS } from './host-tools.ts'

/** The examples of Carnet's API page and of its redesign, by structure. */
const toolNames = (request: { tools?: readonly { name: string }[] | undefined }) =>
  request.tools?.map(({ name }) => name)

test('basic usage: a prompt, the tools and one step of a model', async () => {
  const manifest = aManifest()
  manifest.toolsets['search-tools']?.tools.push('hello')
  const carnet = new Carnet(manifest)
  const hello = tool({
    description: 'Greet the user',
    inputSchema: z.object({ name: z.string() }),
    execute: async ({ name }) => ({ greeting: `Hello, ${name}!` }),
  })
  const model = scriptedModel([[{ id: '1', tool: 'hello', input: { name: 'Ann' } }], 'Done.'])
  const { steps } = await generateText({
    model,
    system: carnet.getSystemPrompt('researcher'),
    tools: carnet.getTools('researcher', { tools: { hello } }),
    messages: [{ role: 'user', content: 'Hello!' }],
    stopWhen: isStepCount(2),
  })
  expect(steps[0]?.toolResults[0]?.output).toEqual({ greeting: 'Hello, Ann!' })
  const [first] = requestsOf(model)
  expect(toolNames(first as never)).toEqual(['loadSkill', 'loadSkillFile', 'hello'])
  expect(first?.prompt[0]).toMatchObject({ role: 'system' })
})

test('several turns: tools of the start, a skill loaded by the model, its tools in the next turn', async () => {
  const carnet = new Carnet(aManifest())
  const { basicSearch, advancedSearch, filterByDate, analyzeStatistics } = HOST_TOOLS
  carnet.registerDomainToolset('search-tools', { basicSearch, advancedSearch })
  carnet.registerDomainToolset('filter-tools', { filterByDate })
  carnet.registerDomainToolset('statistical-analysis', { analyzeStatistics })
  const model = scriptedModel([
    [{ id: '1', tool: 'loadSkill', input: { skillName: 'dataAnalysis' } }],
    'Loaded.',
    [{ id: '2', tool: 'analyzeStatistics', input: { query: '1 2 3' } }],
    'Analysed.',
  ])
  const turn = (content: string) =>
    generateText({
      model,
      system: carnet.getSystemPrompt('researcher'),
      tools: carnet.getTools('researcher'),
      messages: [{ role: 'user', content }],
      stopWhen: isStepCount(2),
    })
  await turn('Search for recent papers')
  const { steps } = await turn('Analyse them')
  expect(steps[0]?.toolResults[0]?.output).toBe('analyzeStatistics: 1 2 3')
  const requests = requestsOf(model)
  const initial = ['loadSkill', 'loadSkillFile', 'basicSearch', 'advancedSearch', 'filterByDate']
  expect(toolNames(requests[0] as never)).toEqual(initial)
  expect(toolNames(requests[2] as never)).toEqual([...initial, 'analyzeStatistics'])
  const [before, after] = [requests[0], requests[2]].map((one) => JSON.stringify(one?.prompt[0]))
  expect(before).not.toContain('## Currently Loaded Skills')
  expect(after).toContain('## Currently Loaded Skills')
  expect(after).toContain('**analyzeStatistics**')
  expect(carnet.getDiscoveredSkills('researcher')).toEqual(['webSearch', 'dataAnalysis'])
  carnet.resetSession('researcher')
  expect(Object.keys(carnet.getTools('researcher'))).toEqual(initial)
})

test('a subset: only listing and loading', () => {
  const carnet = new Carnet(aManifest())
  const tools = carnet.getTools('researcher', { tools: ['listAvailableSkills', 'loadSkill'] })
  expect(Object.keys(tools)).toEqual(['listAvailableSkills', 'loadSkill'])
})

test('variables of the instance and of the call', () => {
  const carnet = new Carnet(aManifest(), { variables: { COMPANY: 'Acme' } })
  const prompt = carnet.getSystemPrompt('researcher', { variables: { TOPIC: 'machine learning' } })
  expect(prompt).toContain('You research machine learning for Acme.')
})

test('without registered tools everything else works as before', () => {
  const carnet = new Carnet(aManifest())
  expect(carnet.getSystemPrompt('researcher')).toContain('## Initial Skills')
  expect(Object.keys(carnet.getTools('researcher'))).toEqual(['loadSkill', 'loadSkillFile'])
})
