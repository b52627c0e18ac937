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
  const read: number[] = []
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
    read: listing('read', async (...given) => {
      const entries = await log.read(...given)
      read.push(entries.length)
      return entries
    }),
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
    read.length = 0
  }
  return { listed, asked, hashes, read, begin }
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
    'snapshots.latest read append definitions.get append append append append definitions.put append definitions.put append append'
  expect([counts[3], counts[30], counts[59]]).toEqual([expected, expected, expected])
})

test('a session that is opened for a request reads no more than the entries since its last snapshot', async () => {
  const { listed, read, begin } = listedLog(createMemoryLog())
  const counts: number[] = []
  let entries = 0
  const after = (_: number, { state }: VirtualWorkspace) => {
    counts.push(...read)
    entries = state.seq
  }
  await conversation(60, { log: listed }, { before: begin, after })
  expect(entries).toBeGreaterThan(300)
  expect(counts).toHaveLength(60)
  // A turn has fewer than twenty entries.
  expect(Math.max(...counts)).toBeLessThan(100 + 20)
})

test('texts that a trim left out are forgotten: neither the state nor what is read grows with the conversation', async () => {
  const { listed, hashes, begin } = listedLog(createMemoryLog())
  const sizes: { readonly kept: number; readonly read: number }[] = []
  const { requests } = await conversation(
    80,
    { log: listed, limits: { snapshotEvery: 50 } },
    {
      options: { trim: { above: 20, keep: 8 } },
      before: begin,
      after: (_, { state }) =>
        void sizes.push({ kept: state.conversation.ours.length, read: new Set(hashes).size }),
    },
  )
  const latest = sizes.slice(20)
  // Each turn has four messages of the host, and one text of the workspace.
  expect(Math.max(...latest.map(({ kept }) => kept))).toBeLessThanOrEqual(7)
  expect(Math.max(...latest.map(({ read }) => read))).toBeLessThanOrEqual(6)
  const prompts = requests.map(({ prompt }) => prompt.map((one) => JSON.stringify(one)))
  const cuts = prompts.slice(1).filter((prompt, at) => {
    return !(prompts[at] ?? []).every((message, index) => message === prompt[index])
  })
  // The cut moves by twelve messages of the host, which are three turns.
  expect(cuts.length).toBeLessThanOrEqual(80 / 3)
  for (const prompt of prompts.slice(2)) expect(prompt.join()).toContain('Note')
})

test('a text of the workspace is the same message in each request of a process', async () => {
  const workspace = await VirtualWorkspace.open({ catalog })
  const { prepareStep } = forAiSdk(workspace)
  const messages: ModelMessage[] = []
  const next = async (question: string) => {
    messages.push({ role: 'user', content: question })
    const step = { stepNumber: 0, model: scriptedModel([]), messages: [...messages] }
    const { messages: sent = [] } = (await prepareStep(
      step as unknown as Parameters<typeof prepareStep>[0],
    )) as { messages?: readonly ModelMessage[] }
    messages.push({ role: 'assistant', content: 'Yes.' })
    return sent
  }
  const first = await next('One?')
  const later = await next('Two?')
  expect(JSON.stringify(first[0])).toContain('From the workspace')
  expect(first.map((message, at) => later[at] === message)).toEqual(first.map(() => true))
})
