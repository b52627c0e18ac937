import { basename, join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import { carnetName } from '../../adapters/carnet/format/carnet-name.ts'
import type { CarnetApp } from '../../adapters/carnet/format/carnet-manifest.ts'
import { type AgentDefinition, defineAgent } from '../../skills/definition/define-agent.ts'
import { parseAgentFile } from '../../skills/parse/parse-agent-file.ts'
import { type Found, NOTHING_FOUND } from './found.ts'
import { readBeside } from './read-sidecar-schema.ts'
import { readText } from '../walk/read-text.ts'
import type { RootContext } from './root-context.ts'
import type { Folder } from '../walk/walk-folders.ts'

/** Read the `AGENT.md` of a folder; in a Carnet project the skills of every agent are added. */
export async function loadAgentFile(
  folder: Folder,
  boundary: string,
  { options, carnet, keeps }: RootContext,
): Promise<Found> {
  const path = join(folder.path, 'AGENT.md')
  if (!keeps(path)) return NOTHING_FOUND
  const diagnostics: Diagnostic[] = []
  const none = () => ({
    ...NOTHING_FOUND,
    items: [{ kind: 'agent' as const, path, name: null }],
    diagnostics,
    files: 1,
  })
  const text = await readText(boundary, path, options, diagnostics)
  if (text === null) return none()
  const beside = await readBeside(folder, boundary, options, diagnostics)
  const parsed = parseAgentFile(
    { text, file: path, folder: basename(folder.path), ...(beside && { beside }) },
    carnet === null ? '*' : 'none',
  )
  diagnostics.push(...parsed.diagnostics)
  if (parsed.definition === null) return none()
  try {
    const agent: Agent = defineAgent({ ...withApp(parsed.definition, carnet?.app), path })
    const items = [{ kind: 'agent' as const, path, name: agent.name }]
    return { ...NOTHING_FOUND, agents: [agent], items, diagnostics, files: 1 }
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { message, hint } = error
    diagnostics.push({ code: 'agent-invalid', severity: 'error', message, hint, file: path })
    return none()
  }
}

function withApp(definition: AgentDefinition, app: CarnetApp | undefined): AgentDefinition {
  if (app === undefined) return definition
  const { initialSkills = [], skills = [] } = definition
  const joined = (before: readonly string[], own: readonly string[]) => [
    ...new Set([...before, ...own].map(carnetName)),
  ]
  return {
    ...definition,
    initialSkills: joined(app.globalInitialSkills, initialSkills),
    skills: skills === '*' ? '*' : joined(app.globalSkills, skills),
  }
}
