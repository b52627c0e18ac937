import { join } from 'node:path'
import { providerName } from 'loadout/adapter'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

const ENTRY = join(import.meta.dirname, '../../../src/entries/index.ts')

/** The agent of a shop, whose skills are in code. */
const SHOP = `
import { createCatalog, defineAgent, defineSkill, defineTool } from '${ENTRY}'

export const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  execute: () => 'paid back',
})
export const refunds = defineSkill({
  name: 'refunds',
  description: 'Pays orders back.',
  instructions: 'Ask for the order first.',
  tools: [refund],
})
export const clerk = defineAgent({ name: 'clerk', prompt: 'You are a clerk.' })
export const catalog = createCatalog({ skills: [refunds], agents: [clerk] })
`

const PARTS = `
import { refunds, clerk } from './shop.ts'
export default {
  skills: ['./skills', refunds],
  agents: [clerk],
  permissions: { deny: ['shout'] },
  discovery: { limit: 3 },
  provider: 'anthropic',
  exposure: 'bridge',
}`

const WHOLE = `
import { catalog } from './shop.ts'
export default { catalog, discovery: {} }`

async function project(config: string) {
  const cwd = await temporaryFolder({
    'shop.ts': SHOP,
    'loadout.config.ts': config,
    'skills/echo/SKILL.md': skillText('echo'),
  })
  return async (...argv: string[]) => {
    const { stdout, stderr } = await runCommand([...argv, '--trust', '--json'], { cwd })
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
}

test('skills of a configuration are defined in code, next to folders, with the options of the host', async () => {
  const run = await project(PARTS)
  const skills: { name: string; status: string }[] = await run('skills')
  expect(skills.map(({ name }) => name)).toEqual(['echo', 'refunds'])
  const called = await run('call', 'refund', '--activate', 'refunds')
  expect(called).toMatchObject({ ok: true, data: 'paid back' })
  const tools: { name: string }[] = await run('tools', '--agent', 'clerk')
  expect(tools.map(({ name }) => name)).toContain('call_tool')
  const { exposure } = await run('prompt', '--tokens')
  expect(exposure).toMatchObject({ strategy: 'bridge', provider: 'anthropic' })
})

test('a catalog of a configuration takes the place of folders', async () => {
  const run = await project(WHOLE)
  const skills: { name: string }[] = await run('skills')
  expect(skills.map(({ name }) => name)).toEqual(['refunds'])
  const { text } = await run('prompt', '--agent', 'clerk', '--activate', 'refunds')
  expect(text).toContain('You are a clerk.')
  expect(text).toContain('Ask for the order first.')
  expect(await run('show', 'skill', 'refunds')).toMatchObject([{ name: 'refunds' }])
})

test('a configuration with code is not run in a folder that is not trusted', async () => {
  const cwd = await temporaryFolder({ 'shop.ts': SHOP, 'loadout.config.ts': WHOLE })
  const { stdout, stderr } = await runCommand(['skills'], { cwd })
  expect(stdout).not.toContain('refunds')
  expect(stderr).toContain('the folder is not trusted')
})

test('why has the name under which the provider of the configuration gets a tool', async () => {
  const sent = providerName('shop.refund', 'anthropic')
  const cwd = await temporaryFolder({
    'shop.ts': SHOP.replace("'refund'", "'shop.refund'"),
    'loadout.config.ts': PARTS,
    'skills/echo/SKILL.md': skillText('echo'),
  })
  for (const name of ['shop.refund', sent]) {
    const { stdout } = await runCommand(['why', name, '--trust'], { cwd })
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'shop.refund (tool): skill-inactive',
      'from: skill refunds',
      `sent as: ${sent}`,
    ])
  }
  const { stdout } = await runCommand(['why', 'shop.refund', '--trust', '--json'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ name: 'shop.refund', sentAs: sent })
})

test('definitions that a catalog replaces are an error, and so is a catalog that cannot be made', async () => {
  const cwd = await temporaryFolder({
    'loadout.config.mjs': `export default { skills: [1], catalog: Promise.reject(new Error('no shop')) }`,
  })
  const { stderr } = await runCommand(['skills', '--trust'], { cwd })
  expect(stderr).toContain('The catalog of the configuration could not be made: no shop.')
  expect(stderr).toContain('must be a path, or a skill of defineSkill')
})
