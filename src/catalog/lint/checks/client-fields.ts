import { CLIENT_PAGES } from './client-pages.ts'

/** Pages that say which fields a client reads beside those of the specification. */
export const FIELD_SOURCES = [CLIENT_PAGES.claudeCode, CLIENT_PAGES.cursor, CLIENT_PAGES.vsCode]

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
