import {
  type Agent,
  defineSkill,
  defineTool,
  type Skill,
  type Tool,
  type Toolset,
  WorkspaceError,
} from '../../../entries/index.ts'
import type { CarnetManifest, WritableManifest } from '../format/carnet-manifest.ts'
import {
  type CarnetDefinitions,
  carnetName,
  definitionsOfManifest,
} from '../format/definitions-of-manifest.ts'
import { callHostTool } from './host-tools.ts'
import type { ManifestNames } from './manifest-names.ts'

const EMPTY_MANIFEST: CarnetManifest = {
  version: 1,
  app: { globalInitialSkills: [], globalSkills: [] },
  agents: {},
  skills: {},
  toolsets: {},
  tools: {},
}

/**
 * Makes single definitions of a manifest by key and id, with the same conversion that reads
 * manifests from disk.
 */
export function manifestDefinitions(manifest: WritableManifest, names: ManifestNames) {
  const { agents, skills, toolsets, tools, app } = manifest
  const ids = (list: readonly string[]) => list.map((name) => names.skills.idOf(name))
  return {
    skill(key: string, id: string): Skill {
      const { files = [], ...entry } = entryOf(skills, key)
      const skill = { ...entry, files, name: nameFor(key, id) }
      const { hash: _, ...made } = only('skills', { skills: { [id]: skill } })
      // As in Carnet's documents, the skill that brings a tool's name last wins.
      return defineSkill({ ...made, onConflict: 'shadow' })
    },
    agent(key: string, id: string): Agent {
      const agent = entryOf(agents, key)
      const globals = {
        globalInitialSkills: ids(app.globalInitialSkills),
        globalSkills: ids(app.globalSkills),
      }
      const lists = { initialSkills: ids(agent.initialSkills), skills: ids(agent.skills) }
      const named = { ...agent, ...lists, name: nameFor(key, id) }
      return only('agents', { app: globals, agents: { [id]: named } })
    },
    toolset(key: string): Toolset {
      const { description, ...rest } = entryOf(toolsets, key)
      const toolset = { ...rest, name: key, description: description.trim() || key }
      return only('toolsets', { toolsets: { one: toolset } })
    },
    /** Makes a tool without a schema: the host's tool, which has one, checks the arguments. */
    tool(name: string, id: string): Tool {
      const { description = '', content = '' } = Object.hasOwn(tools, name)
        ? (tools[name] ?? {})
        : {}
      const documentation = content.trim()
      return defineTool({
        name: id,
        description: description.trim() || `Calls ${name}.`,
        category: 'action',
        inputSchema: { type: 'object', additionalProperties: true },
        execute: callHostTool(name),
        ...(documentation !== '' && { documentation }),
      })
    },
  }
}

/**
 * Returns the name for a definition. The conversion keeps a name that cannot be an id as the
 * display name.
 */
function nameFor(key: string, id: string): string {
  return carnetName(key) === id ? key : id
}

function entryOf<T>(entries: Readonly<Record<string, T>>, key: string): T {
  return entries[key] as T
}

type Kind = Exclude<keyof CarnetDefinitions, 'diagnostics'>

function only<K extends Kind>(
  kind: K,
  manifest: Partial<CarnetManifest>,
): CarnetDefinitions[K][number] {
  const { diagnostics, [kind]: made } = definitionsOfManifest({ ...EMPTY_MANIFEST, ...manifest })
  const [definition] = made
  if (definition !== undefined) return definition
  throw new WorkspaceError('MANIFEST_ENTRY', diagnostics[0]?.message ?? 'It cannot be defined.', {
    hint: diagnostics[0]?.hint ?? '',
  })
}
