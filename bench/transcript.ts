import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTranscript } from './write-transcript.ts'

/** Keys for the screen: over the rows of the tools and the skills, the timeline, and back. */
const KEYS = '2jjjjjjjjjjjjjjjjjjkkkkkkkkkk1jjjjjjjjjjjjjjjjjjjjkkkkkkkkkk5jjjjjjjjjj9jjjjjjjjjj'

/**
 * Prints the time, the time of processors and the memory that commands take for a transcript of 200 MB, and the time to the
 * first screen and from keys to their frames.
 */
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
  const program = join(import.meta.dirname, 'frame-times.py')
  const command = [
    process.execPath,
    join(import.meta.dirname, '../bin/loadout.js'),
    'play',
    '--log',
    log,
  ]
  const screen = spawnSync('python3', [program, '160', '45', 'OBSERVED', KEYS, ...command], {
    env: { HOME: folder, PATH: process.env['PATH'], TERM: 'xterm-256color' },
    encoding: 'utf8',
  })
  const [first = NaN, ...keys] = screen.stdout.trim().split('\n').map(Number)
  const at = (share: number) => keys.toSorted((a, b) => a - b)[Math.ceil(share * keys.length) - 1]
  const times = [first, at(0.5), at(0.95)].map((time = NaN) => Math.round(time * 10) / 10)
  process.stdout.write(
    `first screen: ${times[0]} ms; ${keys.length} keys to their frames: median ${times[1]} ms, p95 ${times[2]} ms\n`,
  )
} finally {
  rmSync(folder, { recursive: true })
}
