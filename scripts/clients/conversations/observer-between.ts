import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { runProgram } from '../../run-command.ts'

/**
 * `node observer-between.ts <file> <client> <loadout>`: runs `loadout mcp serve --observe` for a client. For each answer of
 * `why` it writes a line of the file: the answer, and what the command printed right before and right after.
 */
const [file = '', client = '', loadout = ''] = process.argv.slice(2)

const observer = spawn(process.execPath, [loadout, 'mcp', 'serve', '--observe'], {
  stdio: ['pipe', 'pipe', 'inherit'],
})

/** The name that is asked about and the output of the command before, by the id of the request. */
const asked = new Map<unknown, { readonly name: string; readonly before: string }>()

async function printedAbout(name: string): Promise<string> {
  const words = ['why', name, '--log', client, '--session', 'latest']
  const { stdout } = await runProgram(process.execPath, [loadout, ...words], {
    cwd: process.cwd(),
    env: { PATH: '/usr/bin:/bin', HOME: process.env['HOME'] ?? '' },
  })
  return stdout
}

async function passRequests(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line)
    if (method === 'tools/call') {
      const { name } = params.arguments
      asked.set(id, { name, before: await printedAbout(name) })
    }
    observer.stdin.write(`${line}\n`)
  }
  observer.stdin.end()
}

async function passAnswers(): Promise<void> {
  for await (const line of createInterface({ input: observer.stdout })) {
    const { id, result } = JSON.parse(line)
    const about = asked.get(id)
    if (about !== undefined && result !== undefined) {
      const after = await printedAbout(about.name)
      const answered = result.content[0].text
      appendFileSync(file, `${JSON.stringify({ ...about, answered, after })}\n`)
    }
    process.stdout.write(`${line}\n`)
  }
}

await Promise.all([passRequests(), passAnswers()])
