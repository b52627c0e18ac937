import { spawnSync } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importClaude } from '../../../../src/workbench/project/import/import-claude.ts'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { skillText, temporaryFolder } from '../temporary-folder.ts'

const CLAUDE = {
  '.claude/skills/alpha/SKILL.md': skillText('alpha', 'model: opus\n'),
  '.claude/skills/alpha/scripts/run.sh': 'echo hi\n',
  '.claude/skills/bad/SKILL.md': '---\nname: [\n---\n',
  '.claude/commands/git/commit.md':
    '---\ndescription: "Commit: what is staged"\nallowed-tools: Bash(git add:*), Read\nargument-hint: message\n---\nCommit with $ARGUMENTS. Now: !`git status` and @README.md\n',
  '.claude/commands/explain.md': 'Explain the code at hand.\n',
  '.claude/commands/alpha.md': 'Another alpha.\n',
  '.claude/commands/broken.md': '---\ndescription: [\n---\nBody\n',
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews code\ntools: Read, Grep\nmodel: opus\nskills: alpha\n---\nYou review.\n',
  '.claude/settings.json': JSON.stringify({
    permissions: { allow: ['Read'], deny: ['WebFetch', 'Bash(rm:*)'], ask: ['mcp__shop__*'] },
    env: { KEY: 'secret-value' },
    hooks: {},
  }),
  '.claude/settings.local.json': JSON.stringify({ permissions: { deny: ['Other', 'WebFetch'] } }),
  '.claude/output-styles/brief.md': 'Brief.\n',
}

test('skills, commands, agents and permissions are imported, and the rest is reported', async () => {
  const from = await temporaryFolder(CLAUDE)
  const to = join(from, 'ours')
  const { items } = await importClaude(from, to)
  expect(items.map(({ outcome, kind, name, notes }) => [outcome, kind, name, ...notes].join(' | ')))
    .toMatchInlineSnapshot(`
      [
        "changed | skill | alpha | The field "model" has no effect here: the host chooses the model.",
        "left | skill | bad | Not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].",
        "changed | agent | reviewer | No model delegates to it: open a session, or a child session, as this agent. | It was limited by tools of Claude Code (Read, Grep) and is not limited here: list its tools in metadata, as loadout.tools. | No counterpart, left out: model.",
        "left | command | alpha | Another skill has this name.",
        "left | command | broken | Not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].",
        "changed | command | explain | It is a skill now: a model activates it when asked to. | It had no description; its first sentences are used.",
        "changed | command | git-commit | It is a skill now: a model activates it when asked to. | Commands in !\`…\` are not run: add a tool for them. | Files named with @ are not inserted: put them in references/. | No counterpart, left out: argument-hint.",
        "left | settings | permissions.allow | Nothing needs to be allowed beforehand: a tool that is neither denied nor asked about may be called.",
        "left | settings | env | Values may be secrets, so they were not copied: KEY. List those that prompts need under "environment".",
        "left | settings | hooks | Hooks are code: write them where sessions are opened.",
        "left | file | output-styles | It has no counterpart.",
        "taken | settings | permissions",
      ]
    `)
  const { catalog, config, diagnostics } = await openProject([to], { home: null })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect([...catalog.skills.keys()].sort()).toEqual(['alpha', 'explain', 'git-commit'])
  expect(catalog.skills.get('git-commit')).toMatchObject({
    description: 'Commit: what is staged',
    permissions: ['Bash(git add:*)', 'Read'],
    triggers: ['/git-commit'],
  })
  expect(catalog.agents.get('reviewer')).toMatchObject({
    initialSkills: ['alpha'],
    prompt: 'You review.',
  })
  expect(config.permissions).toMatchObject({
    deny: [
      'WebFetch',
      { tool: 'Bash', where: { '*': { command: 'rm' } }, ignoreCase: true },
      'Other',
    ],
    ask: ['mcp__shop__*'],
  })
  expect(await readFile(join(to, 'skills/alpha/SKILL.md'), 'utf8')).toBe(
    CLAUDE['.claude/skills/alpha/SKILL.md'],
  )
})

