import type { AgentDefinition } from '../definition/define-agent.ts'
import type { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import { ownReader } from './own-reader.ts'
import type { YamlEntry } from './yaml-node.ts'

/** The keys this project adds to an agent, each as `loadout.<key>` in `metadata`. */
const OWN_AGENT_KEYS = [
  'discovery',
  'display-name',
  'exclusive',
  'mode',
  'pinned',
  'tools',
  'versions',
] as const

/** Read the keys of an agent that are our own from its `metadata`. */
export function ownAgentFields(
  metadata: ReadonlyMap<string, YamlEntry>,
  findings: Findings,
): Omit<AgentDefinition, 'name'> {
  const reader = ownReader(metadata, findings)
  const displayName = reader.text('display-name')
  const mode = reader.text('mode')
  const exclusive = reader.flag('exclusive')
  const discovery = readDiscovery(reader, findings)
  const own: Omit<AgentDefinition, 'name'> = {
    ...(displayName !== undefined && { displayName }),
    ...(mode !== undefined && { mode }),
    ...(exclusive !== undefined && { exclusive }),
    ...(discovery !== undefined && { discovery }),
    ...wordsOf(reader, 'pinned'),
    ...wordsOf(reader, 'tools'),
    ...wordsOf(reader, 'versions'),
  }
  reader.reportUnknown(OWN_AGENT_KEYS)
  return own
}

/** A list that is absent when it is not given: no tools is not the same as all of them. */
function wordsOf<Key extends 'pinned' | 'tools' | 'versions'>(reader: FieldReader, key: Key) {
  if (reader.entry(key) === undefined) return {}
  return { [key]: reader.words(key) } as { readonly [One in Key]: readonly string[] }
}

function readDiscovery(reader: FieldReader, findings: Findings): AgentDefinition['discovery'] {
  const text = reader.text('discovery')
  if (text === undefined || text === 'activate-on-call' || text === 'suggest') return text
  findings.add(
    'warning',
    'field-value',
    `"${text.slice(0, 40)}" does not say what happens to tools that a search found; it has no effect.`,
    'Write activate-on-call or suggest.',
    reader.entry('discovery')?.node.place,
  )
  return undefined
}
