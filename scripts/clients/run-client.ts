import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ClientName } from '../../src/connections/clients/client-profile.ts'
import { runProgram } from '../run-command.ts'
import type { CaseFolders, ClientCase } from './case-folder.ts'
import type { ScriptedCall } from './conversations/scripted-answers.ts'
import type { ModelServer } from './model-server.ts'
import { type ListedSkill, readListing } from './read-listing.ts'

/** A run of a client. */
interface ClientRun {
  readonly one: ClientCase
  readonly folders: CaseFolders
  readonly server: ModelServer
  /** The name of the run on the server. */
  readonly id: string
  /** The folder in which the clients are installed. */
  readonly installed: string
  /** A folder that a client may fill with its caches, one for each worker. */
  readonly cache: string
  /** A call that the model makes before it ends. */
  readonly call?: ScriptedCall
}

/** The command line and the surroundings for one turn without a screen. */
interface Started {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

const PROMPT = 'Say ok'

/** Points each client at a server on loopback. */
const STARTS: Readonly<Record<ClientName, (run: ClientRun, address: string) => Started>> = {
  'claude-code': ({ one, call }, address) => ({
    args: [
      'claude',
      ...(call === undefined ? [] : ['--allowedTools', call.name]),
      ...(one.window === undefined ? [] : ['--model', CLAUDE_MODEL.name]),
      '-p',
      PROMPT,
    ],
    env: {
      ANTHROPIC_BASE_URL: address,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
  codex: ({ one }, address) => ({
    args: [
      'codex',
      'exec',
      '--skip-git-repo-check',
      ...[
        'model="gpt-5"',
        'model_provider="local"',
        `model_providers.local={name="local",base_url="${address}/v1",wire_api="responses"}`,
        ...(one.window === undefined ? [] : [`model_context_window=${one.window}`]),
      ].flatMap((value) => ['-c', value]),
      PROMPT,
    ],
    env: {},
  }),
  opencode: ({ cache }, address) => ({
    args: ['opencode', 'run', PROMPT],
    env: {
      XDG_DATA_HOME: join(cache, 'data'),
      XDG_CACHE_HOME: join(cache, 'cache'),
      XDG_STATE_HOME: join(cache, 'state'),
      OPENCODE_CONFIG: join(cache, 'opencode.json'),
    },
    files: {
      [join(cache, 'opencode.json')]: JSON.stringify({
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${address}/v1`, apiKey: 'x' },
            models: { m: {} },
          },
        },
        model: 'local/m',
        autoupdate: false,
      }),
    },
  }),
  pi: ({ folders }, address) => ({
    args: ['pi', '--provider', 'local', '--model', 'm', '-p', PROMPT],
    env: {},
    files: {
      [join(folders.home, '.pi', 'agent', 'models.json')]: JSON.stringify({
        providers: {
          local: {
            baseUrl: `${address}/v1`,
            apiKey: 'x',
            api: 'openai-completions',
            models: [{ id: 'm' }],
          },
        },
      }),
    },
  }),
  'gemini-cli': ({ folders }, address) => ({
    args: ['gemini', '--model', 'gemini-2.5-pro', '-p', PROMPT],
    env: {
      GOOGLE_GEMINI_BASE_URL: address,
      GEMINI_API_KEY: 'x',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
    files: withGeminiKey(folders.home),
  }),
  'qwen-code': (_, address) => ({
    args: ['qwen', '--auth-type', 'openai', '-p', PROMPT],
    env: { OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: 'x', OPENAI_MODEL: 'm' },
  }),
}

/** With another address, Gemini CLI takes a key only if the settings of the home say so. */
function withGeminiKey(home: string): Readonly<Record<string, string>> {
  const file = join(home, '.gemini', 'settings.json')
  const settings = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>)
    : {}
  const security = { auth: { selectedType: 'gemini-api-key' } }
  return { [file]: JSON.stringify({ ...settings, security }) }
}

/** The model of Claude Code for a case with a window: one of 200,000 tokens. */
export const CLAUDE_MODEL = { name: 'claude-sonnet-4-5', window: 200_000 } as const

/** One run of a client: the skills that it listed in its first and in its last request, and its stderr. */
interface ClientDone {
  readonly listed: readonly ListedSkill[]
  readonly atEnd: readonly ListedSkill[]
  readonly stderr: string
}

/** Runs a client once over the folders of a case. */
export async function runClient(client: ClientName, run: ClientRun): Promise<ClientDone> {
  if (run.call !== undefined) run.server.script(run.id, run.call)
  const { args, env, files = {} } = STARTS[client](run, run.server.address(run.id))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const bin = join(run.installed, 'node_modules', '.bin')
  const node = dirname(process.execPath)
  const { code, stderr } = await runProgram('timeout', ['90', ...args], {
    cwd: run.folders.cwd,
    env: { PATH: `${bin}:${node}:/usr/bin:/bin`, HOME: run.folders.home, TERM: 'dumb', ...env },
  })
  const sent = run.server.sent(run.id)
  const [listed, atEnd] = [readListing(client, sent), readListing(client, sent, 'last')]
  if (code !== 0 || listed === null || atEnd === null) {
    throw new Error(
      `${client} ended with ${code} and sent no list of skills:\n${stderr.slice(0, 2000)}`,
    )
  }
  return { listed, atEnd, stderr }
}
