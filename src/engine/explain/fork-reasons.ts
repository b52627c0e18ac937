import { describeCause } from './describe-event.ts'
import type { Reason } from './verdict.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { filePlace } from '../../kernel/diagnostic.ts'

/** Explains the loading of a skill with `context: fork` by a model. */
export function forkReasons(name: string, { catalog, agent }: EngineContext): readonly Reason[] {
  const { fork } = catalog.skills.get(name) ?? {}
  if (fork === undefined) return []
  const isMissing = fork.agent !== undefined && !catalog.agents.has(fork.agent)
  const as = (isMissing ? agent?.name : fork.agent) ?? 'the agent of the session'
  const missing = isMissing ? ` No agent is named "${fork.agent}" here.` : ''
  const wishes = [
    fork.model && `the model "${fork.model}"`,
    fork.effort && `the effort "${fork.effort}"`,
  ]
    .filter((one) => one !== undefined)
    .join(' and ')
  const wished = wishes === '' ? '' : ` The host gets ${wishes} as a wish.`
  const text = `It has context: fork: when a model loads it, a subagent carries it out as ${as} in a child session, if the host has runSkill; else it is loaded like any other.${missing}${wished}`
  return [{ seq: 0, text }]
}

/** Returns what the file of a skill asks for and nothing here gives. */
export function fieldsWithoutEffect(
  name: string,
  { seq }: WorkspaceState,
  { catalog }: EngineContext,
): readonly Reason[] {
  const { diagnostics = [] } = catalog.skills.get(name) ?? {}
  return diagnostics
    .filter(({ code }) => code === 'unknown-field')
    .map(({ message: text, file, line }) => {
      return { seq: Math.max(0, seq), text, ...filePlace({ file, line }) }
    })
}

/** The entry that added a skill to this session alone. */
export function registeredReason(name: string, { registered }: WorkspaceState): readonly Reason[] {
  const known = registered.find(({ skill }) => skill === name)
  if (known === undefined) return []
  const { since: seq, cause, trusted } = known
  const untrusted = trusted ? '' : '; its tools are not trusted'
  return [
    {
      seq,
      text: `Skill "${name}" was registered in this session ${describeCause(cause)}${untrusted}.`,
    },
  ]
}

/** The reasons why models, or people, cannot activate a skill whose author leaves that to others. */
export function reservedReasons(
  name: string,
  { leftToPeople, skills }: Catalog,
): readonly Reason[] {
  const reserved = leftToPeople.get(name)
  const whose = reserved === name ? 'It' : `"${reserved}", which it requires,`
  const isLeftToModels = skills.get(name)?.userInvocable === false
  return [
    ...(reserved === undefined
      ? []
      : [
          `${whose} has disable-model-invocation: a person or the host activates it, and no model can.`,
        ]),
    ...(isLeftToModels
      ? ['It has user-invocable: false: a model or the host activates it, and no person can.']
      : []),
  ].map((text) => ({ seq: 0, text }))
}
