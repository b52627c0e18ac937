import type { Refusal } from '../model/command.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { didYouMean } from '../../kernel/nearest-names.ts'

/** A SKILL.md that could not be loaded. It is listed by the name of its folder. */
interface UnreadSkill {
  readonly name: string
  readonly skill: undefined
  readonly status: 'broken'
  /** Its path, and the errors in its folder. */
  readonly unread: { readonly path: string; readonly errors: readonly Diagnostic[] }
}

const SKILL_FILE = /[/\\]skill\.md$/iu

const unreadMemo = identityMemo<readonly UnreadSkill[]>()

/** Returns the skills that have errors and could not be loaded, in the order of the findings. */
export function unreadSkills(catalog: Catalog): readonly UnreadSkill[] {
  return unreadMemo([catalog], '', () => {
    const found = catalog.diagnostics.filter(({ severity }) => severity === 'error')
    const files = new Set(
      found.map(({ file = '' }) => file).filter((file) => SKILL_FILE.test(file)),
    )
    // A manifest makes its skills when they are read.
    if (files.size === 0) return []
    const skills = [...catalog.skills.values(), ...catalog.shadowedSkills]
    const loaded = new Set(skills.map(({ path }) => path))
    return [...files].flatMap((path) => {
      if (loaded.has(path)) return []
      const folder = path.slice(0, -'SKILL.md'.length)
      const name = folder.split(/[/\\]/u).at(-2) ?? ''
      const errors = found.filter(({ file }) => file?.startsWith(folder))
      return [{ name, skill: undefined, status: 'broken' as const, unread: { path, errors } }]
    })
  })
}

/** Returns the errors because of which a skill could not be loaded; none for any other name. */
export function loadingErrors(name: string, catalog: Catalog): readonly Diagnostic[] {
  return unreadSkills(catalog).flatMap((one) => (one.name === name ? one.unread.errors : []))
}

/** Returns the refusal of a skill that the catalog does not have: it could not be loaded, or has never been there. */
export function skillMissing(name: string, nearest: readonly string[], catalog: Catalog): Refusal {
  const errors = loadingErrors(name, catalog)
  if (errors.length === 0) {
    return {
      code: 'skill-unknown',
      message: `No skill is named "${name}".`,
      hint: didYouMean(nearest, 'List the skills to see their names.'),
      facts: { skill: name, nearest },
    }
  }
  return {
    code: 'broken',
    // A model may read this, and must not read a file that nobody could.
    message: `The skill "${name}" could not be loaded: its SKILL.md has errors.`,
    hint: 'For the host, explainSkill names them.',
    facts: { skill: name },
  }
}
