import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { list, memberIn, text } from '../../../src/connections/observed/content/text-in-content.ts'
import type { Turn } from './conversation.ts'
import { codexConfig } from './start-turn.ts'
import {
  type ConversationRun,
  readWritten,
  surroundings,
  writtenFiles,
} from './run-conversation.ts'

/** Goes back from a turn, in the way of the client, so that the next one continues from before it. */
export async function goBack(run: ConversationRun, turn: Turn): Promise<void> {
  const lines = (await readWritten(run)).flat()
  const said = JSON.stringify(turn.said).slice(1, -1)
  const isPrompt = (line: object) => JSON.stringify(line).includes(said)
  const prompt = lines.findLast(
    (line) => (line['table'] === 'part' || line['type'] === 'message') && isPrompt(line),
  )
  const isTurnOf = (line: { readonly payload?: unknown }) =>
    isPrompt(line) && memberIn(memberIn(line.payload, 'item'), 'type') === 'UserMessage'
  switch (run.client) {
    case 'claude-code': {
      const start = lines.findIndex((line) => line['type'] === 'user' && isSaid(line, turn.said))
      const before = lines.slice(0, start).findLast(({ type }) => type === 'assistant')
      return writeFileSync(join(run.folders.home, 'back-to'), text(before?.['uuid']))
    }
    case 'codex':
      return goBackInCodex(
        run,
        text(memberIn(lines[0]?.['payload'], 'id')),
        text(memberIn(lines.findLast(isTurnOf)?.['payload'], 'turn_id')),
      )
    case 'opencode':
      return goBackInOpenCode(run, text(prompt?.['session_id']), text(prompt?.['message_id']))
    case 'pi':
      return goBackInPi(run, text(prompt?.['parentId']))
  }
}

function isSaid(line: unknown, said: string): boolean {
  const content = memberIn(memberIn(line, 'message'), 'content')
  return content === said || list(content).some((part) => memberIn(part, 'text') === said)
}

async function goBackInCodex(
  run: ConversationRun,
  threadId: string,
  beforeTurnId: string,
): Promise<void> {
  writeFileSync(join(run.folders.home, '.codex', 'config.toml'), codexConfig(run))
  const child = spawn('timeout', ['60', 'codex', 'app-server'], {
    cwd: run.folders.cwd,
    env: surroundings(run),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const clientInfo = { name: 'script', version: '1' }
  const steps = [
    { method: 'initialize', params: { clientInfo, capabilities: { experimentalApi: true } } },
    { method: 'thread/resume', params: { threadId } },
    { method: 'thread/revert', params: { threadId, beforeTurnId } },
  ]
  const send = (id: number) => child.stdin.write(`${JSON.stringify({ id, ...steps[id] })}\n`)
  send(0)
  for await (const line of createInterface({ input: child.stdout })) {
    const reply = JSON.parse(line) as { readonly id?: number; readonly error?: unknown }
    if (reply.error !== undefined) throw new Error(`Codex cannot go back: ${line}`)
    if (reply.id === undefined) continue
    if (reply.id === steps.length - 1) break
    send(reply.id + 1)
  }
  child.stdin.end()
  await once(child, 'close')
}

async function goBackInOpenCode(
  run: ConversationRun,
  session: string,
  messageID: string,
): Promise<void> {
  const child = spawn('timeout', ['60', 'opencode', 'serve', '--port', '0'], {
    cwd: run.folders.cwd,
    env: { ...surroundings(run), OPENCODE_CONFIG: join(run.folders.home, 'opencode.json') },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (address === undefined) continue
      const reply = await fetch(`${address}/session/${session}/revert`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-opencode-directory': run.folders.cwd },
        body: JSON.stringify({ messageID }),
      })
      if (!reply.ok) throw new Error(`OpenCode cannot go back: ${await reply.text()}`)
      return
    }
  } finally {
    child.kill()
  }
}

/** The code of pi itself writes where the conversation is. */
async function goBackInPi(run: ConversationRun, entry: string): Promise<void> {
  const place = join(run.installed, 'node_modules', '@mariozechner', 'pi-coding-agent')
  const pi = (await import(pathToFileURL(join(place, 'dist', 'index.js')).href)) as {
    SessionManager: {
      open(file: string): { branchWithSummary(entry: string, text: string): string }
    }
  }
  const manager = pi.SessionManager.open(writtenFiles(run).at(-1) ?? '')
  manager.branchWithSummary(entry, 'Went back.')
}
