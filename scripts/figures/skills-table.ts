import { join, relative, sep } from 'node:path'
import { byName } from '../../src/kernel/nearest-names.ts'
import { loadSkills } from '../../src/workbench/project/folders/load-skills.ts'
import { isScript } from '../../src/skills/find-skill-file.ts'
import { describePresuppositions } from '../../src/skills/presuppositions.ts'
import { PROJECT } from '../run-command.ts'
import { markdownTable } from './figures-section.ts'

/** Returns the skills of the corpus as a table: the files that each brings, and what it presupposes. */
export async function skillsTable(): Promise<string> {
  const corpus = join(PROJECT, 'tests', 'corpus')
  const skills = await corpusSkills(corpus)
  if (skills.length === 0) throw new Error('The corpus has no skills.')
  const names = new Set(skills.map(({ name }) => name))
  const rows = skills.map((skill) => {
    const { name, repository, files } = skill
    const { presupposes } = describePresuppositions(skill, {
      toolsByHash: new Map(),
      skills: names,
    })
    const code = files.filter(isScript).length
    return [name, repository, String(files.length), String(code), presupposes.join(', ')]
  })
  const repositories = new Set(skills.map(({ repository }) => repository))
  return [
    markdownTable(['skill', 'repository', 'files', 'code', 'presupposes'], rows),
    `${skills.length} skills of ${repositories.size} repositories.`,
  ].join('\n\n')
}

/** Those of Carnet are examples of its format. */
const EXAMPLES = 'upstart-gg/carnet'

async function corpusSkills(corpus: string) {
  const { skills } = await loadSkills(corpus)
  return skills
    .map((skill) => {
      const [folder = ''] = relative(corpus, skill.path ?? '').split(sep)
      return { ...skill, repository: folder.replace('+', '/') }
    })
    .filter(({ repository }) => repository !== EXAMPLES)
    .sort((a, b) => byName(`${a.name} ${a.repository}`, `${b.name} ${b.repository}`))
}
