import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { stringify } from 'yaml'
import type { Diagnostic } from '../../../entries/index.ts'
import type { CarnetManifest } from './carnet-manifest.ts'

export const CARNET_CONFIG = 'carnet.config.json'

export const CARNET_MANIFEST = 'carnet.manifest.json'

/** The folders of a Carnet project that contain definitions; nothing else in it is read. */
export const CARNET_SOURCE_FOLDERS: ReadonlySet<string> = new Set([
  'agents',
  'skills',
  'toolsets',
  'tools',
  'rules',
])

/**
 * Returns the files of a Carnet project that builds to this manifest, by path.
 *
 * Carnet finds tools only next to a toolset, so each tool is in the folder of the first toolset
 * that has it. A tool of no toolset is in `tools/<name>/`, where a later Carnet and this library
 * find it. A listed file has an empty `content`: `carnet build` of 0.3.0 refuses the skill without
 * one, then reads the file.
 */
export function carnetFiles(manifest: CarnetManifest): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  files.set(CARNET_CONFIG, `${JSON.stringify({ app: manifest.app }, null, 2)}\n`)
  for (const { name, description, initialSkills, skills, prompt } of valuesOf(manifest.agents)) {
    const fields = { name, description, initialSkills, skills }
    files.set(`agents/${name}/AGENT.md`, markdown(fields, prompt))
  }
  for (const skill of valuesOf(manifest.skills)) {
    const { name, description, toolsets, files: listed = [], content } = skill
    const described = listed.map((file) => ({ ...file, content: '' }))
    const fields = {
      name,
      description,
      toolsets,
      ...(described.length > 0 && { files: described }),
    }
    files.set(`skills/${name}/SKILL.md`, markdown(fields, content))
    for (const file of listed) files.set(`skills/${name}/${file.path}`, file.content)
  }
  const homes = new Map<string, string>()
  for (const { name, description, tools, content } of valuesOf(manifest.toolsets)) {
    files.set(`toolsets/${name}/TOOLSET.md`, markdown({ name, description, tools }, content))
    for (const tool of tools) {
      if (!homes.has(tool)) homes.set(tool, `toolsets/${name}/${tool}.md`)
    }
  }
  for (const { name, description, content } of valuesOf(manifest.tools)) {
    const path = homes.get(name) ?? `tools/${name}/TOOL.md`
    files.set(path, markdown({ name, description }, content))
  }
  return files
}

function valuesOf<T>(named: Readonly<Record<string, T>>): readonly T[] {
  return Object.values(named)
}

function markdown(fields: Readonly<Record<string, unknown>>, body: string): string {
  const yaml = stringify(fields, { lineWidth: 0 })
  return `---\n${yaml}---\n${body === '' ? '' : `\n${body}\n`}`
}

/** The default folder of a Carnet project inside the project that uses it. */
export const CARNET_FOLDER = 'carnet'

/** Returns a project's folder and the `carnet` folder in it, if each is a Carnet project. */
export async function carnetPlaces(project: string): Promise<readonly string[]> {
  const places = await Promise.all(
    [project, join(project, CARNET_FOLDER)].map(async (folder) => {
      const names = await readdir(folder).catch((): string[] => [])
      return names.includes(CARNET_CONFIG) || names.includes(CARNET_MANIFEST) ? [folder] : []
    }),
  )
  return places.flat()
}

const MAX_NAMED = 5

/** Reports the definitions that `include` and `exclude` of a Carnet project leave out, if any. */
export function carnetExcluded(root: string, left: readonly string[]): readonly Diagnostic[] {
  if (left.length === 0) return []
  const named = left.map((path) => relative(root, path).replaceAll('\\', '/')).sort()
  const shown = named.slice(0, MAX_NAMED).join(', ')
  return [
    {
      code: 'carnet-excluded',
      severity: 'info',
      message: `"include" and "exclude" leave out ${left.length} ${left.length === 1 ? 'file' : 'files'}: ${shown}${named.length > MAX_NAMED ? ' and others' : ''}.`,
      hint: 'Change the globs if they should be read.',
      file: join(root, CARNET_CONFIG),
    },
  ]
}
