import {
  findToolSetting,
  serverOfTool,
  TOOL_WORDS,
} from '../../../connections/clients/find-tool-setting.ts'
import type { Entry } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import type { AskedName, ObservedFound } from './observed-skill.ts'

/** Returns true if the model called a tool, also if the call was refused. */
export function hasCalls(name: string, entries: readonly Entry[]): boolean {
  return entries.some(({ event }) => isAbout(event, name))
}

/** Returns the outcome of a tool in a session of another agent. */
export async function observedTool(asked: AskedName): Promise<ObservedFound> {
  const { client, name, entries } = asked
  const from = 'transcript'
  const { allow, load } = TOOL_WORDS[client]
  const events = entries.map(({ event }) => event)
  const ends = events.filter((event) => isAbout(event, name))
  const last = ends.at(-1)
  if (last?.type === 'command.refused') {
    const setting = await foundSetting(asked)
    return { outcome: 'refused', from, reason: last.message, fix: setting?.fix ?? allow }
  }
  const steps = events.filter((event) => event.type === 'step.begun')
  const shown = steps.flatMap(({ exposed }) => exposed.filter((one) => one.name === name))
  const areKnown = steps.some(({ incomplete }) => incomplete !== true)
  if (last !== undefined) {
    const isUnsent = areKnown && shown.length === 0
    const { outcome, reason } = endedCalls(ends)
    if (outcome === 'called' || !isUnsent) return { outcome, from, reason, fix: '' }
    const setting = await foundSetting(asked)
    const why = `${reason} No request had the tool.`
    return { outcome, from, reason: why, fix: setting?.fix ?? '' }
  }
  if (shown.some(({ deferred, referenced }) => deferred !== true || referenced === true)) {
    const reason = 'The model was shown it, and did not call it.'
    return { outcome: 'passed over', from, reason, fix: 'Name it in your message.' }
  }
  if (shown.length > 0) {
    const reason = 'The requests had its name alone, and nothing loaded it.'
    return { outcome: 'deferred', from, reason, fix: load }
  }
  const setting = await foundSetting(asked)
  if (setting !== null) return { ...setting, from: 'folder' }
  const fix = serversFix(asked)
  return areKnown
    ? { outcome: 'not sent', from, reason: 'No request had it.', fix }
    : { outcome: 'unknown', from, reason: 'The transcript has only the tools that ran.', fix }
}

/** Counts the calls of a tool; the last one decides. */
function endedCalls(ends: readonly Ending[]) {
  const answers = ends.filter((event) => event.type === 'call.ended')
  const failed = answers.filter(({ ok }) => !ok).length
  const count = counted(ends.filter(({ type }) => type === 'call.started').length, 'call')
  const outcome = answers.at(-1)?.ok === false ? ('failed' as const) : ('called' as const)
  return { outcome, reason: failed === 0 ? `${count}.` : `${count}, ${failed} failed.` }
}

function serversFix({ client, name }: AskedName): string {
  const server = serverOfTool(name)
  const { servers } = TOOL_WORDS[client]
  return server === null || servers === ''
    ? ''
    : `Run ${servers}, which has the state of "${server}".`
}

async function foundSetting({ client, name, folders, isHere }: AskedName) {
  return isHere ? findToolSetting(client, name, folders) : null
}

type Ending = Extract<
  Entry['event'],
  { readonly type: 'command.refused' | 'call.started' | 'call.ended' }
>

function isAbout(event: Entry['event'], name: string): event is Ending {
  if (event.type === 'call.started' || event.type === 'call.ended') return event.tool === name
  return (
    event.type === 'command.refused' && event.command === 'call.start' && event.subject === name
  )
}
