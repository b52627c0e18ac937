import { join, sep } from 'node:path'
import { dirname, basename } from 'node:path'
import { type Found, joinFound, NOTHING_FOUND } from './found.ts'
import { loadAgentFile } from './load-agent-file.ts'
import { loadRules } from './load-rules.ts'
import { loadSkillFolder } from './load-skill-folder.ts'
import { loadToolFolder } from './load-tool-folder.ts'
import { loadToolsetFolder } from './load-toolset-folder.ts'
import { liesIn, type RootContext } from './root-context.ts'
import { skillFileName } from './skill-file-name.ts'
import type { Folder } from '../walk/walk-folders.ts'

/** Read whatever one folder of a walk defines; a skill's folder defines nothing else. */
export async function loadFolder(folder: Folder, context: RootContext): Promise<Found> {
  const { root, options } = context
  const names = new Set(folder.entries.map(({ name }) => name))
  const skillFile = skillFileName(folder)
  if (skillFile !== undefined) {
    return context.keeps(join(folder.path, skillFile))
      ? loadSkillFolder(folder, context)
      : NOTHING_FOUND
  }
  const boundary = options.followLinksOut ? folder.real : root
  const found: Found[] = []
  if (names.has('TOOLSET.md')) found.push(await loadToolsetFolder(folder, boundary, context))
  if (names.has('AGENT.md') && liesIn('agents', folder.path, root)) {
    found.push(await loadAgentFile(folder, boundary, context))
  }
  const described = names.has('TOOL.md') && liesIn('tools', folder.path, root)
  if (described || (names.has('schema.json') && isSharedTools(dirname(folder.path), root))) {
    const file = join(folder.path, names.has('schema.json') ? 'schema.json' : 'TOOL.md')
    if (context.keeps(file)) {
      found.push(await loadToolFolder(folder, boundary, context))
    }
  }
  if (isRules(folder.path, root)) found.push(await loadRules(folder, boundary, context))
  return joinFound(found)
}

/** True for the folder that holds the shared tools of a given path, or is given itself. */
function isSharedTools(folder: string, root: string): boolean {
  return folder === join(root, 'tools') || (folder === root && basename(root) === 'tools')
}

/** True for the folder of rules of a given path, or for one that is given itself. */
function isRules(folder: string, root: string): boolean {
  return folder === join(root, 'rules') || (folder === root && root.endsWith(`${sep}rules`))
}
