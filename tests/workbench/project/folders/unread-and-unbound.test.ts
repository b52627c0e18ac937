import { VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, test } from 'vitest'
import { runCommand } from '../../cli/run-command.ts'
import { skillText, temporaryFolder, toolTree, type Tree } from '../temporary-folder.ts'

const BAD: Tree = {
  'skills/bad/SKILL.md': '---\nname: [\n---\n',
  'skills/bad/tools/odd/schema.json': '{',
  'skills/good/SKILL.md': skillText('good'),
}

/** A session on a folder, and the answer of the command about a name in it. */
async function aProject(tree: Tree, trusted = true) {
  const cwd = await temporaryFolder(tree)
  const { catalog } = await openProject(cwd, { project: cwd, home: null, trusted })
  const workspace = await VirtualWorkspace.open({ catalog })
  const why = async (name: string, ...argv: string[]) => {
    const trust = trusted ? ['--trust'] : []
    const { stdout } = await runCommand(['why', name, '.', ...trust, ...argv, '--json'], { cwd })
    return JSON.parse(stdout) as unknown
  }
  return { cwd, workspace, why }
}

test.each([
  ['untrusted', undefined, false, /^The handler of "send" was not run: its folder is not trusted/],
  ['missing', null, true, /^The tool "send" has no handler/],
  ['failing', 'throw new Error("no mail")\n', true, /could not be imported: no mail/],
  ['without execute', 'export const run = 1\n', true, /exports no function named execute/],
] as const)(
  'a tool whose handler is %s is explained by the session as by the command',
  async (_, handler, trusted, text) => {
    for (const [folder, activate] of [
      ['tools/send', []],
      ['skills/mail/tools/send', ['mail']],
    ] as const) {
      const { workspace, why } = await aProject(
        { 'skills/mail/SKILL.md': skillText('mail'), ...toolTree(folder, handler) },
        trusted,
      )
      for (const skill of activate) await workspace.activateSkill(skill, { by: 'user' })
      const explanation = workspace.explain('send')
      expect(explanation).toMatchObject({ status: 'unbound', fix: expect.stringMatching(/./) })
      expect(explanation.because.at(-1)).toMatchObject({
        text: expect.stringMatching(text),
        file: expect.stringContaining('send'),
      })
      expect(await why('send', ...activate.flatMap((one) => ['--activate', one]))).toEqual(
        explanation,
      )
    }
  },
)

test('a model that calls a tool without a handler reads nothing of the files of the host', async () => {
  const tree = toolTree('tools/send', 'throw new Error("no mail")\n')
  const { workspace, cwd } = await aProject(tree, false)
  const response = await workspace.callTool('send', {}, { caller: 'model' })
  const text = JSON.stringify(response)
  expect(response).toMatchObject({ ok: false, error: { details: { code: 'unbound' } } })
  for (const secret of [cwd, 'loadout trust', 'no mail']) expect(text).not.toContain(secret)
})

test('the finding is about the definition that has no handler, and not about another of its name', async () => {
  const { workspace } = await aProject({
    'skills/one/SKILL.md': skillText('one'),
    ...toolTree('skills/one/tools/send', 'throw new Error("no mail")\n'),
    'skills/two/SKILL.md': skillText('two'),
    ...toolTree('skills/two/tools/send', null),
    'skills/two/tools/send/doc_summary.md': 'Sends in another way.\n',
  })
  await workspace.activateSkill('two')
  expect(workspace.explain('send').because.at(-1)?.text).toContain('has no handler')
  await workspace.deactivateSkill('two')
  await workspace.activateSkill('one')
  expect(workspace.explain('send').because.at(-1)?.text).toContain('no mail')
})

test('a skill that could not be loaded is broken for the session as for the command', async () => {
  const { cwd, workspace, why } = await aProject(BAD)
  const explanation = workspace.explainSkill('bad')
  expect(explanation).toMatchObject({
    status: 'broken',
    because: [
      { text: expect.stringMatching(/^It could not be loaded: Not valid YAML/), line: 3 },
      { text: expect.stringMatching(/^It could not be loaded: /) },
    ],
    fix: expect.stringMatching(/^Write one `key: value` per line/),
  })
  expect(await why('bad')).toEqual(explanation)
  const names = workspace.skills().map(({ name, status }) => `${name} ${status}`)
  expect(names).toEqual(['good inactive', 'bad broken'])
  const { stdout } = await runCommand(['skills', '.', '--json', '--trust'], { cwd })
  const listed = JSON.parse(stdout) as readonly { name: string; status: string }[]
  expect(listed.map(({ name, status }) => `${name} ${status}`)).toEqual(names)
})

test('the gate refuses a skill that could not be loaded, and says why', async () => {
  const { workspace } = await aProject(BAD)
  const refusal = {
    ok: false,
    code: 'broken',
    message: expect.stringContaining('"bad" could not be loaded: its SKILL.md has errors.'),
    hint: 'For the host, explainSkill names them.',
  }
  expect(await workspace.activateSkill('bad')).toMatchObject(refusal)
  expect(await workspace.activateSkill('bad', { by: 'user' })).toMatchObject(refusal)
  expect(await workspace.deactivateSkill('bad')).toMatchObject(refusal)
  await workspace.beginStep()
  const call = { skillName: 'bad' }
  expect(await workspace.callTool('loadSkill', call, { caller: 'model' })).toMatchObject({
    ok: false,
    error: { type: 'UNAVAILABLE', message: refusal.message, details: { code: 'broken' } },
  })
  expect(await workspace.activateSkill('worse')).toMatchObject({ code: 'skill-unknown' })
})

test('a model never reads of a skill that could not be loaded', async () => {
  const { workspace } = await aProject(BAD)
  const shown = JSON.stringify([await workspace.beginStep(), workspace.prompt().text])
  expect(shown).toContain('good')
  expect(shown).not.toContain('bad')
})

test('a skill that requires one that could not be loaded is explained by its error', async () => {
  const { workspace } = await aProject({
    ...BAD,
    'skills/good/SKILL.md': skillText('good', 'metadata:\n  loadout.requires: bad\n'),
  })
  expect(workspace.explainSkill('good')).toMatchObject({
    status: 'missing-requirement',
    because: [{}, { text: expect.stringContaining('but it could not be loaded: Not valid YAML') }],
    fix: expect.stringMatching(/^Write one/),
  })
})

test('of two folders of one name, the skill that could be loaded is used, and the other one is listed', async () => {
  const { workspace } = await aProject({ ...BAD, 'more/bad/SKILL.md': skillText('bad') })
  expect(workspace.skills().map(({ status }) => status)).toEqual(['inactive', 'inactive', 'broken'])
  expect(workspace.explainSkill('bad').status).toBe('inactive')
  expect(await workspace.activateSkill('bad')).toMatchObject({ ok: true })
})
