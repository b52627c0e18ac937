import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { splitSkills } from '../../../../src/workbench/cli/commands/activate-command.ts'
import { runCommand } from '../run-command.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'

describe('activate command', () => {
  const tree = {
    'skills/alpha/SKILL.md': skillText('alpha'),
    ...toolTree('skills/alpha/tools/echo'),
    'skills/beta/SKILL.md': skillText('beta'),
  }

  test('--json prints the tools, the tokens and the sections, with ordered keys', async () => {
    const cwd = await temporaryFolder(tree)
    const argv = ['activate', 'alpha', 'beta', '--trust', '--json']
    const { code, stdout } = await runCommand(argv, { cwd })
    expect(code).toBe(0)
    const report = JSON.parse(stdout) as Record<string, unknown>
    const tools = ['added', 'removed', 'changed']
    expect(Object.keys(report)).toEqual([...tools, 'request', 'sections', 'allowedTools'])
    expect(report).toMatchObject({ added: ['echo'], removed: [], changed: [] })
    const { request, sections } = report as {
      request: { before: number; after: number }
      sections: readonly { before: number; after: number; kind: string; id: string }[]
    }
    expect(Object.keys(request)).toEqual(['before', 'after', 'tools', 'kept'])
    for (const section of sections) {
      expect(Object.keys(section)).toEqual(['id', 'title', 'before', 'after', 'kind'])
    }
    expect(sections.map(({ id, kind }) => `${kind} ${id}`)).toContain('added active-skills')
  })

  test('a tool that the skill replaces by its own has changed', async () => {
    const cwd = await temporaryFolder({
      ...tree,
      ...toolTree('skills/gamma/tools/echo', 'export const execute = () => 2\n'),
      'skills/gamma/SKILL.md': skillText('gamma', 'metadata:\n  loadout.on-conflict: shadow\n'),
    })
    const activate = (skill: string) =>
      runCommand(['activate', skill, '--trust', '--log', 'run.sqlite'], { cwd })
    expect((await activate('alpha')).stdout).toMatch(/^\+ tool echo$/m)
    expect((await activate('gamma')).stdout).toMatch(/^~ tool echo$/m)
  })

  test('the price is that of the next request, with and without the skill', async () => {
    const cwd = await temporaryFolder(tree)
    const json = async (...argv: string[]) =>
      JSON.parse((await runCommand([...argv, '--trust', '--json'], { cwd })).stdout)
    const price = async (...more: string[]) =>
      ((await json('prompt', ...more)) as { request: { total: number } }).request.total
    const { request } = await json('activate', 'alpha')
    const [before, after] = [await price(), await price('--activate', 'alpha')]
    expect(request).toMatchObject({ before, after, kept: { previous: before } })
  })

  test('words after the name of a skill are its arguments', async () => {
    const cwd = await temporaryFolder({
      'skills/fix-issue/SKILL.md': `${skillText('fix-issue')}\nFix issue $0 with priority $1.\n`,
    })
    const said = 'Fix issue src/a.ts with priority high.'
    const { stdout } = await runCommand(['prompt', '--activate', 'fix-issue src/a.ts high'], {
      cwd,
    })
    expect(stdout).toContain(said)
    const activated = await runCommand(['activate', 'fix-issue src/a.ts high'], { cwd })
    expect(activated.stdout).toContain(said)
    const without = await runCommand(['prompt', '--activate', 'fix-issue'], { cwd })
    expect(without.stdout).toContain('Fix issue $0 with priority $1.')
  })

  test('a person activates no skill with user-invocable: false, and can preview it', async () => {
    const text = skillText('background').replace('---\n', '---\nuser-invocable: false\n')
    const cwd = await temporaryFolder({ 'skills/background/SKILL.md': text })
    const refused = await runCommand(['activate', 'background'], { cwd })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('user-invocable') })
    const preview = await runCommand(['prompt', '--activate', 'background'], { cwd })
    expect(preview).toMatchObject({ code: 0, stdout: expect.stringContaining('Loaded skills') })
  })

  test('the difference does not include the skills of --activate', async () => {
    const cwd = await temporaryFolder(tree)
    const argv = ['activate', 'beta', '--activate', 'alpha', '--trust', '--json']
    expect(JSON.parse((await runCommand(argv, { cwd })).stdout)).toMatchObject({ added: [] })
  })

  test('the text has the difference, and the price of the next request', async () => {
    const cwd = await temporaryFolder(tree)
    const { stdout } = await runCommand(['activate', 'alpha', '--trust'], { cwd })
    expect(
      stdout.replaceAll(cwd, '.').replaceAll(/\d+ tokens|\+\d+|\d+ ->|(?<=kept |of )\d+/g, 'N'),
    ).toMatchInlineSnapshot(`
      "+ tool echo
      @ Loaded skills (active-skills): N N (N)
      + ## Loaded skills
      + 
      + These skills are loaded. Work by their instructions.
      + 
      + ### alpha
      + 
      + - Base directory: ./skills/alpha
      + 
      + \`\`\`markdown
      + # alpha
      + \`\`\`
      + 
      @ SKILL TOOLS: Alpha (skill-tools/alpha): N N (N)
      + ## SKILL TOOLS: Alpha
      + 
      + - \`echo\`: Runs echo. Safe.
      + 
      request N N (N), nothing cached below 1,024
      "
    `)
    const colour = await runCommand(['activate', 'alpha', '--trust'], { cwd, colour: true })
    expect(colour.stdout).toContain('\u001B[32m+ tool echo')
    const plain = await runCommand(['activate', 'alpha', '--trust', '--no-color'], {
      cwd,
      colour: true,
    })
    expect(plain.stdout).toBe(stdout)
  })

  test('with --log the session is created, then continued, by the user', async () => {
    const cwd = await temporaryFolder(tree)
    const activate = (...argv: string[]) =>
      runCommand(['activate', ...argv, '--trust', '--log', 'run.sqlite'], { cwd })
    expect((await activate('alpha')).code).toBe(0)
    expect((await activate('beta')).code).toBe(0)
    const { stdout } = await runCommand(['replay', '--log', 'run.sqlite'], { cwd })
    expect(stdout.split('\n').filter((line) => line.includes('activated'))).toEqual([
      '#2 by the user: skill "alpha" activated, with 1 tool',
      '#3 by the user: skill "beta" activated, with 0 tools',
    ])
  })

  test('the skills before a refused one stay active, and the refusal is in the log', async () => {
    const cwd = await temporaryFolder(tree)
    const argv = ['activate', 'alpha', 'gamma', 'beta', '--log', 'run.sqlite']
    expect((await runCommand(argv, { cwd })).code).toBe(1)
    const { stdout } = await runCommand(['replay', '--log', 'run.sqlite', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ skills: ['alpha'], seq: 3 })
  })

  test('with --at the command works on a copy, and the file is unchanged', async () => {
    const cwd = await temporaryFolder(tree)
    await runCommand(['activate', 'alpha', '--trust', '--log', 'run.sqlite'], { cwd })
    const before = await readFile(join(cwd, 'run.sqlite'))
    const argv = ['activate', 'alpha', '--trust', '--log', 'run.sqlite', '--at', '1', '--json']
    const { code, stdout } = await runCommand(argv, { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ added: ['echo'] })
    expect(await readFile(join(cwd, 'run.sqlite'))).toEqual(before)
  })

  test.each([
    { allowedTools: 'ignore', effect: 'Its allowed-tools have no effect here: echo, Bash(git:*).' },
    {
      allowedTools: 'restrict',
      effect: 'While it is active, calls are restricted to: echo, Bash(git:*).',
    },
  ])('the effect of allowed-tools is printed: $allowedTools', async ({ allowedTools, effect }) => {
    const cwd = await temporaryFolder({
      ...tree,
      'skills/beta/SKILL.md':
        '---\nname: beta\ndescription: For beta.\nallowed-tools: echo Bash(git:*)\n---\n',
      'loadout.config.json': JSON.stringify({ skills: ['skills'], permissions: { allowedTools } }),
    })
    const argv = ['activate', 'alpha', 'beta', '--trust']
    const { stdout } = await runCommand(argv, { cwd })
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`beta: ${effect}`)
    const { stdout: json } = await runCommand([...argv, '--json'], { cwd })
    expect(JSON.parse(json)).toMatchObject({ allowedTools: [{ skill: 'beta', effect }] })
  })
})

describe('split skills', () => {
  const folder = () => temporaryFolder({ 'skills/a/SKILL.md': '', 'pdf/SKILL.md': '' })

  test('an argument that exists, starts with a dot or has a separator is a path; others are skills', async () => {
    const words = ['a', 'skills', '.', '.hidden', './x', 'x/y', 'x\\y', 'Display name']
    expect(await splitSkills(words, false, await folder())).toEqual({
      skills: ['a', 'Display name'],
      paths: ['skills', '.', '.hidden', './x', 'x/y', 'x\\y'],
    })
  })

  test('with --path a skill may have the name of a folder', async () => {
    await expect(splitSkills(['pdf'], false, await folder())).rejects.toMatchObject({
      code: 'WRONG_USAGE',
      message: 'No skill is given: "pdf" is a path.',
    })
    expect(await splitSkills(['pdf'], true, await folder())).toEqual({ skills: ['pdf'], paths: [] })
  })
})
