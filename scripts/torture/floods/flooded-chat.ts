import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { thrownMessage } from '../../../src/kernel/thrown-message.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import { chatFile, openChatStore } from '../../../src/workbench/playground/chat/chat-store.ts'
import { openChat } from '../../../src/workbench/playground/chat/open-chat.ts'
import { openModel } from '../../../src/workbench/playground/chat/open-model.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import {
  duringFlood,
  type FloodLength,
  type FloodResult,
  inFolder,
  sizeOf,
} from './flooded-session.ts'

/** Floods of `flooding-model.mjs`. */
export const FLOODS_OF_MODELS = [
  'text',
  'reasoning',
  'arguments of a call',
  '5,000 calls',
  'long answers in turn',
  'a line without an end',
  'an error without an end',
] as const

const PROGRAM = fileURLToPath(new URL('flooding-model.mjs', import.meta.url))

/** Lets a model flood the chat of a session, and opens the session and its chat again. */
export function floodByModel(kind: string, length: FloodLength): Promise<FloodResult> {
  return inFolder(async (folder) => {
    const server = spawn(process.execPath, [PROGRAM, kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [address] = (await once(server.stdout, 'data')) as [Buffer]
      return await floodChat(folder, String(address).trim(), length)
    } finally {
      server.kill()
    }
  })
}

async function floodChat(folder: string, address: string, length: FloodLength) {
  const file = join(folder, 'log.sqlite')
  const chats = join(folder, 'chats')
  const open = async () => {
    const log = await openSqliteLog(file)
    const inputSchema = { type: 'object', properties: { note: { type: 'string' } } }
    const calm = defineTool({
      name: 'calm',
      description: 'Does it.',
      category: 'retrieval',
      inputSchema,
      execute: () => 'calm',
    })
    const catalog = await createCatalog({ tools: [calm] })
    const workspace = await VirtualWorkspace.open({ catalog, log, session: 's' })
    const store = openChatStore({ folder: chats, user: null }, 's')
    const close = async () => {
      await workspace.close()
      await log.close()
    }
    return { workspace, store, close }
  }
  const size = async () => (await sizeOf(file)) + (await sizeOf(chatFile(chats, 's')))
  const first = await open()
  await first.close()
  const before = await size()
  const { workspace, store, close } = await open()
  const { chat } = openChat({
    workspace,
    store,
    model: await openModel({ address }),
    ask: async () => 'no',
  })
  const notices = new Set<string>()
  const end = new AbortController()
  const say = async () => {
    for await (const event of chat.say('Go on.', end.signal)) {
      if (event.type === 'notice') notices.add(event.code)
    }
  }
  let turn: Promise<void> | undefined
  const flooded = await duringFlood(length, async () => {
    turn ??= say()
    const result = await workspace.callTool('calm', {})
    return result.ok ? null : result.error.message
  })
  // A flood that has no end is ended by its budget, and not by the person.
  await turn
  await close()
  const grown = (await size()) - before
  const failures = [...flooded.failures]
  if (!notices.has('MODEL_FLOODS')) failures.push(`no notice of it: ${[...notices].join(', ')}`)
  try {
    const again = await open()
    const result = await again.workspace.callTool('calm', {})
    if (!result.ok) failures.push(result.error.message)
    await again.close()
  } catch (error) {
    failures.push(`the session does not open again: ${thrownMessage(error)}`)
  }
  return { ...flooded, grown, failures }
}
