import { readFileSync } from 'node:fs'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EventLog } from '../../../../src/entries/index.ts'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import { CLIENTS, samplePath } from './samples.ts'

/** Returns all sessions of a log with their entries; why they cannot be read, where they cannot. */
async function sessionsIn(log: EventLog | null): Promise<unknown> {
  const all = (await log?.list()) ?? []
  const read = all.map(async ({ session }) => [session, await log?.read(session)])
  return Promise.all(read).catch((error: Error) => error.message)
}

/** Opens a file with a text, and follows it. */
async function aFollowedFile(text: string | Buffer) {
  const file = join(await temporaryFolder(), 'a.jsonl')
  await writeFile(file, text)
  const log = await readTranscript(file)
  const stop = await log?.follow?.('s', () => {})
  onTestFinished(async () => stop?.())
  /** Resolves when the log has what the file has now. */
  const isRead = async () => {
    const whole = await sessionsIn(await readTranscript(file))
    await expect.poll(() => sessionsIn(log)).toEqual(whole)
    return whole
  }
  return { file, log, isRead }
}

/** A recording of requests of one conversation, each with one more message, and one request of a subagent. */
function aRecording(): string {
  const ask = (messages: readonly string[], at: number) => ({
    startedDateTime: new Date(at).toISOString(),
    time: 5,
    request: {
      url: 'https://api.example/v1/messages',
      postData: {
        text: JSON.stringify({
          model: 'm',
          tools: [{ name: 'search', input_schema: {} }],
          messages: messages.map((content) => ({ role: 'user', content })),
        }),
      },
    },
    response: { status: 200, content: { text: '{"usage":{"input_tokens":9,"output_tokens":1}}' } },
  })
  const asked = [['Ä first.'], ['Ä first.', 'Second.'], ['Another.'], ['Ä first.', 'Second.', '3.']]
  const lines = [{ recording: 1, folder: '/shop' }, ...asked.map(ask)]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const FILES = [
  ...Object.keys(CLIENTS).map((client) => ({
    kind: client,
    bytes: readFileSync(samplePath(client, 'load-and-count')),
  })),
  { kind: 'recording', bytes: Buffer.from(aRecording()) },
]

test.each(FILES)('a file of $kind that grows by any bytes is read on', async ({ bytes }) => {
  const [a, b] = [0.5, 0.8].map((part) => Math.floor(bytes.length * part))
  const { file, isRead } = await aFollowedFile(bytes.subarray(0, a))
  await appendFile(file, bytes.subarray(a, b))
  await isRead()
  await appendFile(file, bytes.subarray(b))
  const whole = await isRead()
  expect(JSON.stringify(whole)).toContain('step.begun')
})

test('a file that is shortened, written again or away for a while is read from its beginning', async () => {
  const text = aRecording()
  const [head = '', first = '', second = ''] = text.split(/(?<=\n)/u)
  const { file, log, isRead } = await aFollowedFile(text)
  await writeFile(file, head + first)
  await isRead()
  const other = first.replaceAll('Ä first.', 'A longer beginning.') + second
  await writeFile(file, head + other + text.repeat(2))
  await isRead()
  await rm(file)
  await expect.poll(() => sessionsIn(log)).toContain('ENOENT')
  await writeFile(file, text)
  await isRead()
})

test('of two followers, one can stop', async () => {
  const text = aRecording()
  const { file, log, isRead } = await aFollowedFile(text.slice(0, 900))
  const stop = await log?.follow?.('s', () => {})
  await stop?.()
  await appendFile(file, text.slice(900))
  expect(await isRead()).toHaveLength(2)
})
