import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { Option } from 'commander'
import { errorCode, sanitiseLine, shellWord, thrownMessage } from '../../../entries/kit.ts'
import { counted } from '../../../entries/plan.ts'
import type { ClientName } from '../../../connections/clients/client-profile.ts'
import type { RecordedExchange } from '../../../connections/observed/recording/record-exchanges.ts'
import { stateFolder } from '../opening/open-log.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonOption, numberBetween } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface WatchOptions {
  readonly to?: string
  readonly port: number
  readonly json?: true
}

/** The APIs of models: the variable by which their clients find them, and the address without it. */
const ROUTES = {
  anthropic: ['ANTHROPIC_BASE_URL', 'https://api.anthropic.com'],
  openai: ['OPENAI_BASE_URL', 'https://api.openai.com/v1'],
  gemini: ['GOOGLE_GEMINI_BASE_URL', 'https://generativelanguage.googleapis.com'],
} as const

/** `loadout watch`: record what an agent sends to its model. */
export const watchCommand: CliCommand<WatchOptions> = {
  name: 'watch',
  summary: 'Record what any agent sends to its model',
  description:
    'Pass requests to a model on, and record them. Set the address that is printed where you start your agent, or give its ' +
    'command after --. Bodies are passed on byte for byte. The recording has no keys, cookies or accounts, and secrets in ' +
    'its texts are cut.\n\n' +
    'Every command that looks at a session takes it: --log recording is the last one of this folder.',
  arguments: '[command...]',
  options: () => [
    new Option('--to <file>', 'Write the recording to this new file'),
    new Option('--port <port>', 'Listen at this port of 127.0.0.1; 0 takes a free one')
      .default(0)
      .argParser(numberBetween(0, 65_535, true)),
    jsonOption(),
  ],
  examples: ['loadout watch', 'loadout watch -- claude -p "Tidy my notes"'],
  async run({ words, options, context }) {
    const { stdout, env } = context
    const isJson = options.json === true
    refuseProxy(env)
    knownClient(words).check?.(env)
    const seen: RecordedExchange[] = []
    const onExchange = (one: RecordedExchange) => {
      seen.push(one)
      // The terminal is that of the agent.
      if (words.length === 0 && !isJson) stdout.write(`${exchangeText(one)}\n`)
    }
    const { file, address, close } = await openRecorder(words, options, onExchange, context)
    const variables = Object.fromEntries(
      Object.entries(ROUTES).map(([name, [variable]]) => [variable, `${address}/${name}`]),
    )
    const code = words.length > 0 ? await runAgent(words, variables, address, context) : 0
    if (words.length === 0) {
      const interrupted = Promise.withResolvers<void>()
      context.onInterrupt(interrupted.resolve)
      for (const signal of ENDINGS) process.once(signal, () => interrupted.resolve())
      stdout.write(
        isJson
          ? jsonText({ file, addresses: variables })
          : addressesText(variables, file, options.to),
      )
      await interrupted.promise
    }
    await close()
    const made = { file: seen.length > 0 ? file : null, requests: seen.length }
    if (!isJson) stdout.write(endText(made, options.to))
    else if (words.length > 0) stdout.write(jsonText(made))
    return code
  },
}

/** Opens a recording and the proxy that writes it. */
async function openRecorder(
  words: readonly string[],
  { to, port }: WatchOptions,
  onExchange: (one: RecordedExchange) => void,
  context: CliContext,
) {
  const [{ openProxy }, { recordExchanges }, { secretsFromEnvironment }] = await Promise.all([
    import('../../../connections/observed/proxy/open-proxy.ts'),
    import('../../../connections/observed/recording/record-exchanges.ts'),
    import('../../project/config/environment-variables.ts'),
  ])
  const { stderr, env } = context
  const routes = upstreams(env)
  const file = await recordingFile(to, context)
  const recording = await recordExchanges(file, {
    folder: await realpath(context.cwd),
    client: knownClient(words).client,
    secrets: secretsFromEnvironment(env),
    secretsIn: secretsFromEnvironment,
    onExchange,
    onFailure: (error) => stderr.write(notRecorded(error)),
  }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
    throw wrongUsage(`"${file}" is there already.`, 'Give the name of a new file.')
  })
  context.onEnd(() => recording.close())
  const { listener } = recording
  const proxy = await openProxy({ routes, port, listener, env }).catch((error: unknown) => {
    if (errorCode(error) !== 'EADDRINUSE') throw error
    throw wrongUsage(`Port ${port} is taken.`, 'Give another --port, or leave it out.')
  })
  context.onEnd(() => proxy.close())
  const close = async () => {
    await proxy.close()
    await recording.close()
  }
  return { file, address: `http://127.0.0.1:${proxy.port}`, close }
}

