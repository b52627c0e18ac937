import { stringify } from 'yaml'
import type { CarnetManifest } from './carnet-manifest.ts'

/**
 * The files of a Carnet project that builds to this manifest, by path. Carnet finds tools only beside
 * a toolset, so each stands in the folder of the first that has it, and one in no toolset in
 * `tools/<name>/`, where a later Carnet and this library find it. A listed file has an empty
 * `content`: `carnet build` of 0.3.0 refuses the skill without one, then reads the file.
 */
export function carnetFiles(manifest: CarnetManifest): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  files.set('carnet.config.json', `${JSON.stringify({ app: manifest.app }, null, 2)}\n`)
  for (const { name, description, initialSkills, skills, prompt } of all(manifest.agents)) {
    const fields = { name, description, initialSkills, skills }
    files.set(`agents/${name}/AGENT.md`, markdown(fields, prompt))
  }
  for (const skill of all(manifest.skills)) {
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
  for (const { name, description, tools, content } of all(manifest.toolsets)) {
    files.set(`toolsets/${name}/TOOLSET.md`, markdown({ name, description, tools }, content))
    for (const tool of tools) {
      if (!homes.has(tool)) homes.set(tool, `toolsets/${name}/${tool}.md`)
    }
  }
  for (const { name, description, content } of all(manifest.tools)) {
    const path = homes.get(name) ?? `tools/${name}/TOOL.md`
    files.set(path, markdown({ name, description }, content))
  }
  return files
}

function all<T>(named: Readonly<Record<string, T>>): readonly T[] {
  return Object.values(named)
}

function markdown(fields: Readonly<Record<string, unknown>>, body: string): string {
  const yaml = stringify(fields, { lineWidth: 0 })
  return `---\n${yaml}---\n${body === '' ? '' : `\n${body}\n`}`
}
