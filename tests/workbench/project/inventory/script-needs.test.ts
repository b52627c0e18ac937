import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCatalog, VirtualWorkspace } from 'loadout'
import { loadSkills } from 'loadout/node'
import { expect, test, vi } from 'vitest'
import { describeScriptNeeds } from '../../../../src/workbench/project/inventory/describe-script-needs.ts'
import { scriptNeeds } from '../../../../src/workbench/project/inventory/script-needs.ts'
import { runCommand } from '../../cli/run-command.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const names = (files: Readonly<Record<string, string>>) => {
  const { programs, python, node } = scriptNeeds(new Map(Object.entries(files)))
  return [programs, python, node].map((list) => list.map(({ name }) => name).join(' '))
}

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['the first line', { 'scripts/go': '#!/usr/bin/env -S deno run\n' }, ['deno', '', '']],
  ['a path in it', { 'scripts/go': '#!/bin/bash -eu\nls\n' }, ['bash', '', '']],
  ['python without a version', { 'go.py': '#!/usr/bin/python\n' }, ['python3', '', '']],
  ['an ending', { 'scripts/x.rb': 'puts 1\n', 'lib/y.ps1': '' }, ['ruby pwsh', '', '']],
  [
    'imports of Python',
    { 'a.py': 'import os, numpy as np, pandas\n  from PIL.Image import open\nfrom . import b\n' },
    ['python3', 'numpy pandas PIL', ''],
  ],
  [
    'own modules of Python',
    { 'scripts/a.py': 'import b\nfrom scripts.c import d\nimport e\n', 'scripts/b.py': '' },
    ['python3', 'e', ''],
  ],
  [
    'imports of Node',
    {
      'a.mjs':
        "import { z } from 'zod'\nimport '@a/b/c.js'\nexport * from './x.js'\nimport fs from 'node:fs'\nconst y = require('fs'); await import(\"left-pad/z\")\n// import 'not-this'\n",
    },
    ['node', '', 'zod @a/b left-pad'],
  ],
  [
    'lists of packages',
    {
      'requirements.txt': '# none\nPyYAML>=6\n-r other.txt\nrequests[socks] ; python_version>"3"\n',
      'scripts/package.json': '{"dependencies":{"sharp":"1"},"devDependencies":{"vitest":"1"}}',
    },
    ['', 'PyYAML requests', 'sharp'],
  ],
  ['a list that is no JSON', { 'package.json': '[' }, ['', '', '']],
  ['texts', { 'README.md': 'import numpy\n' }, ['', '', '']],
])('what scripts need is read from %s', (_, files, expected) => {
  expect(names(files)).toEqual(expected)
})

test('long texts are read in time proportional to their length', () => {
  const lines = ['import ', 'from ', "import '", "require('", '#!', 'import a,'].map((one) =>
    one.repeat(40_000),
  )
  for (const text of [...lines, 'import a\n'.repeat(30_000), `${' '.repeat(200_000)}import a`]) {
    const read = names({ 'a.py': text, 'a.mjs': text, 'requirements.txt': text, 'scripts/x': text })
    expect(read[0]).toContain('python3')
  }
})

test('what the machine lacks is said, by its PATH and its folders of packages', async () => {
  const folder = await temporaryFolder({
    'bin/python3': '',
    'lib/python3.12/site-packages/pypdf/__init__.py': '',
    'lib/python3.12/site-packages/PyYAML-6.0.dist-info/METADATA': '',
    'pdf/SKILL.md': '---\nname: pdf\ndescription: Reads files. Use when asked.\n---\nRun it.\n',
    'pdf/scripts/go.py': 'import pypdf\nimport absent\n',
    'pdf/scripts/go.mjs': "import 'zod'\nimport 'other'\n",
    'pdf/requirements.txt': 'pyyaml\n',
    'node_modules/zod/package.json': '{}',
  })
  await chmod(join(folder, 'bin/python3'), 0o755)
  vi.stubEnv('PATH', join(folder, 'bin'))
  const { skills } = await loadSkills([join(folder, 'pdf')])
  const [skill] = skills
  if (skill === undefined) throw new Error('It was not loaded.')
  const [needs, lacks] = await describeScriptNeeds(skill)
  expect(needs).toContain('the Python packages')
  expect(lacks).toBe('This machine lacks: node, absent, other.')
})

const DECLARING =
  '---\nname: shine\ndescription: Polishes. Use when dull.\nmetadata:\n  loadout.programs: polish-it\n---\nPolish.\n'

test('a skill whose declared programs are missing cannot be activated, nor one that requires it, until they are there', async () => {
  const folder = await temporaryFolder({
    'skills/shine/SKILL.md': DECLARING,
    'skills/glow/SKILL.md':
      '---\nname: glow\ndescription: Glows. Use when dark.\nmetadata:\n  loadout.requires: shine\n---\nGlow.\n',
  })
  const open = async () => {
    const catalog = await createCatalog(await loadSkills([join(folder, 'skills')]))
    return VirtualWorkspace.open({ catalog })
  }
  const workspace = await open()
  for (const name of ['shine', 'glow']) {
    expect(workspace.explainSkill(name).status).toBe('missing-requirement')
    expect(await workspace.activateSkill(name)).toMatchObject({
      ok: false,
      code: 'missing-requirement',
      message: expect.stringContaining('programs that this machine does not have: polish-it.'),
    })
    const called = await workspace.callTool('loadSkill', { skillName: name }, { caller: 'model' })
    expect(called).toMatchObject({ ok: false })
  }
  const { hash } = workspace.catalog.skills.get('shine') ?? {}
  await workspace.close()
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin', 'polish-it'), '', { mode: 0o755 })
  vi.stubEnv('PATH', join(folder, 'bin'))
  const again = await open()
  expect(again.explainSkill('glow').status).toBe('inactive')
  expect(again.catalog.skills.get('shine')?.hash).toBe(hash)
  expect(await again.activateSkill('glow')).toMatchObject({ ok: true })
  await again.close()
})

test('loadout why and loadout skills say it before anything is activated', async () => {
  const project = await temporaryFolder({
    'skills/shine/SKILL.md': DECLARING,
    'skills/shine/scripts/rub.py': 'import no_such_package_at_all\n',
  })
  const why = await runCommand(['why', 'shine', 'skills'], { cwd: project })
  expect(why.stdout).toContain('shine (skill): missing-requirement')
  expect(why.stdout).toContain('programs that this machine does not have: polish-it')
  expect(why.stdout).toContain('the Python packages no_such_package_at_all (scripts/rub.py)')
  expect(why.stdout).toMatch(/This machine lacks: .*no_such_package_at_all/u)
  const { stdout } = await runCommand(['skills', 'skills'], { cwd: project })
  expect(stdout).toContain('missing-requirement')
})
