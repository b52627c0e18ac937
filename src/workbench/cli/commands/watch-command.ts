import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Option } from 'commander'
import { errorCode, sanitiseLine, shellWord, thrownMessage } from '../../../entries/kit.ts'
import { counted } from '../../../entries/plan.ts'
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
    const [{ openProxy }, { recordExchanges }, { newRecording }, known] = await Promise.all([
      import('../../../connections/observed/proxy/open-proxy.ts'),
      import('../../../connections/observed/recording/record-exchanges.ts'),
      import('../opening/new-recording.ts'),
      import('../../project/config/environment-variables.ts'),
    ])
    const { stdout, stderr, env } = context
    const routes = upstreams(env)
    const isJson = options.json === true
    const file =
      options.to !== undefined
        ? resolve(context.cwd, options.to)
        : await newRecording(context.cwd, stateFolder(context))
    const seen: RecordedExchange[] = []
    const folder = await realpath(context.cwd)
    const recording = await recordExchanges(file, {
      folder,
      secrets: known.secretsFromEnvironment(env),
      secretsIn: known.secretsFromEnvironment,
      onExchange(one) {
        seen.push(one)
        // The terminal is that of the agent.
        if (words.length === 0 && !isJson) stdout.write(`${exchangeText(one)}\n`)
      },
      onFailure: (error) => stderr.write(notRecorded(error)),
    }).catch((error: unknown) => {
      throw errorCode(error) === 'EEXIST' ? alreadyThere(file) : error
    })
    context.onEnd(() => recording.close())
    const proxy = await openProxy({
      routes,
      port: options.port,
      listener: recording.listener,
    }).catch((error: unknown) => {
      throw errorCode(error) === 'EADDRINUSE' ? portTaken(options.port) : error
    })
    context.onEnd(() => proxy.close())
    const address = `http://127.0.0.1:${proxy.port}`
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
    await proxy.close()
    await recording.close()
    const made = { file: seen.length > 0 ? file : null, requests: seen.length }
    if (!isJson) stdout.write(endText(made, options.to))
    else if (words.length > 0) stdout.write(jsonText(made))
    return code
  },
}

function alreadyThere(file: string): Error {
  return wrongUsage(`"${file}" is there already.`, 'Give the name of a new file.')
}

function portTaken(port: number): Error {
  return wrongUsage(`Port ${port} is taken.`, 'Give another --port, or leave it out.')
}

function notRecorded(error: unknown): string {
  return `loadout: ${sanitiseLine(thrownMessage(error))}. Nothing more is recorded; requests are still passed on.\n`
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
  { cwd, env, onInterrupt }: CliContext,
): Promise<0 | 1> {
  const { before = [], more = {} } = STARTS[basename(command)]?.(address) ?? {}
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
    child = spawn(command, [...before, ...words], {
      cwd,
      env: { ...env, ...variables, ...more },
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

/** The words and variables that a client needs, besides the address of its API. */
interface Start {
  readonly before?: readonly string[]
  readonly more?: Readonly<Record<string, string>>
}

const STARTS: Readonly<Record<string, (address: string) => Start>> = {
  codex: (address) => ({
    before: [
      'model_provider="loadout"',
      `model_providers.loadout={name="loadout",base_url="${address}/openai",wire_api="responses",env_key="OPENAI_API_KEY"}`,
    ].flatMap((value) => ['-c', value]),
  }),
  opencode: (address) => ({
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
  if (file === null) return 'No request was made, so nothing was recorded.\n'
  return `${counted(requests, 'request')} recorded in ${file}. Look: loadout play --log ${shellWord(to)}\n`
}

function exchangeText({ at, address, status, usage, ms }: RecordedExchange): string {
  const tokens =
    usage === null
      ? ''
      : `${usage.input} tokens in, ${usage.cached} of them cached, ${usage.output} out  `
  const answer = status === null ? 'no answer' : String(status)
  return sanitiseLine(
    `${new Date(at).toISOString().slice(11, 19)}  ${answer}  ${tokens}${ms} ms  ${address}`,
  )
}