/** Returns the file of the recording, whose folder is there. */
async function recordingFile(to: string | undefined, context: CliContext): Promise<string> {
  const [{ newRecording }, { makeFolder }] = await Promise.all([
    import('../opening/new-recording.ts'),
    import('../../project/walk/make-folder.ts'),
  ])
  const { cwd } = context
  const file = to === undefined ? await newRecording(cwd, stateFolder(context)) : resolve(cwd, to)
  try {
    makeFolder(dirname(file), 0o700)
  } catch (error) {
    throw wrongUsage(
      `The recording cannot be written: ${sanitiseLine(thrownMessage(error))}.`,
      'Give another file: --to agent.jsonl.',
    )
  }
  return file
}

function notRecorded(error: unknown): string {
  return `loadout: ${sanitiseLine(thrownMessage(error))}. Nothing more is recorded; requests are still passed on. Another file is given by --to.\n`
}

/** Returns the addresses of the providers: those that the environment has, else the usual ones. */
function upstreams(env: CliContext['env']): ReadonlyMap<string, URL> {
  const all = Object.entries(ROUTES).map(([name, [variable, usual]]) => {
    const given = env[variable] || usual
    if (URL.canParse(given)) return [name, new URL(given)] as const
    throw wrongUsage(`${variable} is no address.`, 'Correct it, or unset it.')
  })
  return new Map(all)
}

/** Runs an agent in this terminal, with the addresses of the APIs. */
async function runAgent(
  [command = '', ...words]: readonly string[],
  variables: Readonly<Record<string, string>>,
  address: string,
  { cwd, env, onInterrupt, onEnd }: CliContext,
): Promise<0 | 1> {
  const { start } = knownClient([command])
  const { before = [], more = {}, extension } = start?.(address) ?? {}
  const extended: string[] = []
  if (extension !== undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'loadout-watch-'))
    onEnd(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'loadout.mjs'), extension)
    extended.push('-e', join(folder, 'loadout.mjs'))
  }
  // The agent has each interrupt, and decides.
  let undo = () => {}
  const leave = () => {
    undo = onInterrupt(leave)
  }
  leave()
  let child: ChildProcess | undefined
  // Without this process, the agent reaches no model.
  const passSignal = (signal: NodeJS.Signals) => void child?.kill(signal)
  for (const signal of ENDINGS) process.on(signal, passSignal)
  try {
    child = spawn(command, [...before, ...extended, ...words], {
      cwd,
      env: { ...env, ...withoutProxy(env), ...variables, ...more },
      stdio: 'inherit',
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code === 0 ? 0 : 1
  } catch (error) {
    throw wrongUsage(
      `"${command}" cannot be started: ${thrownMessage(error)}.`,
      'Give a command that is on the path.',
    )
  } finally {
    undo()
    for (const signal of ENDINGS) process.off(signal, passSignal)
  }
}

/** The signals by which others end a process: only an interrupt goes to its children, too. */
const ENDINGS = ['SIGTERM', 'SIGHUP'] as const

/** Returns the variables by which an agent reaches this machine without the proxy that it has for other addresses. */
function withoutProxy(env: CliContext['env']): Readonly<Record<string, string>> {
  if (!Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name))) return {}
  const list = [env['NO_PROXY'] || env['no_proxy'], '127.0.0.1'].filter(Boolean).join(',')
  return { NO_PROXY: list, no_proxy: list }
}

/** The first versions of Node whose requests can use a proxy of the environment. */
const PROXIED: Readonly<Record<number, number>> = { 22: 21, 23: Infinity, 24: 5 }

