import { join } from 'node:path'
import { VirtualWorkspace, type WorkspaceOptions } from 'loadout'
import { openProject } from 'loadout/node'
import { openSqliteLog } from 'loadout/sqlite'
import { o200kCounter } from '../../../src/workspace/open/o200k-counter.ts'
import { requestTokens } from '../../../src/engine/model/step-cost.ts'
import { keptText, requestText } from '../../../src/render/ink/parts/request-text.ts'
import { cachedPart } from '../../../src/workbench/report/facts/request-report.ts'
import { skillText, toolTree, type Tree } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

/** A provider and a strategy that it takes. */
export interface PricedPair {
  readonly provider: Extract<NonNullable<WorkspaceOptions['provider']>, string>
  readonly exposure: Extract<NonNullable<WorkspaceOptions['exposure']>, string>
}

const PROVIDERS = [
  'anthropic',
  'anthropic/claude-opus-4-8',
  'openai',
  'openai/gpt-5.4',
  'google',
  'compatible',
] as const

const EXPOSURES = ['auto', 'active', 'append', 'deferred', 'conversation', 'bridge'] as const

/** Skills with tools, with none, and with a lifetime, and an agent. */
export const PRICED_PROJECT: Tree = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
  ...toolTree('skills/alpha/tools/shout'),
  'skills/beta/SKILL.md': skillText('beta', 'metadata:\n  loadout.requires: alpha\n'),
  ...toolTree('skills/beta/tools/whisper'),
  'skills/gamma/SKILL.md': skillText('gamma', 'metadata:\n  loadout.lifetime: 1 turns\n'),
  ...toolTree('skills/gamma/tools/hum'),
  'skills/delta/SKILL.md': skillText('delta'),
  'loadout.config.json': JSON.stringify({
    skills: ['skills'],
    agents: [{ name: 'a', prompt: 'Sing.', skills: '*', initialSkills: ['delta'] }],
  }),
}

/** Returns the pairs that a session of the project can have: the given strategy is the one that is used. */
export async function legalPairs(cwd: string): Promise<readonly PricedPair[]> {
  const { catalog } = await openProject([cwd])
  const pairs: PricedPair[] = []
  for (const provider of PROVIDERS) {
    for (const exposure of EXPOSURES) {
      const workspace = await VirtualWorkspace.open({ catalog, provider, exposure })
      const { strategy } = (await workspace.previewStep()).exposure
      if (exposure === 'auto' || strategy === exposure) pairs.push({ provider, exposure })
      await workspace.close()
    }
  }
  return pairs
}

const SCREEN = ['play', '.', '--snapshot', 'text', '--columns', '200']

const SKILLS = ['alpha', 'beta', 'gamma', 'delta']
const TOOLS = ['echo', 'shout', 'whisper', 'hum', 'loadSkill']

/** Something that a host does, from one random number between 0 and 1. */
async function act(workspace: VirtualWorkspace, at: number, messages: number): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(at * 1e6) % list.length] as T
  if (at < 0.3) await workspace.activateSkill(pick(SKILLS))
  else if (at < 0.45) await workspace.deactivateSkill(pick(SKILLS), { cascade: true })
  else if (at < 0.55) await workspace.setToolEnabled(pick(TOOLS), at < 0.5)
  else if (at < 0.65) await workspace.beginTurn()
  else if (at < 0.7) await workspace.compact()
  else if (at < 0.8) await workspace.callTool(pick(TOOLS), { skillName: pick(SKILLS) })
  else await workspace.beginStep({ messageTokens: messages })
}

interface Printed {
  readonly stdout: string
}

/** The surfaces that were compared, and those whose price is not that of the step. */
export interface PricedSession {
  readonly surfaces: number
  readonly failures: readonly string[]
}

/**
 * Plays a random session in a log, and compares the price of its next request on every surface with the cost of
 * the step that its host then begins.
 *
 * @param screen runs the command that draws the playground, which needs its components built
 */
export async function priceSession(
  cwd: string,
  { provider, exposure }: PricedPair,
  numbers: readonly number[],
  screen: (
    argv: readonly string[],
    where: { readonly cwd: string },
  ) => Promise<Printed> = runCommand,
): Promise<PricedSession> {
  const { catalog } = await openProject([cwd])
  const file = `${provider.replace('/', '-')}-${exposure}-${numbers.length}-${numbers[0]}.sqlite`
  const log = await openSqliteLog(join(cwd, file))
  const tokenCounter = await o200kCounter()
  const session = { catalog, log, agent: 'a', session: 's', provider, exposure, tokenCounter }
  const workspace = await VirtualWorkspace.open(session)
  for (const [index, at] of numbers.entries()) await act(workspace, at, index * 100)
  const { seq, cost } = workspace.state
  const messageTokens = cost?.messages ?? 0
  await workspace.close()
  await log.close()

  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await runCommand([...argv, '--log', file], { cwd })
    if (code > 1) throw new Error(`${argv.join(' ')}: ${stderr}`)
    return stdout
  }
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')) || 'null')
  const shown = {
    'prompt --tokens': (await json('prompt', '.', '--tokens')).request,
    'prompt --json': (await json('prompt', '.')).request,
    'play --json': (await json('play', '.')).prompt.request,
  }
  const lines = {
    'prompt --tokens, as text': await run('prompt', '.', '--tokens'),
    tools: await run('tools', '.'),
    skills: await run('skills', '.'),
    'play, without a terminal': await run('play', '.'),
    'the header of the playground': (await screen([...SCREEN, '--log', file], { cwd })).stdout,
  }
  const activated = await json('activate', 'alpha', '--path', '.', '--at', String(seq))
  const compared = await json('diff', `${file}@1`, `${file}@${seq}`, '--path', '.')

  await using again = await openSqliteLog(join(cwd, file))
  const host = await VirtualWorkspace.open({ ...session, log: again })
  const { cost: begun } = await host.beginStep({ messageTokens })
  await host.close()
  const total = requestTokens(begun)
  const part = cachedPart(begun, begun)
  const failures: string[] = []
  const check = (surface: string, is: unknown, was: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(was)) {
      failures.push(`${provider} ${exposure} ${surface}: ${String(is)} for ${String(was)}`)
    }
  }
  for (const [surface, { total: is, kept, previous, tokens }] of Object.entries(shown)) {
    check(surface, [is, kept, previous, tokens], [total, part.kept, begun.previous, begun.tokens])
  }
  for (const [surface, text] of Object.entries(lines)) {
    check(surface, text.includes(`${requestText({ cost: begun })} tokens`), true)
    // The header leaves out that there was no request before.
    const isKept = text.includes(keptText(part)) || begun.previous === 0
    check(`${surface}, kept`, isKept, true)
  }
  // Null where the skill is active already.
  if (activated !== null) check('activate', activated.request.before, total)
  if (compared.request !== null) check('diff', compared.request.after, total)
  return { surfaces: Object.keys({ ...shown, ...lines }).length + 2, failures }
}
