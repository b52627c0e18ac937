import { readFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { matchesPattern } from '../../entries/kit.ts'
import { clientFolders, type ClientFolders, member, readSettings } from './client-folders.ts'
import type { ClientName } from './client-profile.ts'
import { readOpenCodeConfigs } from './opencode.ts'
import { type Folders, pathFrom } from './place-fix.ts'

/** A setting of a client that keeps a tool from its model, or the server that its settings lack. */
export interface ToolSetting {
  readonly outcome: 'disabled' | 'not found'
  readonly reason: string
  readonly fix: string
}

/** The words of a client for its tools; empty where it has none. */
interface ToolWords {
  /** The change after which a call that was refused may run. */
  readonly allow: string
  /** The way to a tool of which the model has the name alone. */
  readonly load: string
  /** The command that shows the state of servers. */
  readonly servers: string
  /** Finds the setting that keeps a tool from the model; null where none is found. */
  read(tool: string, folders: ClientFolders, from: Folders): Promise<ToolSetting | null>
}

export const TOOL_WORDS: Readonly<Record<ClientName, ToolWords>> = {
  'claude-code': {
    allow:
      'Allow it when you are asked, or write a rule for it in permissions.allow in .claude/settings.json; a rule in permissions.deny comes first.',
    load: 'Name it in your message, or ask for its search with ToolSearch.',
    servers: '/mcp',
    read: readClaudeCode,
  },
  codex: {
    allow: 'Allow it when you are asked, or change "approval_policy" in ~/.codex/config.toml.',
    load: 'Name it in your message.',
    servers: '/mcp',
    read: readCodex,
  },
  opencode: {
    allow: 'Allow it when you are asked, or change its rule in "permission" in opencode.json.',
    load: 'Name it in your message.',
    servers: 'opencode mcp list',
    read: readOpenCode,
  },
  pi: { allow: '', load: 'Name it in your message.', servers: '', read: async () => null },
  'gemini-cli': {
    allow: 'Allow it when you are asked, or add it to tools.allowed in .gemini/settings.json.',
    load: 'Name it in your message.',
    servers: '/mcp',
    read: async () => null,
  },
  'qwen-code': {
    allow: 'Allow it when you are asked, or add it to permissions.allow in .qwen/settings.json.',
    load: 'Name it in your message.',
    servers: '/mcp',
    read: async () => null,
  },
}

/** Finds the setting that keeps a tool from the model of a client; null where none is found. */
export async function findToolSetting(
  client: ClientName,
  tool: string,
  from: Folders,
): Promise<ToolSetting | null> {
  const folders = await clientFolders(from.folder, from.home ?? devNull)
  return TOOL_WORDS[client].read(tool, folders, from)
}

/** Returns the server of a tool by the names of Claude Code and Codex; null for a tool of the client. */
export function serverOfTool(tool: string): string | null {
  return /^mcp__(.+?)__/.exec(tool)?.[1] ?? null
}

async function readClaudeCode(
  tool: string,
  { folder, home, parents }: ClientFolders,
  from: Folders,
): Promise<ToolSetting | null> {
  const server = serverOfTool(tool)
  const files = [folder, home].flatMap((base) =>
    ['settings.json', 'settings.local.json'].map((end) => join(base, '.claude', end)),
  )
  for (const file of files) {
    const settings = member(await readSettings(file))
    const place = pathFrom(file, from)
    const rules = texts(member(settings['permissions'])['deny'])
    const rule = rules.find(
      (one) => one === `mcp__${server}` || matchesPattern(one.replace(/\(\*\)$/, ''), tool),
    )
    if (rule !== undefined) return disabled('permissions.deny', rule, place)
    const off = texts(settings['disabledMcpjsonServers']).find((one) => sameServer(one, server))
    if (off !== undefined) return disabled('disabledMcpjsonServers', off, place)
  }
  // Servers of plugins, and of the account, are in no file that is read here.
  if (server === null || /^(?:plugin|claude_ai)_/.test(server)) return null
  const own = member(await readSettings(join(home, '.claude.json')))
  const projects = parents.map((at) => member(own, 'projects', at))
  const off = projects
    .flatMap((one) => texts(one['disabledMcpServers']))
    .find((one) => sameServer(one, server))
  if (off !== undefined) return disabled('disabledMcpServers', off, '~/.claude.json')
  const shared = await Promise.all(parents.map((at) => readSettings(join(at, '.mcp.json'))))
  const names = [own, ...projects, ...shared].flatMap((one) =>
    Object.keys(member(one, 'mcpServers')),
  )
  if (names.some((one) => sameServer(one, server))) return null
  return {
    outcome: 'not found',
    reason: `Neither .mcp.json nor ~/.claude.json has a server "${server}".`,
    fix: `Write "${server}" in "mcpServers" in .mcp.json.`,
  }
}

function disabled(setting: string, value: string, file: string): ToolSetting {
  return {
    outcome: 'disabled',
    reason: `${setting} in ${file} has "${value}".`,
    fix: `Remove "${value}" from ${setting} in ${file}.`,
  }
}

/** Names of tools have `_` for signs that they may not have. */
function sameServer(name: string, server: string | null): boolean {
  return name.replaceAll(/[^\w-]/g, '_') === server
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

async function readCodex(
  tool: string,
  { folder, home }: ClientFolders,
  from: Folders,
): Promise<ToolSetting | null> {
  const server = serverOfTool(tool)
  if (server === null) return null
  const files = [folder, home].map((base) => join(base, '.codex', 'config.toml'))
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const [, ...tables] = text.split(/^\s*\[/m)
    const table = tables.find((one) => {
      const [first = '', ...name] = one.slice(0, Math.max(0, one.indexOf(']'))).split('.')
      const named = name.join('.').replaceAll('"', '').trim()
      return first.trim() === 'mcp_servers' && sameServer(named, server)
    })
    const place = pathFrom(file, from)
    if (table !== undefined && /^\s*enabled\s*=\s*false\b/m.test(table)) {
      return {
        outcome: 'disabled',
        reason: `[mcp_servers.${server}] in ${place} has enabled = false.`,
        fix: `Remove "enabled = false" from [mcp_servers.${server}] in ${place}.`,
      }
    }
    // It may be written in another way than as a table.
    if (table !== undefined || text.includes(server)) return null
  }
  return {
    outcome: 'not found',
    reason: `No config.toml of Codex has [mcp_servers.${server}].`,
    fix: `Write [mcp_servers.${server}] with its command in ~/.codex/config.toml.`,
  }
}

async function readOpenCode(tool: string, folders: ClientFolders): Promise<ToolSetting | null> {
  for (const config of (await readOpenCodeConfigs(folders)).toReversed()) {
    const [rule] =
      Object.entries(member(config, 'tools')).findLast(([pattern]) =>
        matchesPattern(pattern, tool),
      ) ?? []
    if (rule !== undefined && member(config, 'tools')[rule] === false)
      return inOpenCode(`tools has "${rule}": false`, `Remove "${rule}" from "tools"`)
    const [server, entry] =
      Object.entries(member(config, 'mcp')).find(([name]) =>
        tool.startsWith(`${name.replaceAll(/[^\w-]/g, '_')}_`),
      ) ?? []
    if (member(entry)['enabled'] === false)
      return inOpenCode(
        `mcp.${server} has "enabled": false`,
        `Remove "enabled": false from mcp.${server}`,
      )
    if (member(config, 'permission')[tool] === 'deny')
      return inOpenCode(`permission has "${tool}": "deny"`, `Remove "${tool}" from "permission"`)
  }
  return null
}

function inOpenCode(has: string, change: string): ToolSetting {
  const file = 'opencode.json'
  return { outcome: 'disabled', reason: `${file}: ${has}.`, fix: `${change} in ${file}.` }
}
