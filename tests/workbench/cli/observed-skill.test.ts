import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCase, removeCase, type CaseFolders } from '../../../scripts/clients/case-folder.ts'
import { carryOut } from '../../../scripts/clients/conversations/carry-out.ts'
import {
  type PlantedFailure,
  plantedFailures,
} from '../../../scripts/clients/conversations/planted-failures.ts'
import {
  TALKING_CLIENTS,
  type TalkingClient,
} from '../../../scripts/clients/conversations/conversation.ts'
import { listAsClient } from '../../../src/connections/clients/list-as-client.ts'
import type { Observation, ObservedSession } from '../../../src/connections/observed/observation.ts'
import { createObservedLog } from '../../../src/connections/observed/recorder/observed-log.ts'
import { recordSession } from '../../../src/connections/observed/recorder/record-session.ts'
import { createCatalog, recordedOptions, VirtualWorkspace } from '../../../src/entries/index.ts'
import { observedNames } from '../../../src/workbench/report/facts/observed-names.ts'

describe.each(TALKING_CLIENTS)('planted failures of %s', (client) => {
  const failures = plantedFailures(client).filter(([id]) => id.endsWith('-tidy-notes'))

  test.each(failures)(
    '%s has its outcome, and a fix that can be carried out',
    async (id, failure) => {
      const folders = makeCase(failure.conversation.case, `planted-${client}-${id}`)
      onTestFinished(() => removeCase(folders))
      const found = await outcomeOf(client, failure, folders)
      expect(found).toMatchObject({ client, outcome: failure.outcome })
      const named = carryOut(found?.fix ?? '', failure.skill, folders)
      expect(named === null).toBe(CHANGES_FILES.has(failure.outcome))
      if (named !== null) return
      const { skills } = await listing(client, failure, folders)
      const names = new Set([`${failure.skill}-2`, failure.skill, 'short-name'])
      expect(skills.find(({ name }) => names.has(name.split(' ')[0] ?? ''))).toMatchObject({
        outcome: 'listed',
      })
    },
    60_000,
  )
})

/** Outcomes whose fix is a change of files; for the others, the person writes the name. */
const CHANGES_FILES: ReadonlySet<string> = new Set([
  'not found',
  'not listed',
  'disabled',
  'shadowed',
  'cut',
  'refused',
])

function listing(client: TalkingClient, { conversation }: PlantedFailure, folders: CaseFolders) {
  const { cwd: folder, home } = folders
  const isSmall = client === 'claude-code' && conversation.window === 200_000
  const made = isSmall ? { window: 200_000, model: MODEL } : {}
  return listAsClient({ client, folder, home, ...made })
}

const MODEL = 'claude-sonnet-4-5'

/** Has the conversation of a failure without a client, and asks for the outcome. */
async function outcomeOf(client: TalkingClient, failure: PlantedFailure, folders: CaseFolders) {
  const log = createObservedLog()
  const session = await observed(client, failure, folders)
  await recordSession(session, log, { children: () => [], forks: () => [] })
  const entries = await log.read('s')
  const recorded = await recordedOptions(log, entries, await createCatalog({ skills: [] }))
  const catalog = recorded?.catalog ?? (await createCatalog({ skills: [] }))
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 's', readOnly: true })
  const verdict = workspace.explainSkill(failure.skill)
  const history = await workspace.history(failure.skill)
  return observedNames(entries, folders.home)(verdict, history)
}

async function observed(
  client: TalkingClient,
  failure: PlantedFailure,
  folders: CaseFolders,
): Promise<ObservedSession> {
  const seen: Observation[] = []
  const at = 1
  const { skills } = await listing(client, failure, folders)
  if (client === 'claude-code' || client === 'codex') seen.push({ type: 'skills', skills, at })
  for (const { said, answers, compacts } of failure.conversation.turns) {
    if (compacts) seen.push({ type: 'compacted', tokens: 1, at })
    seen.push({ type: 'turn', text: said, at })
    for (const { actions = [] } of answers) {
      seen.push({ type: 'request', at })
      seen.push({ type: 'answer', usage: { input: 1, output: 1 }, model: MODEL, at })
      for (const action of actions) {
        const call = `c${seen.length}`
        const [, file] =
          /(?:^|\s|\/)([\w-]+)\/SKILL\.md$/.exec(Object.values(action).join(' ')) ?? []
        const skill = action.does === 'load' ? action.skill : file
        const isWanted = skill === failure.skill && failure.outcome !== 'lost by compaction'
        const outcome = !isWanted ? 'ok' : failure.outcome === 'refused' ? 'refused' : 'failed'
        const wants = skill === undefined ? {} : { skill }
        seen.push({ type: 'call', call, tool: action.does, input: {}, ...wants, at })
        seen.push({ type: 'result', call, outcome, text: 'It says.', at })
        if (outcome === 'ok' && skill !== undefined)
          seen.push({ type: 'loaded', skill, text: 'Work.', call, at })
      }
    }
  }
  return { session: 's', client, version: null, folder: folders.cwd, seen }
}
