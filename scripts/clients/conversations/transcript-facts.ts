import { type TalkingClient, TASK_MARK } from './conversation.ts'
import type { ObservedSession } from '../../../src/connections/observed/observation.ts'
import { readClaudeCode } from '../../../src/connections/observed/transcripts/read-claude-code.ts'
import { readCodex } from '../../../src/connections/observed/transcripts/read-codex.ts'
import { readOpenCode } from '../../../src/connections/observed/transcripts/read-open-code.ts'
import { readPi } from '../../../src/connections/observed/transcripts/read-pi.ts'
import type { CallFact, ConversationFacts, SkillList, ThreadFacts } from './facts.ts'
import type { Recorded } from './run-conversation.ts'

const READERS = {
  'claude-code': readClaudeCode,
  codex: readCodex,
  opencode: readOpenCode,
  pi: readPi,
} as const

/** Reads the same facts from what the client wrote, with the readers of this project; not of what the person went back from. */
export function transcriptFacts(
  client: TalkingClient,
  transcript: Recorded['transcript'],
): ConversationFacts {
  return observedFacts(transcript.flatMap((lines) => READERS[client](lines)))
}

/** Reads the same facts from sessions, without those that a person went back from. */
export function observedFacts(sessions: readonly ObservedSession[]): ConversationFacts {
  const shown = sessions.filter(({ forkedFrom }) => forkedFrom === undefined)
  return Object.fromEntries(shown.map((session) => [threadIn(session), sessionFacts(session)]))
}

function threadIn({ parent, seen }: ObservedSession): string {
  if (parent === undefined) return 'main'
  const said = seen.flatMap((one) => (one.type === 'turn' ? [one.text] : [])).join('\n')
  const [, task] = new RegExp(`${TASK_MARK}(\\d+)`).exec(said) ?? []
  return task ?? 'a subagent without a task'
}

function sessionFacts({ seen }: ObservedSession): ThreadFacts {
  const skills: (readonly [number, SkillList])[] = []
  const calls = new Map<string, CallFact>()
  const loaded = new Set<string>()
  let requests = 0
  let shown: SkillList = []
  let hasList = false
  let tools: readonly string[] | null = null
  for (const one of seen) {
    switch (one.type) {
      case 'request': {
        requests += 1
        const isNew = JSON.stringify(skills.at(-1)?.[1] ?? []) !== JSON.stringify(shown)
        if (isNew) skills.push([requests, shown])
        break
      }
      case 'skills':
        hasList = true
        shown = one.skills.map(({ name, description }) => [name, description])
        break
      case 'tools':
        tools = one.tools
          .filter((tool) => tool.deferred !== true || tool.inputSchema !== undefined)
          .map(({ name }) => name)
          .toSorted()
        break
      case 'loaded':
        loaded.add(one.skill)
        break
      case 'call':
        calls.set(one.call, { call: one.call, tool: one.tool, input: one.input, result: null })
        break
      case 'result': {
        const call = calls.get(one.call)
        if (call) calls.set(one.call, { ...call, result: one.text })
      }
    }
  }
  return {
    requests,
    skills: hasList ? skills : null,
    loaded: [...loaded],
    tools,
    calls: [...calls.values()],
  }
}
