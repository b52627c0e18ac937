import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openJsonlLog } from '../../../../src/connections/logs/jsonl/open-jsonl-log.ts'
import { eventLogContract } from '../../../workspace/log/event-log-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'loadout-jsonl-'))
let count = 0

afterAll(() => rmSync(folder, { recursive: true }))

eventLogContract('A JSON Lines log', {
  sessions: 'one',
  writers: 'one',
  follows: false,
  create: async () => {
    const file = join(folder, `${count++}.jsonl`)
    return { log: openJsonlLog(file), again: async () => openJsonlLog(file) }
  },
})
