import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { globSync, readFileSync } from 'node:fs'
import { LOADOUT } from '../../run-command.ts'
import type { ConversationRun } from './run-conversation.ts'
import type { Turn } from './conversation.ts'

/** The command line and the files for one turn of a client without a screen. */
interface StartedTurn {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
}

const SERVER = join(import.meta.dirname, 'stock-server.ts')

const OBSERVER = join(import.meta.dirname, 'observer-between.ts')

/** Returns the arguments of Node for each server of a conversation. */
function serversOf({
  client,
  conversation: { asked },
}: ConversationRun): Readonly<Record<string, readonly string[]>> {
  return { stock: [SERVER], ...(asked && { loadout: [OBSERVER, asked, client, LOADOUT] }) }
}

/** Returns a value for each server of a conversation, by its name. */
function perServer<Value>(run: ConversationRun, make: (args: readonly string[]) => Value) {
  return Object.fromEntries(
    Object.entries(serversOf(run)).map(([name, args]) => [name, make(args)]),
  )
}

/** Returns how a turn of a conversation is started in a client. */
export function startTurn(run: ConversationRun, turn: Turn, isFirst: boolean): StartedTurn {
  switch (run.client) {
    case 'claude-code':
      return startClaude(run, turn, isFirst)
    case 'codex':
      return startCodex(run, turn, isFirst)
    case 'opencode':
      return startOpenCode(run, turn, isFirst)
    case 'pi':
      return startPi(run, turn, isFirst)
  }
}

function startClaude(run: ConversationRun, turn: Turn, isFirst: boolean): StartedTurn {
  const { folders, conversation, address } = run
  const { commands = [], skills = [] } = conversation.refuses ?? {}
  const deny = [...commands.map((one) => `Bash(${one})`), ...skills.map((one) => `Skill(${one})`)]
  const allow = [
    'Bash',
    'Read',
    'Write',
    'Edit',
    'Skill',
    'Agent',
    'mcp__stock',
    'mcp__loadout',
  ].filter((one) => one !== 'Bash' || commands.length === 0)
  const said = turn.names === undefined ? turn.said : `/${turn.names} ${turn.said}`
  const servers = join(folders.home, 'servers.json')
  const settings = join(folders.home, '.claude', 'settings.json')
  return {
    args: [
      'claude',
      ...(isFirst ? ['--session-id', randomUUID()] : ['--continue']),
      ...resumeAt(run, isFirst),
      '--mcp-config',
      servers,
      '--strict-mcp-config',
      ...(conversation.window === undefined ? [] : ['--model', 'claude-sonnet-4-5']),
      '-p',
      said,
    ],
    env: {
      ANTHROPIC_BASE_URL: address,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    files: {
      [servers]: JSON.stringify({
        mcpServers: perServer(run, (args) => ({ command: process.execPath, args })),
      }),
      [settings]: JSON.stringify({ permissions: { allow, deny } }),
    },
  }
}

/** After going back, Claude Code continues from an earlier answer, which `goBack` wrote down. */
function resumeAt({ folders }: ConversationRun, isFirst: boolean): readonly string[] {
  const [file] = isFirst ? [] : globSync('back-to', { cwd: folders.home })
  if (file === undefined) return []
  return ['--resume-session-at', readFileSync(join(folders.home, file), 'utf8')]
}

function startCodex(run: ConversationRun, turn: Turn, isFirst: boolean): StartedTurn {
  const { conversation, folders } = run
  const said = turn.names === undefined ? turn.said : `$${turn.names} ${turn.said}`
  const isRefusing = conversation.refuses?.commands !== undefined
  return {
    args: [
      'codex',
      'exec',
      ...(isFirst ? [] : ['resume']),
      '--skip-git-repo-check',
      ...(isRefusing ? [] : ['--dangerously-bypass-approvals-and-sandbox']),
      ...(isFirst ? [] : ['--last']),
      said,
    ],
    env: {},
    files: { [join(folders.home, '.codex', 'config.toml')]: codexConfig(run) },
  }
}

/** Returns the settings of Codex for a conversation, as TOML. */
export function codexConfig(run: ConversationRun): string {
  const { address, conversation } = run
  const { window, refuses } = conversation
  const servers = Object.entries(serversOf(run)).map(
    ([name, args]) =>
      `[mcp_servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(args)}\n`,
  )
  return `model = "gpt-5"
model_provider = "local"
${refuses?.commands === undefined ? '' : 'approval_policy = "never"\nsandbox_mode = "read-only"\n'}${
    window === undefined
      ? ''
      : `model_context_window = ${window}\nmodel_auto_compact_token_limit = ${Math.round(window * 0.8)}\n`
  }
[model_providers.local]
name = "local"
base_url = "${address}/v1"
wire_api = "responses"
request_max_retries = 4

${servers.join('\n')}`
}

function startOpenCode(run: ConversationRun, turn: Turn, isFirst: boolean): StartedTurn {
  const { conversation, folders, address } = run
  const { commands = [], skills = [] } = conversation.refuses ?? {}
  const rules = (names: readonly string[]) =>
    Object.fromEntries([['*', 'allow'], ...names.map((name) => [name, 'deny'])] as const)
  const limit = conversation.window && { limit: { context: conversation.window, output: 1000 } }
  const settings = {
    provider: {
      local: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${address}/v1`, apiKey: 'x' },
        models: { m: { ...limit } },
      },
    },
    model: 'local/m',
    autoupdate: false,
    permission: { bash: rules(commands.map((one) => one.replace(':', ' '))), skill: rules(skills) },
    mcp: perServer(run, (args) => ({ type: 'local', command: [process.execPath, ...args] })),
  }
  const named = turn.names === undefined ? [] : ['--command', turn.names]
  return {
    args: ['opencode', 'run', ...(isFirst ? [] : ['--continue']), ...named, turn.said],
    env: {
      OPENCODE_CONFIG: join(folders.home, 'opencode.json'),
      XDG_CACHE_HOME: join(run.installed, 'cache', 'conversations'),
    },
    files: { [join(folders.home, 'opencode.json')]: JSON.stringify(settings) },
  }
}

function startPi(run: ConversationRun, turn: Turn, isFirst: boolean): StartedTurn {
  const { conversation, folders, address } = run
  const said = turn.names === undefined ? turn.said : `/skill:${turn.names} ${turn.said}`
  const size = conversation.window && { contextWindow: conversation.window, maxTokens: 1000 }
  const local = {
    baseUrl: `${address}/v1`,
    apiKey: 'x',
    api: 'openai-completions',
    models: [{ id: 'm', ...size }],
  }
  const settings = { compaction: { enabled: true, reserveTokens: 2000, keepRecentTokens: 200 } }
  return {
    args: [
      'pi',
      '--provider',
      'local',
      '--model',
      'm',
      ...(isFirst ? [] : ['--continue']),
      '-p',
      said,
    ],
    env: {},
    files: {
      [join(folders.home, '.pi', 'agent', 'models.json')]: JSON.stringify({ providers: { local } }),
      [join(folders.home, '.pi', 'agent', 'settings.json')]: JSON.stringify(settings),
    },
  }
}
