const CLAUDE_CODE = 'https://code.claude.com/docs/en/skills'
const VS_CODE = 'https://code.visualstudio.com/docs/copilot/customization/agent-skills'
const CURSOR = 'https://cursor.com/docs/context/skills'

/** Pages that say which fields a client reads beside those of the specification. */
export const FIELD_SOURCES = [CLAUDE_CODE, VS_CODE, CURSOR] as const

/** Fields that only some clients read, with those clients. */
export const CLIENT_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['agent', ['Claude Code']],
  ['argument-hint', ['Claude Code', 'VS Code']],
  ['arguments', ['Claude Code']],
  ['context', ['Claude Code']],
  ['disable-model-invocation', ['Claude Code', 'Cursor', 'VS Code']],
  ['effort', ['Claude Code']],
  ['hooks', ['Claude Code']],
  ['model', ['Claude Code']],
  ['paths', ['Claude Code']],
  ['shell', ['Claude Code']],
  ['user-invocable', ['Claude Code', 'VS Code']],
  ['when_to_use', ['Claude Code']],
])
