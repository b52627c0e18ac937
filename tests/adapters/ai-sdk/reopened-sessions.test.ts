import { isStepCount, ToolLoopAgent, type ModelMessage } from 'ai'
import {
  createCatalog,
  createMemoryLog,
  defineComponent,
  type EventLog,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { forAiSdk, type AiSdkOptions } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { requestsOf, scriptedModel } from './scripted-model.ts'

/** Its panel changes in every turn, so each turn adds a text of the workspace to the conversation. */
const notes = defineComponent({
  key: 'notes',
  initialState: { lines: [] as readonly string[] },
  tools: (tool) => [
    tool({
      name: 'add_note',
      description: 'Keeps a note.',
      category: 'action',
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }, { update }) =>
        update(({ lines }) => ({ lines: [...lines.slice(-4), text] })),
    }),
  ],
  panel: ({ lines }) => ({ title: 'Notes', lines }),
})

const catalog = await createCatalog({ components: [notes] })

/** A log that lists what is asked of it; `hashes` are those of the definitions that were read. */
function listedLog(log: EventLog) {
  const asked: string[] = []
  const hashes: string[] = []
  const { definitions, snapshots } = log
  const listing = <Given extends readonly unknown[], T>(
    name: string,
    work: (...given: Given) => Promise<T>,
  ) => {
    return (...given: Given) => {
      asked.push(name)
      return work(...given)
    }
  }
  const listed: EventLog = {
    append: listing('append', log.append),
    read: listing('read', log.read),
    list: listing('list', log.list),
    delete: listing('delete', log.delete),
    prune: listing('prune', log.prune),
    definitions: {
      has: listing('definitions.has', definitions.has),
      put: listing('definitions.put', definitions.put),
      get: listing('definitions.get', (all) => {
        hashes.push(...all)
        return definitions.get(all)
      }),
    },
    ...(snapshots && {
      snapshots: {
        put: listing('snapshots.put', snapshots.put),
        latest: listing('snapshots.latest', snapshots.latest),
      },
    }),
  }
  const begin = () => {
    asked.length = 0
    hashes.length = 0
  }
  return { listed, asked, hashes, begin }
}

/**
 * A conversation with a request per turn, each with a session opened for it. Calls back before and after
 * the turns.
 */
async function conversation(
  turns: number,
  given: Pick<WorkspaceOptions, 'log' | 'limits'>,
  {
    options = {},
    before = () => {},
    after = () => {},
  }: {
    options?: AiSdkOptions
    before?: (turn: number) => void
    after?: (turn: number, workspace: VirtualWorkspace) => void
  },
) {
  const script = Array.from({ length: turns }, (_, turn) => [
    [{ id: `c${turn}`, tool: 'add_note', input: { text: `Note ${turn}` } }],
    'Noted.',
  ]).flat()
  const model = scriptedModel(script)
  const history: ModelMessage[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    before(turn)
    const workspace = await VirtualWorkspace.open({ ...given, catalog, session: 'chat' })
    const settings = forAiSdk(workspace, options)
    const agent = new ToolLoopAgent({ model, ...settings, stopWhen: isStepCount(20) })
    history.push({ role: 'user', content: `Question ${turn}` })
    history.push(...(await agent.generate({ messages: history })).responseMessages)
    after(turn, workspace)
    await workspace.close()
  }
  return { requests: requestsOf(model), history }
}

test('a request of a session that is opened for it asks the log as often in turn 60 as in turn 3', async () => {
  const { listed, asked, begin } = listedLog(createMemoryLog())
  const counts: string[] = []
  await conversation(
    60,
    { log: listed, limits: { snapshotEvery: 50 } },
    {
      before: begin,
      // Snapshots are written now and then, and nobody waits for it.
      after: () => void counts.push(asked.filter((one) => one !== 'snapshots.put').join(' ')),
    },
  )
  const expected =
    'snapshots.latest read append definitions.get append append append append definitions.put append'
  expect([counts[3], counts[30], counts[59]]).toEqual([expected, expected, expected])
})
