import { cpSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { PROJECT } from '../run-command.ts'

/** A tree as data. In texts and in targets of links, `{{project}}` and `{{home}}` are the folders. */
interface CaseTree {
  readonly files?: Readonly<Record<string, string>>
  /** Base64, for texts that are not UTF-8. */
  readonly bytes?: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  readonly make?: readonly MadeSkills[]
  /** Folders of this repository that are copied, by where to. */
  readonly copies?: Readonly<Record<string, string>>
}

/** Skills `prefix-001` and so on, with descriptions of exactly `length` characters, from a seed. */
interface MadeSkills {
  readonly under: string
  readonly count: number
  readonly prefix?: string
  readonly length?: number
  readonly seed?: number
}

/** A small project with a home, and how it is used. */
export interface ClientCase extends CaseTree {
  readonly what: string
  readonly home?: CaseTree
  /** The working folder, below the project. */
  readonly cwd?: string
  /** The roots of repositories, the project by default. */
  readonly git?: readonly string[]
  /** Tokens of the model's window, where it is not the client's default. */
  readonly window?: number
}

export interface CaseFolders {
  readonly project: string
  readonly home: string
  readonly cwd: string
}

/** The length of the path of a case: budgets count paths, so it is the same on every machine. */
const PATH_LENGTH = 110

/** Makes the folders of a case, `project` and `home`, in a folder of its own. */
export function makeCase(one: ClientCase, name: string): CaseFolders {
  const base = join(realpathSync(tmpdir()), `loadout-clients-${process.pid}-${name}-`)
  const root = base.padEnd(PATH_LENGTH, '0').slice(0, Math.max(base.length, PATH_LENGTH))
  rmSync(root, { recursive: true, force: true })
  const [project, home] = [join(root, 'project'), join(root, 'home')]
  fillFolder(project, one, { project, home })
  fillFolder(home, one.home ?? {}, { project, home })
  for (const folder of one.git ?? ['.']) {
    const at = join(project, folder, '.git')
    put(join(at, 'HEAD'), 'ref: refs/heads/main\n')
    put(join(at, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n')
    for (const part of ['objects', 'refs']) mkdirSync(join(at, part), { recursive: true })
  }
  const cwd = join(project, one.cwd ?? '.')
  mkdirSync(cwd, { recursive: true })
  return { project, home, cwd }
}

/** Returns files of skills: each text in each of the folders, by the name of the skill's folder. */
export function skillsIn(
  folders: readonly string[],
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    folders.flatMap((folder) =>
      Object.entries(texts).map(([name, text]) => [`${folder}/${name}/SKILL.md`, text]),
    ),
  )
}

/** Removes the folders of a case. */
export function removeCase({ project }: CaseFolders): void {
  if (!isAbsolute(project)) throw new Error(`"${project}" is the folder of no case.`)
  rmSync(dirname(project), { recursive: true, force: true })
}

function fillFolder(
  folder: string,
  { files = {}, bytes = {}, links = {}, make = [], copies = {} }: CaseTree,
  names: Readonly<{ project: string; home: string }>,
): void {
  mkdirSync(folder, { recursive: true })
  const filled = (text: string) =>
    text.replaceAll('{{project}}', names.project).replaceAll('{{home}}', names.home)
  for (const [path, text] of Object.entries(files)) put(join(folder, path), filled(text))
  for (const [path, text] of Object.entries(bytes))
    put(join(folder, path), Buffer.from(text, 'base64'))
  for (const [path, from] of Object.entries(copies)) {
    cpSync(join(PROJECT, from), join(folder, path), { recursive: true })
  }
  for (const [path, text] of make.flatMap(madeSkills)) put(join(folder, path), text)
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(filled(target), join(folder, path))
  }
}

function put(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

const WORDS =
  'sort read send count plot mail text page rows file plan test list move copy join pack sign tidy draw'.split(
    ' ',
  )

function madeSkills({
  under,
  count,
  prefix = 'skill',
  length = 60,
  seed = 1,
}: MadeSkills): readonly (readonly [string, string])[] {
  const next = randomNumbers(seed)
  return Array.from({ length: count }, (_, index) => {
    const name = `${prefix}-${String(index + 1).padStart(3, '0')}`
    let text = `Use when asked for ${index + 1}:`
    while (text.length < length) text += ` ${WORDS[Math.floor(next() * WORDS.length)]}`
    const description = text.slice(0, length).replace(/ $/, 'x')
    const header = `---\nname: ${name}\ndescription: "${description}"\n---\n`
    return [`${under}/${name}/SKILL.md`, `${header}Body of ${name}.\n`] as const
  })
}

/** Returns a function that returns numbers from 0 to 1, always the same ones for a seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}
