import type { Skill, SkillFile } from './definition/skill.ts'

/** The file that a path means, or null if there is none, or more than one. */
type FoundFile = SkillFile | null

/**
 * Finds the file that a model or a text of the skill names: by its exact path, or else as texts of skills
 * write paths.
 *
 * - `./forms.md`, and `reference\forms.md`;
 * - below the base directory, or below a folder with the name of the skill (`.claude/skills/pdf/forms.md`);
 * - in another case (`FORMS.md`);
 * - without its ending (`scripts/check`), its folder (`check.py`), or both (`check`).
 *
 * Each form counts only if exactly one file fits it. Only listed files are found, so a path never leads out
 * of the folder.
 */
export function findSkillFile(
  { name, files, baseDirectory }: Pick<Skill, 'name' | 'files' | 'baseDirectory'>,
  path: string,
): FoundFile {
  const exact = files.find((file) => file.path === path)
  if (exact !== undefined) return exact
  const given = withoutFolders(path, name, baseDirectory)
  const folded = given.toLowerCase()
  return (
    files.find((file) => file.path === given) ??
    onlyOne(files, (file) => file.path.toLowerCase() === folded) ??
    onlyOne(files, (file) => withoutEnding(file.path).toLowerCase() === folded) ??
    onlyOne(files, (file) => file.path.toLowerCase().endsWith(`/${folded}`)) ??
    onlyOne(files, (file) => withoutEnding(file.path).toLowerCase().endsWith(`/${folded}`))
  )
}

/** Returns the paths with a dot that a text names, and where. Those of more than 300 characters are left out. */
export function writtenPaths(
  text: string,
): readonly { readonly path: string; readonly at: number }[] {
  return [...text.matchAll(/[\w@.\/\-]+/gv)].flatMap(({ 0: run, index }) => {
    let [start, end] = [0, run.length]
    while (run[start] === '/') start += 1
    while (end > start && './-'.includes(run.charAt(end - 1))) end -= 1
    const path = run.slice(start, end)
    return path.includes('.') && path.length <= 300 ? { path, at: index + start } : []
  })
}

/** Returns a path with `/`, relative to the folder of the skill. */
function withoutFolders(path: string, skill: string, baseDirectory: string | undefined): string {
  const slashed = path.trim().replaceAll('\\', '/')
  const base = baseDirectory?.replaceAll('\\', '/')
  const inside =
    base !== undefined && slashed.startsWith(`${base}/`) ? slashed.slice(base.length + 1) : slashed
  const folder = `/${skill}/`
  const at = `/${inside}`.lastIndexOf(folder)
  const relative = at < 0 ? inside : `/${inside}`.slice(at + folder.length)
  return relative
    .split('/')
    .filter((part) => part !== '.' && part !== '')
    .join('/')
}

function withoutEnding(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path
}

function onlyOne(files: readonly SkillFile[], fits: (file: SkillFile) => boolean): FoundFile {
  const [first, second] = files.filter(fits)
  return second === undefined ? (first ?? null) : null
}

/** Endings of files that an interpreter runs. */
const CODE_ENDINGS = /\.(?:py|sh|bash|js|mjs|cjs|ts|mts|rb|pl|ps1)$/iu

/** Returns true for a script: a file below `scripts/`, by the open specification, or code anywhere else. */
export function isScript({ path }: SkillFile): boolean {
  return path.startsWith('scripts/') || CODE_ENDINGS.test(path)
}

/** A sentence for models, for a skill with files in a folder. */
export const RELATIVE_PATHS = 'Relative paths in its text are meant from its base directory.'
