import fc from 'fast-check'
import { expect, test } from 'vitest'

import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { findHidden } from '../../src/kernel/sanitise-text.ts'
import { createMemoryLog } from '../../src/workspace/log/memory-log.ts'
import { defineAgent } from '../../src/skills/definition/define-agent.ts'
import { aSkill, aWorkspace } from './a-workspace.ts'

const fixIssue = aSkill('fix-issue', {
  instructions: 'Fix $ARGUMENTS for {{ TEAM }}. Number: $ARGUMENTS[0], priority: $2.',
})
const plain = aSkill('plain', { instructions: 'Read the report.' })
const deploy = aSkill('deploy', { requires: ['fix-issue'], instructions: 'Deploy.' })

const skills = [fixIssue, plain, deploy]

const conversation = (workspace: VirtualWorkspace) => workspace.prompt().conversation

test.each([
  ['123 high', 'Fix 123 high for blue. Number: 123, priority: high.'],
  ['"a b" \'c d\' e', 'Fix "a b" \'c d\' e for blue. Number: a b, priority: c d.'],
  ['123', 'Fix 123 for blue. Number: 123, priority: $2.'],
  ['{{ TEAM }} $ARGUMENTS', 'Fix {{ TEAM }} $ARGUMENTS for blue. Number: {{, priority: TEAM.'],
  ['$& $1', 'Fix $& $1 for blue. Number: $&, priority: $1.'],
])('the arguments %j fill the placeholders of a skill', async (given, text) => {
  const workspace = await aWorkspace({ skills }, { variables: new Map([['TEAM', 'blue']]) })
  await workspace.activateSkill('fix-issue', { arguments: given })
  expect(conversation(workspace)).toContain(text)
})

test.each([
  ['From $0 to $1.', 'a b', 'From a to b.'],
  ['From $1 to $2.', 'a b', 'From a to b.'],
  ['See $ARGUMENTS,2 for $1,5.', 'a', 'See a,2 for $1,5.'],
  [
    String.raw`It costs \$1, or $100, or $ARGUMENTSX.`,
    'a',
    'It costs $1, or $100, or $ARGUMENTSX.',
  ],
])('%j with %j is %j', async (instructions, given, text) => {
  const workspace = await aWorkspace({ skills: [aSkill('one', { instructions })] })
  await workspace.activateSkill('one', { arguments: given })
  expect(conversation(workspace)).toContain(text)
})

test('a skill without placeholders shows its arguments', async () => {
  const workspace = await aWorkspace({ skills })
  await workspace.activateSkill('plain', { arguments: 'of May\nand June' })
  expect(conversation(workspace)).toContain('Arguments: of May and June')
})

test('a skill whose placeholders nobody filled says so', async () => {
  const workspace = await aWorkspace({ skills }, { metaTools: ['loadSkill'] })
  const answer = await workspace.callTool(
    'loadSkill',
    { skillName: 'fix-issue' },
    { caller: 'model' },
  )
  const note = 'No arguments were given for $ARGUMENTS, $ARGUMENTS[0] in its text'
  expect(answer).toMatchObject({ data: { note: expect.stringContaining(note) } })
  const { text, document } = workspace.prompt()
  expect(text).toContain(note)
  expect(document.notes).toContainEqual(
    expect.objectContaining({
      code: 'arguments-missing',
      message: expect.stringContaining('$ARGUMENTS'),
    }),
  )
})

test('a model that loads an active skill reads it with its arguments', async () => {
  const workspace = await aWorkspace({ skills }, { metaTools: ['loadSkill'] })
  await workspace.activateSkill('fix-issue', { arguments: '7' })
  expect(
    await workspace.callTool('loadSkill', { skillName: 'fix-issue' }, { caller: 'model' }),
  ).toMatchObject({
    data: {
      alreadyLoaded: true,
      arguments: '7',
      instructions: expect.stringContaining('Number: 7'),
    },
  })
})

test('arguments of a required skill are those of the person who asks for it later', async () => {
  const workspace = await aWorkspace({ skills })
  await workspace.activateSkill('deploy', { arguments: 'now' })
  expect(conversation(workspace)).toContain('Arguments: now')
  expect(conversation(workspace)).toContain('Fix $ARGUMENTS')
  await workspace.activateSkill('fix-issue', { arguments: '9' })
  expect(conversation(workspace)).toContain('Fix 9')
})

test('an initial skill that is activated again with arguments is read with them', async () => {
  const agent = defineAgent({
    name: 'helper',
    description: 'Helps.',
    skills: '*',
    initialSkills: ['fix-issue'],
  })
  const workspace = await aWorkspace({ skills, agents: [agent] }, { agent: 'helper' })
  await workspace.deactivateSkill('fix-issue')
  await workspace.activateSkill('fix-issue', { arguments: '11' })
  expect(conversation(workspace)).toContain('Fix 11')
})

