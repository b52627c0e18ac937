import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileTools, openFolderSandbox, shellTool } from 'loadout/node'
import { expect, test } from 'vitest'
import {
  CALL_PATTERNS,
  PATH_CALLS,
  readObservedPaths,
} from '../../../scripts/clients/observe-paths.ts'
import { PATH_PATTERNS, READ_FILES } from '../../../scripts/clients/path-patterns.ts'
import { defineSkill } from '../../../src/entries/index.ts'
import { parseSkillFile } from '../../../src/skills/parse/parse-skill-file.ts'
import { temporaryFolder } from '../../workbench/project/temporary-folder.ts'
import { aWorkspace } from '../../workspace/a-workspace.ts'

const withPaths = (patterns: readonly string[]) =>
  patterns.flatMap((paths, at) => {
    const text = `---\nname: p${at + 1}\ndescription: A.\npaths: ${paths}\n---\nB.\n`
    const { definition } = parseSkillFile({ text, file: 'SKILL.md', folder: `p${at + 1}` })
    return definition === null ? [] : [defineSkill(definition)]
  })

type Workspace = Awaited<ReturnType<typeof aWorkspace>>

/** Returns the values of `paths` whose skills are offered to models. */
function listedIn(workspace: Workspace, patterns: readonly string[]): readonly string[] {
  const isHidden = (name: string) =>
    workspace.explainSkill(name).because.some(({ text }) => text.includes('hidden from models'))
  return patterns.filter((_, at) => !isHidden(`p${at + 1}`))
}

async function listedAfter(paths: readonly string[]): Promise<readonly string[]> {
  const workspace = await aWorkspace({ skills: withPaths(PATH_PATTERNS) })
  if (paths.length > 0) await workspace.note({ paths })
  return listedIn(workspace, PATH_PATTERNS)
}

test('after each file, models are offered the skills that Claude Code listed after reading it', async () => {
  const { patterns } = readObservedPaths()
  expect(Object.keys(patterns)).toEqual(PATH_PATTERNS)
  const isListed = (pattern: string, file?: string) => {
    const seen = patterns[pattern] ?? []
    return seen === 'from the start' || (file !== undefined && seen.includes(file))
  }
  expect(await listedAfter([])).toEqual(PATH_PATTERNS.filter((one) => isListed(one)))
  for (const file of READ_FILES) {
    const expected = PATH_PATTERNS.filter((one) => isListed(one, file))
    expect([file, ...(await listedAfter([file]))]).toEqual([file, ...expected])
  }
})

test.each(PATH_CALLS)(
  'a model that $what is offered the skills that Claude Code listed then',
  async ({ what, name, input }) => {
    const project = await temporaryFolder({ 'src/a.ts': 'a\n', 'apps/src/a.ts': 'a\n' })
    const home = await temporaryFolder({ 'src/a.ts': 'a\n' })
    await symlink('src/a.ts', join(project, 'apps/link.md'))
    const sandbox = openFolderSandbox({ folder: join(project, 'apps') })
    const workspace = await aWorkspace(
      {
        skills: withPaths(CALL_PATTERNS),
        tools: [...fileTools({ sandbox }), shellTool({ sandbox })],
      },
      { policy: { permissions: { allow: ['*'] } } },
    )
    const filled = JSON.stringify(input)
      .replaceAll('{{project}}', project)
      .replaceAll('{{home}}', home)
    await workspace.callTool(name, JSON.parse(filled), { caller: 'model' })
    // Here a file counts once it was used.
    const isUsed = what !== 'reads a file that is not there'
    const expected = isUsed ? readObservedPaths().calls[what] : []
    expect(listedIn(workspace, CALL_PATTERNS)).toEqual(expected)
  },
)
