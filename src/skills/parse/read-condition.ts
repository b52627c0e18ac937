import {
  type ActivationCondition,
  CALL_STATUSES,
  CONDITION_MEMBERS,
  conditionSchema,
  type EndedCall,
} from '../definition/activation-condition.ts'
import { FieldReader } from './field-reader.ts'
import type { Findings } from './findings.ts'
import type { YamlNode } from './parse-yaml.ts'

/**
 * Reads the condition of a skill from our own keys: a mapping `when`, or one text for each member, such as
 * `loadout.when.paths`. Undefined without one, and for one with a fault: a part of a condition would hold too often.
 */
export function readCondition(
  own: FieldReader,
  findings: Findings,
): ActivationCondition | undefined {
  const given = own.entry('when')
  const fields = new Map([
    ...(given?.node.kind === 'map' ? given.node.entries : []),
    ...own.below('when'),
  ])
  const [first = given] = fields.values()
  if (first === undefined) return undefined
  const isMap = given === undefined || given.node.kind === 'map'
  const reader = new FieldReader(fields, findings, 'loadout.when.')
  const calls = fields.get('calls')
  const members = {
    paths: reader.globs('paths'),
    ...(calls && { calls: readCalls(calls.node, reader) }),
    mode: reader.words('mode'),
    principal: reader.words('principal'),
    event: reader.words('event'),
  }
  const condition = Object.fromEntries(Object.entries(members).filter(([name]) => fields.has(name)))
  reader.reportUnknown(CONDITION_MEMBERS)
  const unknown = [...fields.keys()].find((name) => !KNOWN.has(name))
  const { error } = conditionSchema.safeParse(condition)
  if (isMap && unknown === undefined && error === undefined) return condition
  const faulty = unknown ?? String(error?.issues[0]?.path[0])
  findings.add(
    'warning',
    'field-value',
    'A part of the condition "loadout.when" cannot be read, so none of it has an effect: models and people activate the skill.',
    `Write some of ${CONDITION_MEMBERS.join(', ')}. A call is the name of a tool, or a tool with its status: run_tests:error.`,
    (isMap ? (fields.get(faulty) ?? first) : given).place,
  )
  return undefined
}

const KNOWN: ReadonlySet<string> = new Set(CONDITION_MEMBERS)

/** Reads calls: `tool` and `tool:status` as words, or mappings with `tool` and `status`. */
function readCalls(node: YamlNode, reader: FieldReader): readonly unknown[] {
  if (node.kind !== 'list' || !node.items.some(({ kind }) => kind === 'map')) {
    return reader.words('calls').map(callOfWord)
  }
  reader.entry('calls')
  return node.items.map((item) => {
    if (item.kind !== 'map') return item.kind === 'scalar' ? callOfWord(item.text.trim()) : null
    return Object.fromEntries(
      [...item.entries].map(([name, one]) => [
        name,
        one.node.kind === 'scalar' ? one.node.text.trim() : null,
      ]),
    )
  })
}

function callOfWord(word: string): EndedCall | null {
  const [tool = '', status, ...rest] = word.split(':')
  if (status === undefined) return { tool }
  const known = CALL_STATUSES.find((one) => one === status)
  return known === undefined || rest.length > 0 ? null : { tool, status: known }
}