/** Refuses a proxy that would not be used. */
function refuseProxy(env: CliContext['env']): void {
  const given = env['https_proxy'] || env['HTTPS_PROXY']
  if (!given) return
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given))
    throw wrongUsage('HTTPS_PROXY is no address of an HTTP proxy.', 'Correct it, or unset it.')
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (minor >= (PROXIED[major] ?? 0)) return
  throw wrongUsage(
    `HTTPS_PROXY is set, which Node ${process.versions.node} does not support.`,
    'Use Node 24.5 or later, or unset it.',
  )
}

/** The words, variables and code that a client needs, besides the address of its API. */
interface Start {
  readonly before?: readonly string[]
  readonly more?: Readonly<Record<string, string>>
  /** The code of an extension. */
  readonly extension?: string
}

/** A client that is known by its command. */
interface KnownClient {
  readonly client?: ClientName
  /** Refuses what cannot be recorded. */
  readonly check?: (env: CliContext['env']) => void
  /** Absent for one that takes the address by its variable. */
  readonly start?: (address: string) => Start
}

function knownClient([command = '']: readonly string[]): KnownClient {
  return CLIENTS[basename(command)] ?? {}
}

const CLIENTS: Readonly<Record<string, KnownClient>> = {
  claude: { client: 'claude-code' },
  codex: {
    client: 'codex',
    check(env) {
      if (env['OPENAI_API_KEY']) return
      throw wrongUsage(
        'Codex is recorded with a key, and not with an account of ChatGPT.',
        'Set OPENAI_API_KEY.',
      )
    },
    start: (address) => ({
      before: [
        'model_provider="loadout"',
        `model_providers.loadout={name="loadout",base_url="${address}/openai",wire_api="responses",env_key="OPENAI_API_KEY"}`,
      ].flatMap((value) => ['-c', value]),
    }),
  },
  opencode: {
    client: 'opencode',
    start: (address) => ({
      more: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          provider: {
            anthropic: { options: { baseURL: `${address}/anthropic/v1` } },
            openai: { options: { baseURL: `${address}/openai` } },
            google: { options: { baseURL: `${address}/gemini/v1beta` } },
          },
        }),
      },
    }),
  },
  pi: {
    client: 'pi',
    start: (address) => ({
      extension: `export default (pi) => {
  pi.registerProvider('anthropic', { baseUrl: '${address}/anthropic' })
  pi.registerProvider('openai', { baseUrl: '${address}/openai' })
  pi.registerProvider('google', { baseUrl: '${address}/gemini/v1beta' })
}
`,
    }),
  },
}

function addressesText(
  variables: Readonly<Record<string, string>>,
  file: string,
  to: string | undefined,
): string {
  const attach = `loadout attach${to === undefined ? '' : ` --log ${shellWord(to)}`}`
  const lines = Object.entries(variables).map(([name, value]) => `  ${name}=${value}\n`)
  return `Set the address of your API, and start your agent there:\n${lines.join('')}Recording to ${file}. See it live in another terminal: ${attach}. Ctrl-C ends it.\n`
}

function endText(
  { file, requests }: { readonly file: string | null; readonly requests: number },
  to = 'recording',
): string {
  if (file === null) {
    return 'No request was made, so nothing was recorded. An agent with another provider, or with its account, may need its own settings: docs/recording.md.\n'
  }
  return `${counted(requests, 'request')} recorded in ${file}. Look: loadout play --log ${shellWord(to)}\n`
}

function exchangeText({ at, ms, address, asked, status, usage }: RecordedExchange): string {
  const what =
    asked === null
      ? address
      : `${asked.model}, ${counted(asked.messages, 'message')}, ${counted(asked.tools, 'tool')}`
  const tokens =
    usage === null
      ? []
      : [`${usage.input} tokens in, ${usage.cached ?? 0} of them cached, ${usage.output} out`]
  const time = new Date(at).toISOString().slice(11, 19)
  const facts = [time, status ?? 'no answer', what, ...tokens, `${ms} ms`]
  return sanitiseLine(facts.join('  '))
}
