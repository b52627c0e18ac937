import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'
import { WORKBENCH } from '../workbench.ts'

const CARNET = join(WORKBENCH, '../carnet-project')

test('an import reports the outcome of each item', async () => {
  const cwd = await temporaryFolder()
  const { code, stdout, stderr } = await runCommand(['import', 'carnet', CARNET, 'shop'], { cwd })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatchInlineSnapshot(`
    "changed skill orders -> skills/orders/SKILL.md
            Its toolsets are in metadata, as loadout.toolsets.
    changed skill refunds -> skills/refunds/SKILL.md
            Its toolsets are in metadata, as loadout.toolsets.
            The descriptions of its files stay in "files", which other programs do not read.
    taken   toolset order-tools -> toolsets/order-tools/TOOLSET.md
    taken   toolset refund-tools -> toolsets/refund-tools/TOOLSET.md
    changed tool findOrder -> tools/findOrder/schema.json
            Its arguments are unknown: describe them in schema.json, or register the tool in code.
    changed tool payBack -> tools/payBack/schema.json
            Its arguments are unknown: describe them in schema.json, or register the tool in code.
    taken   agent support -> agents/support/AGENT.md
    left    settings output
            Carnet wrote its manifest to "./carnet"; use "loadout build --out" to set the path here.
    taken   settings environment -> loadout.config.json
    4 taken unchanged, 4 changed, 1 left out; 11 files written.
    "
  `)
  const again = await runCommand(['import', 'carnet', CARNET, 'shop', '--json'], { cwd })
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'FILES_EXIST' } })
})

test('--json prints the same, with every key', async () => {
  const cwd = await temporaryFolder({ '.claude/commands/go.md': 'Go \u001b[31mon.\n' })
  const { stdout } = await runCommand(['import', 'claude', '.', 'to', '--json'], { cwd })
  expect(JSON.parse(stdout)).toEqual({
    from: cwd,
    to: join(cwd, 'to'),
    files: [join(cwd, 'to/skills/go/SKILL.md')],
    items: [
      {
        outcome: 'changed',
        kind: 'command',
        name: 'go',
        from: 'commands/go.md',
        to: 'skills/go/SKILL.md',
        notes: [expect.any(String), expect.any(String)],
      },
    ],
  })
})

test('an export reports what is lost, and --verbose adds hints', async () => {
  const cwd = await temporaryFolder({
    'skills/alpha/SKILL.md': skillText('alpha', 'metadata:\n  loadout.toolsets: web\n'),
    'toolsets/web/TOOLSET.md': '---\nname: web\ndescription: W.\ntools: fetch\n---\nUse.\n',
    'tools/fetch/TOOL.md': '---\nname: fetch\ndescription: Fetches.\n---\nAll.\n',
  })
  const { code, stdout } = await runCommand(['export', 'skills', 'out'], { cwd })
  expect(code).toBe(0)
  expect(stdout.replaceAll(cwd, '…')).toMatchInlineSnapshot(`
    "lost: The tools of the toolset "web" became tools of the skill "alpha"; the toolset's instructions are not in the folder.
    Exported 1 skill: 3 files to …/out.
    "
  `)
  const verbose = await runCommand(['export', 'skills', 'other', '--verbose'], { cwd })
  expect(verbose.stdout).toContain('\n  Add what matters to the instructions')
  const json = await runCommand(['export', 'carnet', 'carnet', '--json'], { cwd })
  expect(JSON.parse(json.stdout)).toMatchObject({
    to: join(cwd, 'carnet'),
    files: expect.arrayContaining([join(cwd, 'carnet/skills/alpha/SKILL.md')]),
    losses: [],
  })
})

test('without skills it is an error, and no folder is created', async () => {
  const cwd = await temporaryFolder({ 'notes.txt': '' })
  const { code, stderr } = await runCommand(['export', 'skills', 'out', '.', '--json'], { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'NOTHING_TO_EXPORT' } })
  await expect(readFile(join(cwd, 'out'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a Carnet folder can be opened like any other', async () => {
  const cwd = await temporaryFolder()
  const frame = await runCommand(
    [
      'play',
      CARNET,
      '--agent',
      'support',
      '--snapshot',
      'text',
      '--columns',
      '100',
      '--rows',
      '30',
    ],
    { cwd },
  )
  expect(frame.code).toBe(0)
  expect(frame.stdout).toContain('refunds')
  const glance = await runCommand(['play', CARNET, '--agent', 'support', '--json'], { cwd })
  expect(JSON.parse(glance.stdout)).toMatchObject({
    skills: [
      { name: 'orders', status: 'active', tools: ['findOrder'] },
      { name: 'refunds', status: 'inactive', tools: ['payBack'] },
    ],
  })
})

test('--manifest writes only the manifest that the class of Carnet reads, and never over one', async () => {
  const cwd = await temporaryFolder()
  const argv = ['export', 'carnet', 'new/folder', CARNET, '--manifest', '--json']
  const { code, stdout } = await runCommand(argv, { cwd })
  expect(code).toBe(0)
  const file = join(cwd, 'new/folder/carnet.manifest.json')
  expect(JSON.parse(stdout)).toMatchObject({ files: [file] })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: 1 })
  const again = await runCommand(argv, { cwd })
  expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'FILES_EXIST' } })
  const skills = await runCommand(['export', 'skills', 'x', CARNET, '--manifest'], { cwd })
  expect([skills.code, skills.stderr]).toEqual([2, expect.stringContaining('only for carnet')])
})
