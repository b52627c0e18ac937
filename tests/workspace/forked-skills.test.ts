import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineSkill,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { parseSkillFile } from '../../src/skills/parse/parse-skill-file.ts'
import { aTool } from './a-workspace.ts'

type RunSkill = NonNullable<WorkspaceOptions['runSkill']>

function read(fields: string, body = 'Read $ARGUMENTS and count.') {
  const text = `---\nname: count\ndescription: Counts. Use when asked.\n${fields}\n---\n${body}\n`
  const { definition, diagnostics } = parseSkillFile({
    text,
    file: 'count/SKILL.md',
    folder: 'count',
  })
  if (definition === null) throw new Error('It was not read.')
  return {
    skill: defineSkill({ ...definition, tools: [aTool('tally')], diagnostics }),
    diagnostics,
  }
}

const agents = [
  defineAgent({
    name: 'reader',
    prompt: 'You read.',
    skills: ['other'],
    disallowedTools: ['wipe'],
  }),
  defineAgent({ name: 'lead', skills: ['other'] }),
]

async function opened(
  fields: string,
  runSkill: RunSkill | undefined,
  options: Partial<WorkspaceOptions> = {},
) {
  const skills = [read(fields).skill, defineSkill({ name: 'other', description: 'Others.' })]
  const catalog = await createCatalog({ skills, agents, tools: [aTool('wipe'), aTool('look')] })
  const log = createMemoryLog()
  const workspace = await VirtualWorkspace.open({
    catalog,
    log,
    ...(runSkill && { runSkill }),
    ...options,
  })
  const load = (input: object = {}) =>
    workspace.callTool('loadSkill', { skillName: 'count', ...input }, { caller: 'model' })
  return { workspace, load }
}

test('a skill with context: fork is carried out in a child session, and its answer is the result of loadSkill', async () => {
  const seen: unknown[] = []
  const { workspace, load } = await opened(
    'context: fork\nagent: reader\nmodel: opus\neffort: high',
    async (run) => {
      const { skill, model, effort, task } = run
      const child = await run.open(workspace)
      seen.push({ skill, model, effort, task, agent: child.agent?.name })
      seen.push(child.prompt().text.includes('Read a.txt and count.'))
      seen.push(child.getAvailableTools().map(({ name }) => name))
      const answer = await child.callTool('tally', {}, { caller: 'model' })
      return `counted: ${answer.ok ? String(answer.data) : answer.error.message}`
    },
  )
  const result = await load({ arguments: 'a.txt' })
  expect(result).toMatchObject({
    ok: true,
    data: { carriedOut: 'count', answer: 'counted: tally', note: expect.any(String) },
  })
  expect(seen[0]).toEqual({
    skill: 'count',
    model: 'opus',
    effort: 'high',
    task: expect.stringMatching(/^Carry out the active skill "count"\. Its arguments: a\.txt/u),
    agent: 'reader',
  })
  expect(seen[1]).toBe(true)
  expect(seen[2]).toEqual(expect.arrayContaining(['look', 'tally']))
  expect(seen[2]).not.toContain('wipe')
  // Nothing of it is in the session that asked, and the child ended with the call.
  expect(workspace.state.open.map(({ owner }) => owner)).not.toContain('count')
  expect(workspace.state.children).toMatchObject([{ agent: 'reader', isOpen: false }])
  await workspace.close()
})

test.each([
  ['the host runs no skills', 'context: fork', undefined],
  ['the host leaves it to the session', 'context: fork', () => null],
  ['the skill has no context', 'license: MIT', () => 'never'],
  ['the skill has another context', 'context: inline', () => 'never'],
] satisfies [string, string, RunSkill | undefined][])(
  'a skill is loaded like any other when %s',
  async (_, fields, runSkill) => {
    const { workspace, load } = await opened(fields, runSkill)
    expect(await load()).toMatchObject({ ok: true, data: { skill: 'count' } })
    expect(workspace.state.open.map(({ owner }) => owner)).toContain('count')
    await workspace.close()
  },
)

test('a subagent loads such a skill like any other: there is no fork in a fork', async () => {
  let runs = 0
  const { workspace, load } = await opened('context: fork', async (run) => {
    runs += 1
    const child = await run.open(workspace)
    await child.deactivateSkill('count')
    const again = await child.callTool('loadSkill', { skillName: 'count' }, { caller: 'model' })
    return JSON.stringify(again.ok && (again.data as { skill?: string }).skill)
  })
  expect(await load()).toMatchObject({ ok: true, data: { answer: '"count"' } })
  expect(runs).toBe(1)
  await workspace.close()
})

test('who may not activate the skill does not get its answer, and a runner that fails fails the call', async () => {
  const run: RunSkill = () => 'never'
  const { workspace, load } = await opened('context: fork', run, { agent: 'lead' })
  expect(await load()).toMatchObject({ ok: false, error: { details: { code: 'not-permitted' } } })
  await workspace.close()
  const manual = await opened('context: fork\ndisable-model-invocation: true', run)
  expect(await manual.load()).toMatchObject({ ok: false })
  await manual.workspace.close()
  const failing = await opened('context: fork', async (one) => {
    await one.open(failing.workspace)
    throw new Error('The model does not answer.')
  })
  expect(await failing.load()).toMatchObject({ ok: false })
  expect(failing.workspace.state.children).toMatchObject([{ isOpen: false }])
  await failing.workspace.close()
})

test('why says what becomes of it, and which agent is missing', async () => {
  const text = async (fields: string) => {
    const { workspace } = await opened(fields, undefined)
    const { because } = workspace.explainSkill('count')
    await workspace.close()
    return because.map((one) => one.text).join('\n')
  }
  expect(await text('context: fork\nagent: reader\nmodel: opus')).toContain(
    'It has context: fork: when a model loads it, a subagent carries it out as reader in a child session, if the host has runSkill; else it is loaded like any other. The host gets the model "opus" as a wish.',
  )
  expect(await text('context: fork\nagent: scout')).toContain('No agent is named "scout" here.')
  expect(await text('license: MIT\nagent: reader')).toContain(
    'The field "agent" has no effect here',
  )
  expect(read('context: fork\nmodel: opus\nagent: reader').diagnostics).toEqual([])
  expect(read('license: MIT\nmodel: opus').diagnostics).toMatchObject([{ code: 'unknown-field' }])
})

test('the hash of a skill covers it, and that of one without it is as before', () => {
  const plain = defineSkill({ name: 'count', description: 'Counts.' })
  const forked = defineSkill({ name: 'count', description: 'Counts.', fork: {} })
  expect(forked.hash).not.toBe(plain.hash)
  expect(plain).not.toHaveProperty('fork')
})