test('values of the environment are nowhere in what was written or reported', async () => {
  const from = await temporaryFolder(CLAUDE)
  const to = await temporaryFolder()
  const { files, items } = await importClaude(join(from, '.claude'), to)
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  expect(texts.join('\n') + JSON.stringify(items)).not.toContain('secret-value')
})

test('links that lead out and pipes are left, and nothing hangs', async () => {
  const outside = await temporaryFolder({ 'secret.md': 'Secret.\n' })
  const from = await temporaryFolder({ '.claude/commands/fine.md': 'Fine.\n' })
  await symlink(join(outside, 'secret.md'), join(from, '.claude/commands/out.md'))
  expect(spawnSync('mkfifo', [join(from, '.claude/commands/pipe.md')]).status).toBe(0)
  const { items } = await importClaude(from, join(from, 'to'))
  expect(items.map(({ outcome, name }) => `${outcome} ${name}`)).toEqual([
    'left commands/out.md',
    'left commands/pipe.md',
    'changed fine',
  ])
})

test('settings that are no JSON are left, and every call is asked about', async () => {
  const from = await temporaryFolder({
    '.claude/settings.json': '{,}',
    '.claude/skills/a/SKILL.md': skillText('a'),
  })
  const { items } = await importClaude(from, join(from, 'to'))
  expect(items).toMatchObject([
    { outcome: 'taken', name: 'a' },
    { outcome: 'left', kind: 'settings', notes: [expect.stringContaining('Not valid JSON')] },
    { outcome: 'taken', name: 'permissions' },
  ])
})

test('without a .claude folder there is nothing to import', async () => {
  const from = await temporaryFolder()
  await expect(importClaude(from, join(from, 'to'))).rejects.toMatchObject({
    code: 'PATH_NOT_FOUND',
  })
})

test('what is next to the folder, loose files and texts that point into it are named', async () => {
  const from = await temporaryFolder({
    '.mcp.json': '{"mcpServers":{"shop":{"command":"node"}}}',
    'CLAUDE.md': 'Be brief.\n',
    '.claude/skills/README.md': 'About.\n',
    '.claude/skills/rules.json': '{}',
    '.claude/skills/a/SKILL.md': `${skillText('a')}\nRead .claude/agents/reviewer.md first.\n`,
    '.claude/commands/deploy.md': '---\ndisable-model-invocation: true\n---\nDeploy.\n',
  })
  const to = join(from, 'to')
  const { items } = await importClaude(from, to)
  const shown = items.map(({ outcome, name, notes }) => [outcome, name, ...notes].join(' | '))
  expect(shown).toMatchInlineSnapshot(`
    [
      "left | README.md | It belongs to no skill.",
      "left | rules.json | It belongs to no skill.",
      "changed | a | Its text points into .claude, which is not imported as a folder: .claude/agents/reviewer.md.",
      "changed | deploy | It is a skill now, and only a person or the host activates it. | It had no description; its first sentences are used.",
      "left | .mcp.json | It is read where it is: name its servers in a toolset (\`servers: shop\`), and skills bring them.",
      "left | CLAUDE.md | Write what every session needs into the prompt of an agent.",
    ]
  `)
  const { catalog } = await openProject([to], { home: null })
  expect([...catalog.leftToPeople.keys()]).toEqual(['deploy'])
})

test('a skill whose folder would have a meaning for git or Node is left out', async () => {
  const from = await temporaryFolder({
    '.claude/skills/a/SKILL.md': skillText('a').replace('name: a', 'name: .git'),
    '.claude/skills/a/config': '[core]',
    '.claude/skills/b/SKILL.md': skillText('b').replace('name: b', 'name: node_modules'),
    '.claude/skills/c/SKILL.md': skillText('c'),
    '.claude/skills/d/SKILL.md': skillText('d'),
    '.claude/skills/c/x/HEAD': '',
    '.claude/skills/c/x/config': '',
    '.claude/skills/c/x/objects/a': '',
    '.claude/skills/c/x/refs/a': '',
  })
  const to = join(await temporaryFolder(), 'ours')
  const { items } = await importClaude(from, to)
  const left = items.filter(({ kind, outcome }) => kind === 'skill' && outcome === 'left')
  expect(left.map(({ name }) => name).sort()).toEqual(['.git', 'c', 'node_modules'])
})
