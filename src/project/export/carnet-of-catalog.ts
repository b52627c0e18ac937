import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CarnetManifest } from '../../adapters/carnet/format/carnet-manifest.ts'
import { manifestOfDefinitions } from '../../adapters/carnet/format/manifest-of-definitions.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'

/** A catalog as a Carnet manifest, with the texts of its skills' files. */
export async function carnetOfCatalog(
  catalog: Catalog,
): Promise<{ readonly manifest: CarnetManifest; readonly diagnostics: readonly Diagnostic[] }> {
  const skills = [...catalog.skills.values()]
  const files = skills.flatMap((skill) => skill.files.map(({ path }) => ({ skill, path })))
  const texts = new Map<Skill, Map<string, string>>(skills.map((skill) => [skill, new Map()]))
  const missed: Diagnostic[] = []
  await mapBounded(files, FILES_AT_ONCE, async ({ skill, path }) => {
    try {
      const text = await skill.readFile?.(path)
      if (text !== undefined) texts.get(skill)?.set(path, text)
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      missed.push(leftOut(skill, path, error.message))
    }
  })
  const source = {
    skills,
    toolsets: [...catalog.toolsets.values()],
    tools: [...catalog.sharedTools.values()].flatMap(([latest]) => latest ?? []),
    agents: [...catalog.agents.values()],
  }
  const { manifest, diagnostics } = manifestOfDefinitions(source, (skill, path) =>
    texts.get(skill)?.get(path),
  )
  missed.sort((a, b) => (a.message < b.message ? -1 : 1))
  return { manifest, diagnostics: [...diagnostics, ...missed] }
}

function leftOut({ path: file }: Skill, path: string, why: string): Diagnostic {
  return {
    code: 'carnet-file-left-out',
    severity: 'warning',
    message: `The file "${path}" is left out: ${why}`,
    hint: 'Carnet keeps files as text in its manifest; copy others beside it.',
    ...(file !== undefined && { file }),
  }
}
