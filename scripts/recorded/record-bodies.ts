import type { Answer } from '../../tests/wires/server/answer.ts'
import { openWireServer } from '../../tests/wires/server/open-wire-server.ts'
import type { InstalledPackage } from './open-installed.ts'
import { CONVERSATIONS } from './programs/conversations.ts'
import type { Recording } from './record-file.ts'

/** The wires, by the names of all drivers; the drivers themselves are imported where the package is installed. */
export const RECORDED_WIRES = [
  'AI SDK, OpenAI',
  'AI SDK, OpenAI, older model',
  'AI SDK, Anthropic',
  'AI SDK, Anthropic, older model',
  'AI SDK, compatible',
  'OpenAI Responses, gpt-5.4',
  'OpenAI Responses, gpt-4.1',
  'Chat Completions',
  'Anthropic beta, claude-opus-4-8',
  'Anthropic beta, claude-sonnet-5',
  'Anthropic stable',
]

const PROGRAMS = 'scripts/recorded/programs'

/** The files of the repository that the program imports. */
const FILES = [
  PROGRAMS,
  'tests/connections/wires/wire-sessions/ai-sdk-drivers.ts',
  'tests/connections/wires/wire-sessions/client-drivers.ts',
  'tests/connections/wires/wire-sessions/wire-drivers.ts',
  'tests/wires/server/gemini-client.ts',
]

/** Has the conversations over a wire, with the packed package, and records the bytes of each body. */
export async function recordBodies(
  wire: string,
  { startRun }: InstalledPackage,
): Promise<readonly Recording[]> {
  const left = new Map<string, Answer[]>(
    CONVERSATIONS.map(({ name, turns }) => [name, turns.flatMap(({ answers }) => answers)]),
  )
  const recordings: Recording[] = []
  const server = await openWireServer({
    answers: ({ bytes, index }) => {
      const body = bytes.toString('utf8')
      const [name, answers = []] = [...left].find(([one]) => body.includes(`${one}: `)) ?? ['none']
      recordings.push({ name: `${index + 1}, ${name}`, text: body })
      return answers.shift() ?? 'Over.'
    },
  })
  try {
    using run = startRun(`bodies ${wire}`)
    for (const file of FILES) run.copy(file, file)
    const ended = await run.shell(`node ${PROGRAMS}/bodies.ts ${server.url} '${wire}'`)
    if (ended.code !== 0) throw new Error(`${wire}: ${ended.stderr}`)
    const violations = server.violations.map(({ check, message }) => `${check}: ${message}`)
    const text = [...violations, ended.stdout, ended.stderr].join('\n')
    return [
      ...recordings.map(({ name, text: body }) => ({ name, text: run.normalise(body) })),
      { name: 'violations and output', text: run.normalise(text) },
    ]
  } finally {
    await server.close()
  }
}
