import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { defineTool } from '../../../tools/define-tool.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { Toolset } from '../../../tools/toolset.ts'
import type { CarnetManifest } from '../format/carnet-manifest.ts'
import { carnetName } from '../format/carnet-name.ts'
import { definitionsOfManifest, type CarnetDefinitions } from '../format/definitions-of-manifest.ts'
import type { Agent } from '../../../skills/definition/agent.ts'
import { defineSkill } from '../../../skills/definition/define-skill.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import { callHostTool } from './host-tools.ts'
import type { Manifest } from '../format/manifest.ts'
import type { ManifestNames } from './manifest-names.ts'

const NOTHING: CarnetManifest = {
  version: 1,
  app: { globalInitialSkills: [], globalSkills: [] },
  agents: {},
  skills: {},
  toolsets: {},
  tools: {},
}

/**
 * Makes single definitions of a manifest by key and id, by the conversion that also reads whole
 * manifests from disk.
 */
export function manifestDefinitions(manifest: Manifest, names: ManifestNames) {
  const { agents, skills, toolsets, tools, app } = manifest
  const ids = (list: readonly string[]) => list.map((name) => names.skills.idOf(name))
  return {
    skill(key: string, id: string): Skill {
      const { files = [], ...entry } = existing(skills, key)
      const skill = { ...entry, files, name: nameFor(key, id) }
      const { hash: _, ...made } = only('skills', { skills: { [id]: skill } })
      // The last to bring a tool's name has it, as Carnet's documents say.
      return defineSkill({ ...made, onConflict: 'shadow' })
    },
    agent(key: string, id: string): Agent {
      const agent = existing(agents, key)
      const globals = {
        globalInitialSkills: ids(app.globalInitialSkills),
        globalSkills: ids(app.globalSkills),
      }
      const lists = { initialSkills: ids(agent.initialSkills), skills: ids(agent.skills) }
      const named = { ...agent, ...lists, name: nameFor(key, id) }
      return only('agents', { app: globals, agents: { [id]: named } })
    },
    toolset(key: string): Toolset {
      const { description, ...rest } = existing(toolsets, key)
      const toolset = { ...rest, name: key, description: description.trim() || key }
      return only('toolsets', { toolsets: { one: toolset } })
    },
    /** Nothing is known of its arguments: the host's tool, which has the schema, judges them. */
    tool(name: string, id: string): Tool {
      const { description = '', content = '' } = Object.hasOwn(tools, name)
        ? (tools[name] ?? {})
        : {}
      const documentation = content.trim()
      return defineTool({
        name: id,
        description: description.trim() || `Calls ${name}.`,
        category: 'action',
        input: { type: 'object', additionalProperties: true },
        run: callHostTool(name),
        ...(documentation !== '' && { documentation }),
      })
    },
  }
}

/** The conversion keeps a name that cannot be an id as what people read. */
function nameFor(key: string, id: string): string {
  return carnetName(key) === id ? key : id
}

function existing<T>(entries: Readonly<Record<string, T>>, key: string): T {
  return entries[key] as T
}

type Kind = Exclude<keyof CarnetDefinitions, 'diagnostics'>

function only<K extends Kind>(
  kind: K,
  manifest: Partial<CarnetManifest>,
): CarnetDefinitions[K][number] {
  const { diagnostics, [kind]: made } = definitionsOfManifest({ ...NOTHING, ...manifest })
  const [definition] = made
  if (definition !== undefined) return definition
  throw new WorkspaceError('MANIFEST_ENTRY', diagnostics[0]?.message ?? 'It cannot be defined.', {
    hint: diagnostics[0]?.hint ?? '',
  })
}
