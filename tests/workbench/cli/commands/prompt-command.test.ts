import { expect, test } from 'vitest'
import { formatCount } from '../../../../src/render/ink/parts/format-count.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import type { PromptReport } from '../../../../src/workbench/cli/commands/prompt-command.ts'
import { skillText, temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const tree = {
  'loadout.config.json': JSON.stringify({
    skills: ['skills'],
    agents: [{ name: 'support', prompt: 'You help {{ WHO }} with {{ WHAT }}.', skills: '*' }],
    variables: { WHO: 'config', WHAT: 'config' },
    environment: { names: ['WHAT', 'SECRET'] },
  }),
  'skills/alpha/SKILL.md': skillText('alpha'),
}

async function report(cwd: string, ...more: string[]) {
  const { stdout, code } = await runCommand(['prompt', '--json', ...more], { cwd })
  expect(code).toBe(0)
  return JSON.parse(stdout) as PromptReport
}

test('--json prints text, tokens, hash and sections, with ordered keys', async () => {
  const cwd = await temporaryFolder(tree)
  const prompt = await report(cwd, '--agent', 'support', '--activate', 'alpha')
  expect(Object.keys(prompt)).toEqual(['text', 'request', 'tokenizer', 'hash', 'sections', 'notes'])
  expect(prompt.tokenizer).toBe('o200k_base')
  expect(prompt.hash).toBe(textHash(prompt.text))
  expect(prompt.sections.map(({ id }) => id)).toContain('active-skills')
  for (const section of prompt.sections) {
    expect(Object.keys(section)).toEqual([
      'id',
      'title',
      'owner',
      'stability',
      'placement',
      'tokens',
    ])
  }
  const { tokens, total } = prompt.request
  expect(total).toBe(tokens.tools + tokens.instructions + tokens.conversation)
})

test.each(['markdown', 'xml', 'text'])('in %s, stdout is exactly the text', async (format) => {
  const cwd = await temporaryFolder(tree)
  const { text } = await report(cwd, '--activate', 'alpha', '--format', format)
  const plain = await runCommand(['prompt', '--activate', 'alpha', '--format', format], { cwd })
  expect(plain.stdout).toBe(text)
  expect(text.length).toBeGreaterThan(100)
})

test('the two parts add up to the complete prompt', async () => {
  const cwd = await temporaryFolder(tree)
  const whole = await report(cwd, '--activate', 'alpha')
  const instructions = await report(cwd, '--activate', 'alpha', '--part', 'instructions')
  const conversation = await report(cwd, '--activate', 'alpha', '--part', 'conversation')
  expect(instructions.text + conversation.text).toBe(whole.text)
  expect(instructions.request).toEqual(whole.request)
  expect([...instructions.sections, ...conversation.sections]).toEqual(whole.sections)
})

test.each([
  { flag: '--no-catalog', section: 'skill-catalog' },
  { flag: '--no-loaded', section: 'active-skills' },
  { flag: '--no-tools', section: 'available-tools' },
])('$flag leaves out $section', async ({ flag, section }) => {
  const config = JSON.parse(tree['loadout.config.json']) as object
  // A tool that asks is listed with that.
  const asking = { ...config, permissions: { ask: ['loadSkillFile'] } }
  const cwd = await temporaryFolder({ ...tree, 'loadout.config.json': JSON.stringify(asking) })
  const ids = async (...more: string[]) =>
    (await report(cwd, '--activate', 'alpha', ...more)).sections.map(({ id }) => id)
  expect(await ids()).toContain(section)
  expect(await ids(flag)).not.toContain(section)
})

test('--no-initial-skills leaves out the initial skills', async () => {
  const agents = [{ name: 'a', skills: '*', initialSkills: ['alpha'] }]
  const config = JSON.stringify({ skills: ['skills'], agents })
  const cwd = await temporaryFolder({ ...tree, 'loadout.config.json': config })
  const texts = async (...more: string[]) => (await report(cwd, '--agent', 'a', ...more)).text
  expect(await texts()).toContain('# alpha')
  expect(await texts('--no-initial-skills')).not.toContain('# alpha')
})

test('variables: --var wins over the configuration, which wins over the allowed environment', async () => {
  const cwd = await temporaryFolder(tree)
  const first = async (...more: string[]) => {
    const env = { WHAT: 'environment', SECRET: 'allowed', OTHER: 'never' }
    const argv = ['prompt', '--agent', 'support', ...more]
    return (await runCommand(argv, { cwd, env })).stdout.split('\n').find((l) => l.includes('You'))
  }
  expect(await first()).toBe('You help config with config.')
  expect(await first('--var', 'WHO=a=b', '--var', 'WHAT=')).toBe('You help a=b with .')
  const open = await temporaryFolder({
    ...tree,
    'loadout.config.json': JSON.stringify({
      skills: ['skills'],
      agents: [{ name: 'support', prompt: 'You {{ SECRET }} {{ OTHER }}', skills: '*' }],
      environment: { names: ['SECRET'] },
    }),
  })
  const { stdout } = await runCommand(['prompt', '--agent', 'support', '--trust'], {
    cwd: open,
    env: { SECRET: 'allowed', OTHER: 'never' },
  })
  expect(stdout).toContain('You allowed {{ OTHER }}')
})

test('--tokens prints the ledger instead of the text, and all of it with --json', async () => {
  const cwd = await temporaryFolder(tree)
  const priced = async (...more: string[]) =>
    (await runCommand(['prompt', '--tokens', '--activate', 'alpha', ...more], { cwd })).stdout
  const { request, sections } = await report(cwd, '--activate', 'alpha')
  const text = await priced()
  expect(text.split('\n')[0]).toContain(`request ${formatCount(request.total)} tokens = `)
  for (const { id } of sections) expect(text).toContain(id)
  expect(text).toContain('(compatible, active, o200k_base), no request before')
  expect(JSON.parse(await priced('--json'))).toMatchObject({
    request,
    lastStep: null,
    removals: [{}],
  })
  const both = await runCommand(['prompt', '--tokens', '--part', 'instructions'], { cwd })
  expect(both.code).toBe(2)
})