test('arguments that are too long, or no text, are refused', async () => {
  const workspace = await aWorkspace({ skills })
  expect(await workspace.activateSkill('plain', { arguments: 'x'.repeat(8_001) })).toMatchObject({
    ok: false,
    code: 'arguments-too-long',
  })
  await expect(workspace.activateSkill('plain', { arguments: 7 as never })).rejects.toMatchObject({
    code: 'OPTIONS_INVALID',
  })
})

test('secrets in arguments are not stored, and not read', async () => {
  const log = createMemoryLog()
  const workspace = await aWorkspace({ skills }, { log, redact: { secrets: ['s3cret-value'] } })
  await workspace.activateSkill('plain', { arguments: 'with s3cret-value' })
  expect(JSON.stringify(await workspace.entries())).not.toContain('s3cret-value')
  expect(workspace.prompt().text).not.toContain('s3cret-value')
})

test('any arguments give the same bytes in another process, without hidden characters', async () => {
  const catalog = await createCatalog({ skills })
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (given) => {
      const log = createMemoryLog()
      const session = 'one'
      const workspace = await VirtualWorkspace.open({ catalog, log, session })
      await workspace.activateSkill('fix-issue', { arguments: given })
      await workspace.activateSkill('plain', { arguments: given })
      const { text } = workspace.prompt()
      await workspace.close()
      const other = await VirtualWorkspace.open({ catalog, log, session })
      expect(other.prompt().text).toBe(text)

      expect(findHidden(text)).toEqual([])
      await other.close()
    }),
    { numRuns: 40 },
  )
})

const compare = aSkill('compare', {
  arguments: ['base', 'base-ref', 'head'],
  instructions:
    'Compare `git diff $base...$head`, not \\$base, $basement or $base[0]. Ref $base-ref, $head-ref.',
})

test.each([
  [
    'main v1 "topic one"',
    'Compare `git diff main...topic one`, not $base, $basement or $base[0]. Ref v1, topic one-ref.',
  ],
  [
    'main',
    'Compare `git diff main...$head`, not $base, $basement or $base[0]. Ref $base-ref, $head-ref.',
  ],
])('named arguments %j are filled in by their place', async (given, text) => {
  const workspace = await aWorkspace({ skills: [compare] })
  await workspace.activateSkill('compare', { arguments: given })
  expect(conversation(workspace)).toContain(text)
})

test('names of arguments that were not given are named, and what was filled is noted', async () => {
  const workspace = await aWorkspace({ skills: [compare, fixIssue] })
  await workspace.activateSkill('compare')
  expect(conversation(workspace)).toContain('No arguments were given for $base, $head, $base-ref')
  await workspace.activateSkill('fix-issue', { arguments: '123 high' })
  expect(workspace.prompt().document.notes).toContainEqual({
    code: 'arguments-filled',
    section: 'active-skills/fix-issue',
    message: 'Arguments were filled in for $ARGUMENTS, $ARGUMENTS[0], $2.',
  })
})

test('a model gives arguments with loadSkill, where a skill that it may load takes some', async () => {
  const workspace = await aWorkspace({ skills: [...skills, compare] }, { metaTools: ['loadSkill'] })
  const load = (input: object) => workspace.callTool('loadSkill', input, { caller: 'model' })
  const given = { skillName: 'compare', arguments: 'main v1 topic' }
  expect(await load(given)).toMatchObject({
    ok: true,
    data: {
      arguments: 'main v1 topic',
      instructions: expect.stringContaining('`git diff main...topic`'),
    },
  })
  expect(await load({ skillName: 'plain', arguments: null })).toMatchObject({ ok: true })
  expect(await load({ ...given, arguments: 'x y z' })).toMatchObject({
    data: {
      alreadyLoaded: true,
      arguments: 'main v1 topic',
      note: expect.stringContaining(
        'It is loaded with its earlier arguments. To give it others, unload it first.',
      ),
    },
  })
  const text = conversation(workspace)
  expect(text).toContain('`git diff main...topic`')
  const log = await workspace.entries()
  expect(
    log.find(({ event }) => event.type === 'source.opened' && event.owner === 'compare'),
  ).toMatchObject({
    event: { arguments: 'main v1 topic' },
  })
})

test('loadSkill has no arguments where no skill that a model may load takes any', async () => {
  const manual = aSkill('manual', { instructions: 'Fix $1.', disableModelInvocation: true })
  const price = aSkill('price', { instructions: 'It costs $0.10. Run `awk "{print $1}"`.' })
  const properties = async (...given: (typeof plain)[]) => {
    const workspace = await aWorkspace({ skills: given }, { metaTools: ['loadSkill'] })
    const { inputSchema } = workspace.getAvailableTools()[0] ?? {}
    return Object.keys((inputSchema as { properties: object }).properties)
  }
  expect(await properties(plain, manual, price)).toEqual(['skillName'])
  expect(await properties(plain, fixIssue)).toEqual(['skillName', 'arguments'])
  expect(await properties(aSkill('one', { instructions: 'Fix $1.' }))).toEqual([
    'skillName',
    'arguments',
  ])
  expect(await properties(compare)).toEqual(['skillName', 'arguments'])
})
