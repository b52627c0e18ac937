import { createHash } from 'node:crypto'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Manifest } from './manifest.ts'

/**
 * The identity of a checked manifest: over every text a model may read, in the manifest's order. Texts are hashed
 * as they are, with their lengths between them; writing twenty megabytes as JSON first takes longer.
 */
export function manifestHash({
  version,
  app,
  agents,
  skills,
  toolsets,
  tools,
}: Manifest): ContentHash {
  const hash = createHash('sha256')
  const add = (kind: string, texts: readonly string[]) => {
    const lengths = texts.map((text) => text.length)
    hash.update(`${kind} ${lengths.join(' ')}\n${texts.join('')}`)
  }
  const list = (texts: readonly string[]) => JSON.stringify(texts)
  add(`carnet ${version}`, [list(app.globalInitialSkills), list(app.globalSkills)])
  for (const [key, one] of Object.entries(agents)) {
    const { name, description, initialSkills, skills: own, prompt } = one
    add('agent', [key, name, description, list(initialSkills), list(own), prompt])
  }
  for (const [key, { name, description, toolsets: own, files = [], content }] of Object.entries(
    skills,
  )) {
    const texts = files.flatMap((file) => [file.path, file.description, file.content])
    add('skill', [key, name, description, list(own), content, ...texts])
  }
  for (const [key, { name, description, tools: own, content }] of Object.entries(toolsets)) {
    add('toolset', [key, name, description, list(own), content])
  }
  for (const [key, { name, description, content }] of Object.entries(tools)) {
    add('tool', [key, name, description, content])
  }
  return `sha256:${hash.digest('hex')}`
}
