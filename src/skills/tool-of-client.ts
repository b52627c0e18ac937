import { foldCase } from '../kernel/matches-pattern.ts'
import { matchesTool, type NamedTool } from '../tools/definition/matches-tool.ts'

/**
 * Tools of coding agents, by the names of Claude Code, each with the names that Codex and Gemini CLI have for a tool
 * of its kind. Skills name them in `allowed-tools` and in their texts.
 */
const CLIENT_TOOLS = {
  Agent: ['Task', 'spawn_agent'],
  AskUserQuestion: ['ask_user', 'request_user_input'],
  Bash: ['shell', 'shell_command', 'exec_command', 'local_shell', 'run_shell_command'],
  BashOutput: ['write_stdin'],
  Edit: ['MultiEdit', 'apply_patch', 'replace'],
  ExitPlanMode: ['exit_plan_mode'],
  Glob: ['glob'],
  Grep: ['grep_search', 'search_file_content', 'grep_files'],
  KillShell: [],
  LS: ['list_directory', 'list_dir'],
  LSP: [],
  NotebookEdit: [],
  NotebookRead: [],
  Read: ['read_file', 'read_many_files', 'view_image'],
  Skill: ['activate_skill'],
  SlashCommand: [],
  TodoRead: [],
  TodoWrite: ['update_plan', 'write_todos'],
  WebFetch: ['web_fetch'],
  WebSearch: ['web_search', 'google_web_search'],
  Write: ['write_file'],
} as const satisfies Readonly<Record<string, readonly string[]>>

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(CLIENT_TOOLS).flatMap(([tool, others]) =>
    [tool, ...others].map((name) => [name, tool] as const),
  ),
)

/** Returns the name that Claude Code has for a tool of a client; other names unchanged. */
export function toolOfClient(name: string): string {
  return NAMES.get(name) ?? name
}

/** Returns true for the name of a tool that coding agents have themselves. */
export function isClientTool(name: string): boolean {
  return NAMES.has(name)
}

/** Returns the pattern of the name in an entry of `allowed-tools` or `disallowed-tools`, without its arguments. */
export function entryPattern(entry: string): string {
  return entry.split('(', 1)[0]?.trim() ?? ''
}

/**
 * Returns the first entry of `disallowed-tools` that names a tool, also by the name that a client has for a tool of its
 * kind, whatever its case. An entry with arguments means all calls: which ones its client means is not known, and it only
 * takes away.
 */
export function entryAgainst(
  entries: readonly string[],
  tool: NamedTool,
  owner?: { readonly source: string; readonly owner: string },
): string | undefined {
  return entries.find((entry) => {
    const pattern = entryPattern(entry)
    const kind = foldCase(toolOfClient(pattern))
    return (
      matchesTool(pattern, tool, owner) ||
      [tool.name, tool.definedAs].some((one) => foldCase(toolOfClient(one)) === kind)
    )
  })
}
