import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { createCatalog, defineSkill, defineTool, type Tool } from 'loadout'
import { providerSchema } from 'loadout/adapter'
import { forAnthropic } from 'loadout/anthropic'
import { bindTool } from 'loadout/manifest'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../../src/kernel/canonical-json.ts'
import { tryOrUndefined } from '../../../../src/kernel/thrown-message.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { readSet } from '../../../search/read-set.ts'
import { MODEL, openModel, openStore, question } from './a-model.ts'

const execute = () => 'done'

/** The tools of all skills of the corpus and of the workbench, and those of a public set of MCP servers. */
async function manyTools(): Promise<readonly Tool[]> {
  const folders = ['tests/corpus', 'examples/workbench/skills']
  const { catalog } = await openProject(folders, { home: null, trusted: false })
  const ofSkills = [...catalog.skills.values()].flatMap(({ tools }) =>
    tools.filter((tool) => typeof tool !== 'string'),
  )
  expect(ofSkills.length).toBeGreaterThan(10)
  // A few of the set have a schema that is not one.
  const ofServers = readSet('livemcp', 1).documents.flatMap(
    ({ name, description, inputSchema = { type: 'object' } }) =>
      tryOrUndefined(() => defineTool({ name, description, inputSchema, execute })) ?? [],
  )
  return [...ofSkills.map((tool) => bindTool(tool, execute)), ...ofServers]
}

/** The blocks of the messages of the system, as canonical JSON. */
function changes(messages: unknown): readonly string[] {
  return (messages as readonly BetaMessageParam[]).flatMap(({ role, content }) =>
    role === 'system' && typeof content === 'object'
      ? content.map((block) => canonicalJson({ ...block, cache_control: undefined }))
      : [],
  )
}

test('the blocks for tools that come and go are those of the official runner', async () => {
  const tools = await manyTools()
  const skills = [defineSkill({ name: 'everything', description: 'Has all tools.', tools })]
  const catalog = await createCatalog({ skills })
  const workspace = await openStore([], { catalog, agent: undefined as never })
  const anthropic = forAnthropic(workspace, { model: MODEL.model })
  const messages: BetaMessageParam[] = [question()]
  const ours: (readonly string[])[] = []
  for (const change of ['none', 'activateSkill', 'deactivateSkill'] as const) {
    if (change !== 'none') (await workspace[change]('everything')).orThrow()
    ours.push(changes((await anthropic.next(messages)).messages))
    messages.push({ role: 'assistant', content: 'Yes.' }, question('Go on.'))
  }
  expect(ours[0]).toEqual([])

  const { client, server } = await openModel([[{ name: 'add' }], [{ name: 'remove' }], 'Done.'])
  const given = tools.map(({ name, description, inputSchema }) =>
    betaTool({
      name: workspace.calls.sentName(name),
      description,
      // As the provider takes it, which the runner does not see to.
      inputSchema: providerSchema(inputSchema, 'anthropic').schema as { type: 'object' },
      run: execute,
    }),
  )
  const step = (name: string, run: () => string) =>
    betaTool({ name, description: name, inputSchema: { type: 'object' }, run })
  const runner = client.beta.messages.toolRunner({
    ...MODEL,
    messages: [question()],
    betas: ['inline-tools-2026-09-15'],
    tools: [
      step('add', () => {
        runner.addTools(...given)
        return 'added'
      }),
      step('remove', () => {
        runner.removeTools(...given)
        return 'removed'
      }),
    ],
  })
  await runner
  expect(server.violations).toEqual([])
  // The history stays at the provider: each of its requests has what is new.
  const theirs = server.requests.flatMap(({ body }) => changes(body['messages']))
  expect(theirs.length).toBeGreaterThan(1000)
  const different = theirs.filter((block, index) => block !== ours[2]?.[index])
  expect(different).toEqual([])
  expect(ours[2]).toHaveLength(theirs.length)
})
