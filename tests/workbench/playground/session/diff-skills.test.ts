import { createCatalog, defineTool, type Diagnostic } from 'loadout'
import { expect, test } from 'vitest'
import {
  describeDiskChanges,
  diffSkills,
  sortChanges,
} from '../../../../src/workbench/playground/session/diff-skills.ts'
import { aSkill, aTool } from '../../../workspace/a-workspace.ts'

type Definitions = Parameters<typeof createCatalog>[0]

const path = '/skills/owls/SKILL.md'
const owls = (more: Parameters<typeof aSkill>[1] = {}) => aSkill('owls', { path, ...more })
const error = (file: string): Diagnostic => ({
  code: 'bad',
  severity: 'error',
  message: 'It is bad.',
  hint: '',
  file,
})
const before: Definitions = { skills: [owls(), aSkill('mice', { extends: ['owls'] })] }
const unbound = defineTool({ name: 'owls_tool', description: 'Does owls_tool.' })

test.each<{ title: string; after: Definitions; texts: readonly string[] }>([
  { title: 'nothing differs', after: before, texts: [] },
  {
    title: 'instructions, description and files differ',
    after: {
      skills: [
        owls({
          instructions: 'Hoot.',
          description: 'Anew.',
          files: [{ path: 'a.md', text: 'A' }],
        }),
        aSkill('mice', { extends: ['owls'] }),
      ],
    },
    texts: ['owls changed: instructions, description, files.'],
  },
  {
    title: 'tools come, go and differ, for heirs too',
    after: {
      skills: [
        owls({ tools: [aTool('owls_tool', { description: 'Anew.' }), aTool('fly')] }),
        aSkill('mice', { extends: ['owls'], tools: [] }),
      ],
    },
    texts: [
      'mice changed: tools (+fly -mice_tool ~owls_tool).',
      'owls changed: tools (+fly ~owls_tool).',
    ],
  },
  {
    title: 'only settings differ',
    after: { skills: [owls({ tags: ['night'] }), aSkill('mice', { extends: ['owls'] })] },
    texts: ['owls changed: settings.'],
  },
  {
    title: 'skills come and go',
    after: { skills: [owls(), aSkill('bats')] },
    texts: ['bats added: It can be activated.', 'mice removed: It is no longer on disk.'],
  },
  {
    title: 'a definition cannot be read any more',
    after: {
      skills: [aSkill('mice', { tools: [aTool('mice_tool'), aTool('owls_tool')] })],
      diagnostics: [error(path)],
    },
    texts: ['mice changed: settings.', 'owls broken: It is bad.'],
  },
  {
    title: 'an error outside the folder of a removed skill is not its own',
    after: { skills: [aSkill('mice')], diagnostics: [error('/skills/owls-of-others/SKILL.md')] },
    texts: ['mice changed: tools (-owls_tool).', 'owls removed: It is no longer on disk.'],
  },
  {
    title: 'a tool cannot be read any more',
    after: {
      skills: [owls({ tools: [] })],
      diagnostics: [error('/skills/owls/tools/owls_tool/schema.json')],
    },
    texts: ['mice removed: It is no longer on disk.', 'owls broken: It is bad.'],
  },
  {
    title: 'an error that costs no tool breaks nothing',
    after: {
      skills: [owls({ instructions: 'Hoot.' }), aSkill('mice', { extends: ['owls'] })],
      diagnostics: [error('/skills/owls/tools/other/schema.json')],
    },
    texts: ['owls changed: instructions.'],
  },
  {
    title: 'a handler is gone',
    after: { skills: [owls({ tools: [unbound] })] },
    texts: [
      'mice removed: It is no longer on disk.',
      'owls broken: The tool "owls_tool" has lost its handler.',
    ],
  },
])('$title', async ({ after, texts }) => {
  const changes = diffSkills(await createCatalog(before), await createCatalog(after))
  expect(changes.map(({ skill, what, text }) => `${skill} ${what}: ${text}`)).toEqual(texts)
})

const change = (skill: string, what: 'added' | 'changed' | 'removed' | 'broken') => ({
  skill,
  what,
  text: 'It differs.',
})

test('changes of active or broken skills wait, all others are applied', () => {
  const changes = [
    change('a', 'added'),
    change('b', 'changed'),
    change('c', 'removed'),
    change('d', 'broken'),
    change('e', 'changed'),
    change('f', 'removed'),
  ]
  const { waiting, applied } = sortChanges(changes, ['e', 'f'])
  expect(applied).toEqual(changes.slice(0, 3))
  expect(waiting.map(({ text }) => text)).toEqual([
    'It differs. The last good version is used.',
    'It differs. Not applied yet: press a to accept it.',
    'It differs. Not applied yet: press a to accept it.',
  ])
})

test('a few changes are listed, many are counted', () => {
  const few = [change('a', 'added'), change('b', 'changed'), change('c', 'added')]
  expect(describeDiskChanges(few)).toBe(
    'a added: It differs. b changed: It differs. c added: It differs.',
  )
  expect(describeDiskChanges([...few, change('d', 'removed')])).toBe(
    '2 added, 1 changed, 1 removed on disk.',
  )
})
