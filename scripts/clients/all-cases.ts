import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PROJECT } from '../run-command.ts'
import type { ClientCase } from './case-folder.ts'
import { casesOfKinds } from './kinds.ts'

/** The folders of public skills, of others; where they are from and their licences are in its README. */
const CORPUS = join('tests', 'corpus')

/** Returns all cases by id: those that were written by hand, three of each kind, and real folders. */
export function allCases(): readonly (readonly [id: string, ClientCase])[] {
  const file = join(PROJECT, 'tests', 'connections', 'clients', 'given-cases.json')
  const given = JSON.parse(readFileSync(file, 'utf8')) as Record<string, ClientCase>
  return [...Object.entries(given), ...casesOfKinds(), ...realFolders()]
}

/** Returns a case for each skill of the corpus: the project has it, and the home has the next one of another repository. */
function realFolders(): readonly (readonly [id: string, ClientCase])[] {
  const skills = JSON.parse(
    readFileSync(join(PROJECT, CORPUS, 'manifest.json'), 'utf8'),
  ) as readonly { readonly repo: string; readonly path: string }[]
  const copies = ({ repo, path }: (typeof skills)[number]) => {
    const from = join(CORPUS, repo.replace('/', '+'), dirname(path))
    const to = ['.claude/skills', '.agents/skills']
    return Object.fromEntries(to.map((folder) => [`${folder}/${basename(from)}`, from]))
  }
  return skills.map((skill, at) => {
    const other = skills[(at + 11) % skills.length] ?? skill
    const name = `real-${skill.repo.split('/')[0]}-${basename(dirname(skill.path))}`
    const what = `${skill.path} of ${skill.repo}.`
    return [name, { what, copies: copies(skill), home: { copies: copies(other) } }] as const
  })
}
