import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CLIENT_NAMES, type ClientName } from '../../src/connections/clients/client-profile.ts'
import { outsideEnvironment, runCommand } from '../run-command.ts'
import { type ClientCase, makeCase, removeCase } from './case-folder.ts'
import { compactListing, type ComparedSkill } from './compact-listing.ts'
import { TALKING_CLIENTS } from './conversations/conversation.ts'
import { observeConversations } from './conversations/observe-conversations.ts'
import { runAsking } from './conversations/run-asking.ts'
import { runPlanted } from './conversations/run-planted.ts'
import { startModelServer } from './model-server.ts'
import { observePaths } from './observe-paths.ts'
import { type ObservedClient, readObserved, writeObserved } from './observed-client.ts'
import { writePage } from './write-page.ts'
import type { ListedSkill } from './read-listing.ts'
import { runClient } from './run-client.ts'
import { allCases } from './all-cases.ts'

/**
 * `npm run clients`: installs clients of others in a folder of their own, runs each over many small folders against a server
 * on loopback, reads from the wire which skills it listed, and stores that for the tests. Cases that were observed with
 * the same version are not run again.
 *
 * `npm run clients -- conversations` has scripted conversations with each of them, and compares what it wrote with what it
 * sent; with --recorded, a recording of it with both, also in the answers of `why`. `npm run clients -- planted` plants
 * failures of skills in conversations, and carries out the fixes that `loadout why --log` gives. `npm run clients -- asking` has
 * the model of each ask about its own session.
 *
 * npm run clients -- --only codex --case twin --again
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    case: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false },
    /** Writes the page from what is stored, and runs no client. */
    page: { type: 'boolean', default: false },
    /** The folder in which the clients are, or will be, installed. */
    installed: { type: 'string', default: join(tmpdir(), 'loadout-installed-clients') },
    cases: { type: 'string' },
    workers: { type: 'string', default: '2' },
    /** Compares recordings of conversations, in the place of transcripts. */
    recorded: { type: 'boolean', default: false },
  },
})

const only =
  values.only === ''
    ? CLIENT_NAMES
    : CLIENT_NAMES.filter((one) => values.only.split(',').includes(one))

const talking = TALKING_CLIENTS.filter((one) => only.some((name) => name === one))

if (!values.page) install()

const cases = new Map(
  values.cases === undefined
    ? allCases()
    : Object.entries(JSON.parse(readFileSync(values.cases, 'utf8')) as Record<string, ClientCase>),
)

if (positionals[0] === 'conversations') {
  const workers = Number(values.workers)
  const { installed, recorded } = values
  const options = { clients: talking, only: values.case, installed, workers, recorded }
  process.exit((await observeConversations(options)) ? 0 : 1)
}
if (positionals[0] === 'asking') {
  process.exit((await runAsking({ clients: talking, installed: values.installed })) ? 0 : 1)
}
if (positionals[0] === 'planted') {
  const workers = Number(values.workers)
  const options = { clients: talking, only: values.case, installed: values.installed, workers }
  process.exit((await runPlanted(options)) ? 0 : 1)
}

await using server = await startModelServer()

for (const client of values.page ? [] : only) await observe(client)

if (values.cases === undefined) await writePage()

async function observe(client: ClientName): Promise<void> {
  const version = installedVersion(client)
  const isStored = values.cases === undefined
  const before = isStored ? storedBefore(client) : null
  const stored = before?.version === version ? before.cases : {}
  const none = await listed(client, { what: 'No skill at all.' }, 'none', 0)
  const whole = new Map(none.map(([name, text]) => [name, text ?? '']))
  const builtIns = none.map(([name, text]) => [name, text?.length ?? 0] as const)
  const found = new Map<string, ObservedClient['cases'][string]>()
  const save = () => {
    const sorted = [...cases.keys()].flatMap((id) => {
      const one = found.get(id) ?? stored[id]
      return one === undefined ? [] : [[id, one] as const]
    })
    if (isStored) writeObserved({ client, version, builtIns, cases: Object.fromEntries(sorted) })
    return sorted.length
  }
  const queue = [...cases].entries()
  const work = async (worker: number) => {
    for (const [index, [id, one]] of queue) {
      const digest = createHash('sha256').update(JSON.stringify(one)).digest('hex').slice(0, 16)
      const isNew = stored[id]?.digest !== digest || values.again
      if (!id.includes(values.case) || !isNew) continue
      try {
        const skills = await listed(client, one, `${client}-${index}`, worker)
        const compact = compactListing(skills.map((skill) => compared(skill, whole)))
        found.set(id, { digest, listed: compact })
        if (values.print) console.log(id, JSON.stringify(compact))
        if (found.size % 10 === 0) save()
      } catch (error) {
        console.error(`${client} ${id}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: Number(values.workers) }, (_, worker) => work(worker)))
  console.log(`${client} ${version}: ${save()} of ${cases.size} cases observed`)
  if (client === 'claude-code' && isStored && 'paths'.includes(values.case)) {
    const { installed, again } = values
    await observePaths(version, { server, installed, again, workers: Number(values.workers) })
  }
}

function storedBefore(client: ClientName): ObservedClient | null {
  try {
    return readObserved(client)
  } catch {
    return null
  }
}

/** Marks built-in skills: an own one of the same name has another description. */
function compared(
  [name, description]: ListedSkill,
  whole: ReadonlyMap<string, string>,
): ComparedSkill {
  const text = whole.get(name)
  const isBuiltIn = text !== undefined && text.startsWith(description ?? '') && description !== ''
  if (!isBuiltIn) return { name, description }
  return { name, description, builtIn: { whole: text.length, shown: description?.length ?? 0 } }
}

async function listed(
  client: ClientName,
  one: ClientCase,
  id: string,
  worker: number,
): Promise<readonly ListedSkill[]> {
  const folders = makeCase(one, id)
  try {
    const cache = join(values.installed, 'cache', `${client}-${worker}`)
    const run = {
      one,
      folders,
      server,
      id: `${id}-${Date.now()}`,
      installed: values.installed,
      cache,
    }
    const { listed, stderr } = await runClient(client, run)
    if (values.print && client === 'codex')
      console.error(
        stderr
          .split('\n')
          .filter((line) => line.includes('skill'))
          .join('\n'),
      )
    return listed
  } finally {
    removeCase(folders)
  }
}

function install(): void {
  const folder = values.installed
  mkdirSync(folder, { recursive: true })
  if (only.every((client) => existsSync(packageFile(client)))) return
  for (const name of ['package.json', 'package-lock.json']) {
    writeFileSync(join(folder, name), readFileSync(join(import.meta.dirname, 'installed', name)))
  }
  const env = { PATH: outsideEnvironment()['PATH'], HOME: folder }
  const { passed, output } = runCommand('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    env,
  })
  if (!passed) throw new Error(`The clients cannot be installed in ${folder}:\n${output}`)
}

function installedVersion(client: ClientName): string {
  return (JSON.parse(readFileSync(packageFile(client), 'utf8')) as { version: string }).version
}

function packageFile(client: ClientName): string {
  const packages = {
    'claude-code': '@anthropic-ai/claude-code',
    codex: '@openai/codex',
    opencode: 'opencode-ai',
    pi: '@mariozechner/pi-coding-agent',
    'gemini-cli': '@google/gemini-cli',
    'qwen-code': '@qwen-code/qwen-code',
  }
  return join(values.installed, 'node_modules', packages[client], 'package.json')
}
