import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EventLog } from '../../../../src/entries/index.ts'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'

/** Writes a file of Codex that continues another one. */
async function writeCodex(folder: string, id: string, base: string | null, said: string) {
  const history_base = base && { thread_id: base, end_ordinal_exclusive: 10 }
  const lines = [
    { ordinal: 0, type: 'session_meta', payload: { id: 'a', cwd: '/project', history_base } },
    { ordinal: 1, type: 'event_msg', payload: { type: 'user_message', message: said } },
  ]
  const file = join(folder, `rollout-1-${id}.jsonl`)
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  return file
}

async function turnsIn(log: EventLog | null, session: string): Promise<readonly unknown[]> {
  const hashes = (await log?.read(session))?.flatMap(({ event }) =>
    event.type === 'turn.begun' && event.said ? [event.said] : [],
  )
  const texts = await log?.definitions.get(hashes ?? [])
  return (hashes ?? []).map((hash) => texts?.get(hash))
}

test('files of Codex that continue one another in a ring are read once', async () => {
  const folder = await temporaryFolder()
  const file = await writeCodex(folder, 'a', 'b', 'First.')
  await writeCodex(folder, 'b', 'c', 'Second.')
  await writeCodex(folder, 'c', 'b', 'Third.')
  expect(await turnsIn(await readTranscript(file), 'a')).toEqual(['Third.', 'Second.', 'First.'])
})

test.each(['pipe', 'folder', 'link', 'part of a name'])(
  'a file of Codex that continues a %s begins with its own lines',
  async (kind) => {
    const folder = await temporaryFolder()
    const file = await writeCodex(folder, 'a', 'other', 'First.')
    const other = join(folder, 'rollout-1-other.jsonl')
    const outside = await writeCodex(await temporaryFolder(), 'another', null, 'Not mine.')
    if (kind === 'pipe') execFileSync('mkfifo', [other])
    if (kind === 'folder') await mkdir(other)
    if (kind === 'link') await symlink(outside, other)
    if (kind === 'part of a name') await writeCodex(folder, 'another', null, 'Not mine.')
    expect(await turnsIn(await readTranscript(file), 'a')).toEqual(['First.'])
  },
)

test('folders below a file of Codex outside of its place, and links in a circle, are not searched', async () => {
  const folder = await temporaryFolder()
  const file = await writeCodex(folder, 'a', 'b', 'First.')
  await mkdir(join(folder, 'below'))
  await writeCodex(join(folder, 'below'), 'b', null, 'Not mine.')
  for (const name of ['x', 'y', 'z']) await symlink('.', join(folder, 'below', name))
  expect(await turnsIn(await readTranscript(file), 'a')).toEqual(['First.'])
})

test('subagents of subagents may be thousands deep', async () => {
  const count = 3_000
  const lines = Array.from({ length: count }, (_, index) => {
    const of = index === 0 ? {} : { agentId: `a${index}`, isSidechain: true }
    const part = (type: string, content: object, more: object) => ({
      sessionId: 's',
      type,
      uuid: `${type}-${index}`,
      ...of,
      ...more,
      message: { id: `m${index}`, role: type, content: [content] },
    })
    const id = `c${index}`
    return [
      part('assistant', { type: 'tool_use', id, name: 'Task', input: {} }, {}),
      part(
        'user',
        { type: 'tool_result', tool_use_id: id, content: 'Done.' },
        { toolUseResult: { agentId: `a${index + 1}` } },
      ),
    ]
  }).flat()
  const file = join(await temporaryFolder(), 's.jsonl')
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const log = await readTranscript(file)
  const sessions = (await log?.list()) ?? []
  expect(sessions).toHaveLength(count)
})

test('a file of spans that is too large is refused, whatever its first line is', async () => {
  const file = join(await temporaryFolder(), 'a.json')
  await writeFile(file, '{"resourceSpans":[]}\n')
  await truncate(file, 300 * 2 ** 20)
  await expect(readTranscript(file)).rejects.toMatchObject({ code: 'LOG_UNREADABLE' })
})
