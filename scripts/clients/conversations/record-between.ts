import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TalkingClient } from './conversation.ts'
import { openProxy } from '../../../src/connections/observed/proxy/open-proxy.ts'
import { recordExchanges } from '../../../src/connections/observed/recording/record-exchanges.ts'
import type { ObservedSession } from '../../../src/connections/observed/observation.ts'
import { recordingReader } from '../../../src/connections/observed/transcripts/read-har.ts'

/** A recorder between a client and its model. */
interface RecorderBetween {
  readonly address: string
  readonly file: string
  /** Ends the recording, and returns its sessions. */
  read(): Promise<readonly ObservedSession[]>
  close(): Promise<void>
}

/** Records what goes to an address. */
export async function recordBetween(
  upstream: string,
  client: TalkingClient,
  agentFolder: string,
): Promise<RecorderBetween> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-recording-'))
  const file = join(folder, 'recording.jsonl')
  const recording = await recordExchanges(file, {
    folder: agentFolder,
    client,
    secrets: [],
    secretsIn: () => [],
    onExchange: () => undefined,
    onFailure(error) {
      throw error
    },
  })
  const routes = new Map([['model', new URL(upstream)]])
  const proxy = await openProxy({ routes, listener: recording.listener })
  return {
    file,
    address: `http://127.0.0.1:${proxy.port}/model`,
    async read() {
      await proxy.close()
      await recording.close()
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
      // A request for a title has no tools.
      return recordingReader()(lines.map((line) => JSON.parse(line))).filter(({ seen }) =>
        seen.some((one) => one.type === 'tools' && one.tools.length > 0),
      )
    },
    async close() {
      await proxy.close()
      await recording.close()
      rmSync(folder, { recursive: true })
    },
  }
}
