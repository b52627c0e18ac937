import fc from 'fast-check'
import { z } from 'zod'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { toolsFromAiSdk } from '../../src/tools/brought/tools-from-ai-sdk.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'
import type { TorturePart } from './torture-part.ts'

const inputSchema = z.object({
  path: z.string(),
  command: z.string(),
  amount: z.number(),
  to: z.array(z.string()),
  force: z.boolean().optional(),
})

type Input = z.output<typeof inputSchema>

interface Options {
  readonly toolCallId: string
  readonly messages: readonly unknown[]
  readonly context: { readonly user: string; readonly limit: number }
}

type Predicate = (input: Input, options: Options) => boolean | Promise<boolean>

function refuse(message: string): never {
  throw new Error(message)
}

/** Conditions as agents have them: of paths, commands, amounts, people, with promises, and that throw. */
const PREDICATES: Readonly<Record<string, Predicate>> = {
  always: () => true,
  never: () => false,
  secretFile: ({ path }) => /(?:^|\/)\.env/u.test(path),
  secretFileInAnyCase: ({ path }) => path.toLowerCase().includes('.env'),
  outside: ({ path }) => path.startsWith('/') || path.split('/').includes('..'),
  hidden: ({ path }) => path.split('/').some((part) => part.startsWith('.')),
  notSource: ({ path }) => !['.ts', '.tsx', '.md'].some((end) => path.endsWith(end)),
  deepPath: ({ path }) => path.split('/').length > 3,
  emptyPath: ({ path }) => path.trim() === '',
  removes: ({ command }) => /\brm\s+-rf\b/u.test(command),
  removesOrPushes: ({ command }) => /\b(?:rm|git\s+push)\b/u.test(command),
  firstWord: ({ command }) => !['ls', 'cat', 'echo'].includes(command.split(/\s+/u)[0] ?? ''),
  pipes: ({ command }) => /[|&;><]/u.test(command),
  longCommand: ({ command }) => command.length > 20,
  expensive: ({ amount }) => amount > 100,
  expensiveHere: ({ amount }, { context }) => amount > context.limit,
  negative: ({ amount }) => amount < 0,
  notWhole: ({ amount }) => !Number.isInteger(amount),
  zero: ({ amount }) => Object.is(amount, 0),
  even: ({ amount }) => amount % 2 === 0,
  forced: ({ force }) => force === true,
  forceNotGiven: ({ force }) => force === undefined,
  outsiders: ({ to }) => to.some((one) => !one.endsWith('@here.example')),
  many: ({ to }) => to.length > 2,
  toOneself: ({ to }, { context }) => to.includes(context.user),
  twice: ({ to }) => new Set(to).size < to.length,
  later: async ({ amount }) => {
    await Promise.resolve()
    return amount > 10
  },
  throwsForSome: ({ path, amount }) => (amount < 0 ? refuse('No price.') : path === '.env'),
  rejectsForSome: async ({ to, force }) =>
    to.length === 0 ? Promise.reject(new Error('Nobody.')) : force === true,
  anything: (input, { toolCallId, messages }) =>
    toolCallId.length > 0 && messages.length === 1 && JSON.stringify(input).length % 3 === 0,
}

const name = fc.constantFrom('ann@here.example', 'bob@here.example', 'eve@there.example')

const word = fc.constantFrom('rm', '-rf', 'ls', 'cat', 'git', 'push', 'farm', '|', '', 'a b', 'RM')

const part = fc.constantFrom('src', '..', '.env', '.ENV.local', 'a.ts', 'my.environment.ts', '')

/** Arguments that are near the bounds of the conditions. */
const inputs: fc.Arbitrary<Input> = fc.record(
  {
    path: fc.oneof(
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('/')),
      fc.string(),
    ),
    command: fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
    amount: fc.oneof(
      fc.integer({ min: -2, max: 102 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    to: fc.array(name, { maxLength: 4 }),
    force: fc.boolean(),
  },
  { requiredKeys: ['path', 'command', 'amount', 'to'] },
)

const INPUTS = 1_000

const CONTEXT: Options['context'] = { user: 'ann@here.example', limit: 50 }

/** Calls tools of the AI SDK whose `needsApproval` is a function, and compares each question with its answer. */
export const conditions: TorturePart = {
  name: 'conditions',
  claim:
    'A person is asked about a call exactly where the condition of its tool says so, or throws.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const all = Object.entries(PREDICATES)
    const wanted = Math.ceil(INPUTS * scale)
    const seen = { calls: 0, asked: 0 }
    const failures: string[] = []
    for (const [index, [of, predicate]] of all.entries()) {
      const sample = fc.sample(inputs, { seed: seed + index, numRuns: wanted })
      // A tool gets JSON, in which -0 is 0.
      const given = sample.map((one) => JSON.parse(JSON.stringify(one)) as Input)
      for (const part of chunks(given, 100)) {
        if (performance.now() > until) break
        failures.push(...(await wrongQuestions(of, predicate, part, seen)))
      }
    }
    return {
      figures: {
        'conditions of tools': all.length,
        'calls that they judged': seen.calls,
        'of them asked about': seen.asked,
        'questions too many or too few': failures.length,
      },
      failures,
      done: seen.calls / (all.length * wanted),
    }
  },
}

/** Returns the calls that were asked about although the condition says no, and the other way round. */
async function wrongQuestions(
  of: string,
  predicate: Predicate,
  given: readonly Input[],
  seen: { calls: number; asked: number },
): Promise<readonly string[]> {
  const it = {
    inputSchema,
    needsApproval: (input: Input, options: Options) => predicate(input, options),
    execute: () => 'done',
  }
  const catalog = await createCatalog({ tools: toolsFromAiSdk({ it }) })
  const workspace = await VirtualWorkspace.open({ catalog, services: CONTEXT, countCalls: false })
  const wrong: string[] = []
  for (const [index, input] of given.entries()) {
    const call = `c${index}`
    const messages = [{ role: 'user', content: 'Do it.' }]
    const answer = Promise.resolve().then(() =>
      predicate(input, { toolCallId: call, messages, context: CONTEXT }),
    )
    const expected = await answer.catch(() => true)
    const options = { caller: 'model', call, aiSdk: { messages } } as const
    const previewed = await workspace.approvals.asksAbout('it', input, options)
    const response = await workspace.callTool('it', input, options)
    const asked = !response.ok && response.error.type === 'CONFIRMATION_REQUIRED'
    seen.calls += 1
    seen.asked += asked ? 1 : 0
    if (asked !== expected || previewed !== expected || (!asked && !response.ok)) {
      wrong.push(`${of}(${JSON.stringify(input)}) is ${expected}: ${JSON.stringify(response)}`)
    }
  }
  await workspace.close()
  return wrong
}

function chunks<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  return values.length === 0 ? [] : [values.slice(0, size), ...chunks(values.slice(size), size)]
}
