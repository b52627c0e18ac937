import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTranscript } from './write-transcript.ts'

/** Prints the time, the time of processors and the memory that commands take for a transcript of 200 MB. */
const folder = mkdtempSync(join(tmpdir(), 'loadout-transcript-'))
try {
  const log = join(folder, 'long.jsonl')
  const requests = await writeTranscript(log, 200_000_000)
  process.stdout.write(`200 MB, ${requests} requests\n`)
  const report = `process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    const [cpu, memory] = [(userCPUTime + systemCPUTime) / 1000, maxRSS / 1024]
    process.stderr.write(\`\\n\${Math.round(performance.now())} ms, \${Math.round(cpu)} ms of processors, \${Math.round(memory)} MB\`)
  })`
  const preload = `data:text/javascript,${encodeURIComponent(report)}`
  for (const words of [
    ['why', 'skill-3'],
    ['replay', '--losses'],
    ['sessions', 'list'],
  ]) {
    const command = join(import.meta.dirname, '../bin/loadout.js')
    const run = spawnSync(
      process.execPath,
      ['--import', preload, command, ...words, '--log', log],
      {
        env: { HOME: folder, PATH: process.env['PATH'] },
        encoding: 'utf8',
        maxBuffer: 1e9,
      },
    )
    process.stdout.write(`${words.join(' ')}: ${run.stderr.split('\n').at(-1)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
