import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Every place of the source that reads the text or a file of a skill, and what keeps a model or a client from more than
 * the rules about `loadSkill` and `loadSkillFile` let it read. A new place fails here: it asks `approvals.reading`, or a
 * call's verdict, or shows the text to nobody but the person whose files they are.
 */
const PLACES = {
  'connections/mcp/server/catalog-skills.ts': 'approvals.reading',
  'connections/mcp/server/served-prompts.ts': 'refusedSkills',
  'render/prompt/sections/skill-section.ts': 'an active skill: its activation was judged',
  'workspace/offer/meta-tools/load-skill-meta-tool.ts': 'a call of loadSkillFile',
  'workspace/plan/plan-skills.ts': 'counts tokens',
  'workbench/project/sandbox/with-skill-folders.ts':
    'skills that run-call.ts gives: keepsFilesBack',
  'workbench/project/export/export-carnet.ts': 'files of the person',
  'workbench/project/export/folder-files.ts': 'files of the person',
  'workbench/project/open-skill-trust.ts': 'the screen of the person',
  'workbench/playground/panes/skill-details.ts': 'the screen of the person',
  'connections/carnet/format/manifest-of-definitions.ts': 'files of the person',
  'skills/presuppositions.ts': 'names of files and servers',
  'skills/definition/define-skill.ts': 'makes the skill',
} satisfies Readonly<Record<string, string>>

/** A member of a skill, by the names that skills have in the source. */
const READ = /\bskill\??\.(?:instructions|readFile)\b|skills\.get\([^)]*\)\?\.instructions/u

test('each place that reads a skill is known, with what judges the reading', () => {
  const files = globSync('src/**/*.ts')
  const reading = files.flatMap((file) =>
    READ.test(readFileSync(file, 'utf8')) ? [file.replace(/^src\//u, '')] : [],
  )
  console.info(`${files.length} files, ${reading.length} of them read skills`)
  expect(reading.filter((file) => !Object.hasOwn(PLACES, file))).toEqual([])
})

test.each(Object.entries(PLACES).filter(([, judge]) => /^[a-z]+\.?[a-zA-Z]+$/u.test(judge)))(
  '%s asks %s',
  (file, judge) => {
    const folder = file.replace(/[^/]+$/u, '')
    const texts = globSync(`src/${folder}*.ts`).map((one) => readFileSync(one, 'utf8'))
    const [name = ''] = judge.split('.').slice(-1)
    expect(texts.some((text) => text.includes(name))).toBe(true)
  },
)
