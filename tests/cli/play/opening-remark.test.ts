import { openProject } from 'loadout/node'
import { expect, test } from 'vitest'
import { openingRemark } from '../../../src/cli/commands/play-command.ts'
import {
  skillText,
  temporaryFolder,
  toolTree,
  type Tree,
} from '../../adapters/disk/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const RUN = 'export const execute = () => 1\n'
const OWLS = { 'owls/SKILL.md': skillText('owls'), ...toolTree('owls/tools/look', RUN) }
const BROKEN = { 'mice/SKILL.md': '---\nname: [\n---\n' }

test('folders that were not looked into are told of, on stderr, too', async () => {
  const deep = 'a/b/c/d/e/f/g/h/SKILL.md'
  const root = await temporaryFolder({ ...OWLS, [deep]: skillText('h') })
  const project = await openProject([root], { home: null, project: root, trusted: true })
  expect(openingRemark(project)).toBe('Not every folder was looked into: too many, or too deep.')
  const { stderr } = await runCommand(['skills', '.', '--trust'], { cwd: root })
  expect(stderr).toContain('not looked into')
})

test.each<{ what: string; tree: Tree; trusted: boolean; says: string }>([
  { what: 'whole and trusted', tree: OWLS, trusted: true, says: '' },
  {
    what: 'not trusted',
    tree: OWLS,
    trusted: false,
    says: '1 module not run: not trusted (--trust, or loadout trust).',
  },
  {
    what: 'broken',
    tree: { ...OWLS, ...BROKEN },
    trusted: true,
    says: '1 skill could not be loaded.',
  },
])('a screen on a folder that is $what begins with: $says', async ({ tree, trusted, says }) => {
  const root = await temporaryFolder(tree)
  const project = await openProject([root], { home: null, project: root, trusted })
  expect(openingRemark(project)).toBe(says)
})
