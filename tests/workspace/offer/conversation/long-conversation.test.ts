import { createCatalog, defineComponent, VirtualWorkspace } from 'loadout'
import type { HistoryMessage } from 'loadout/adapter'
import { expect, test } from 'vitest'

/** Its panel changes in every turn, so each turn adds a text of the workspace to the conversation. */
const notes = defineComponent({
  key: 'notes',
  initialState: { lines: [] as readonly string[] },
  tools: (tool) => [
    tool({
      name: 'add_note',
      description: 'Keeps a note.',
      category: 'action',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      execute: ({ text }, { update }) => update(() => ({ lines: [String(text)] })),
    }),
  ],
  panel: ({ lines }) => ({ title: 'Notes', lines }),
})

const catalog = await createCatalog({ components: [notes] })

/** Returns how often a step read a member of the messages of the host, for each turn. */
async function readsOfSteps(turns: number, copy: (message: HistoryMessage) => HistoryMessage) {
  const workspace = await VirtualWorkspace.open({ catalog })
  let reads = 0
  const watched = (message: HistoryMessage): HistoryMessage =>
    new Proxy(message, {
      get: (target, name) => {
        reads += 1
        return Reflect.get(target, name)
      },
    })
  const history: HistoryMessage[] = []
  const perTurn: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    history.push(watched({ role: 'user', content: `Question ${turn}` }))
    reads = 0
    const { messages } = await workspace.beginStep({ history })
    perTurn.push(reads)
    // A text in each turn.
    expect(messages).toHaveLength(turn * 3 + 2)
    await workspace.callTool('add_note', { text: `Note ${turn}` })
    const answer = watched({ role: 'assistant', content: `Answer ${turn}` })
    history.push(answer)
    await workspace.beginStep({ history })
    // Many SDKs give the host a copy of the message that they go on with themselves.
    history[history.length - 1] = copy(answer)
  }
  await workspace.close()
  return perTurn
}

test.each([
  { hosts: 'the same objects', copy: (message: HistoryMessage) => message },
  { hosts: 'copies of the answers', copy: (message: HistoryMessage) => ({ ...message }) },
])(
  'a step reads as much of a long history as of a short one, from a host that keeps $hosts',
  async ({ copy }) => {
    const reads = await readsOfSteps(100, copy)
    expect(reads[99]).toBe(reads[9])
  },
)
