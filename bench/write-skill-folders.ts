import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { INPUT_SCHEMA, type SkillText } from './generate-skills.ts'

/** Skills written at the same time. */
const AT_ONCE = 64

/**
 * Writes skills as folders, each with its tools: four folders and seven files for each skill. It can be
 * repeated.
 */
export async function writeSkillFolders(
  folder: string,
  texts: readonly SkillText[],
): Promise<void> {
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    await Promise.all(texts.slice(from, from + AT_ONCE).map((text) => writeSkill(folder, text)))
  }
}

async function writeSkill(
  root: string,
  { name, description, instructions, tools }: SkillText,
): Promise<void> {
  const folder = join(root, name)
  await mkdir(folder, { recursive: true })
  const head = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`
  await writeFile(join(folder, 'SKILL.md'), `${head}\n${instructions}\n`)
  for (const tool of tools) {
    const place = join(folder, 'tools', tool.name)
    await mkdir(place, { recursive: true })
    const schema = { toolId: tool.name, description: tool.description, parameters: INPUT_SCHEMA }
    await writeFile(join(place, 'schema.json'), JSON.stringify(schema))
    await writeFile(join(place, 'doc_summary.md'), `${tool.description}\nSafe to repeat.\n`)
  }
}
