import { createCatalog, defineAgent, defineSkill, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'

const catalog = await createCatalog({
  skills: [
    defineSkill({
      name: 'reports',
      description: 'Writes reports.',
      files: [
        { path: 'scripts/report.py', text: 'print(1)' },
        { path: 'references/guide.md', text: 'Guide.' },
      ],
    }),
    defineSkill({
      name: 'guides',
      description: 'Has a guide.',
      files: [{ path: 'references/guide.md', text: 'Guide.' }],
    }),
  ],
  agents: [defineAgent({ name: 'starter', initialSkills: ['reports'] })],
})

const NO_SCRIPTS =
  'Its scripts cannot be run here, unless one of your tools runs commands. Its files:'

const scripts = { timeoutMs: 1000, run: () => Promise.reject(new Error('not run')) }

test.each([
  { where: 'active', options: {}, says: true },
  { where: 'initial', options: { agent: 'starter' }, says: true },
  {
    where: 'active',
    options: { scripts, metaTools: ['loadSkill', 'runSkillScript'] as const },
    says: false,
  },
])('a skill with scripts says that none are run: $where, $says', async ({ options, says }) => {
  const workspace = await VirtualWorkspace.open({ catalog, ...options })
  await workspace.activateSkill('reports')
  expect(workspace.prompt().text.includes(NO_SCRIPTS)).toBe(says)
})

test('a skill without scripts says nothing of them', async () => {
  const workspace = await VirtualWorkspace.open({ catalog })
  await workspace.activateSkill('guides')
  expect(workspace.prompt().text).toContain('Its files:')
  expect(workspace.prompt().text).not.toContain(NO_SCRIPTS)
})
