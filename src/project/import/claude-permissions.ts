import type { ImportedConfig } from './imported.ts'
import { type ImportItem, leftItem } from './import-item.ts'

interface ImportedPermissions {
  readonly config: ImportedConfig
  readonly items: readonly ImportItem[]
}

/** Patterns of ours: names of tools, in which `*` matches anything. */
const TOOL_PATTERN = /^[A-Za-z0-9_.*-]{1,200}$/

/**
 * What the settings of Claude Code say that holds here, too: tools that are denied or asked about, by
 * name. Rules about the arguments of its own tools (`Bash(git push:*)`) mean nothing here, and what
 * is allowed beforehand is not taken over: a tool that is neither denied nor asked about may be called.
 * Values of the environment are left, since they may be secrets.
 */
export function claudePermissions(
  settings: Readonly<Record<string, unknown>>,
  from: string,
): ImportedPermissions {
  const { permissions, env, $schema: _schema, ...others } = settings
  const rules = isRecord(permissions) ? permissions : {}
  const taken: Record<string, readonly string[]> = {}
  const items: ImportItem[] = []
  for (const list of ['deny', 'ask'] as const) {
    const { usable, rest } = split(rules[list])
    if (usable.length > 0) taken[list] = usable
    if (rest.length > 0) {
      const why = `Rules about arguments have no counterpart: ${rest.join(', ')}.`
      items.push(leftItem('settings', `permissions.${list}`, from, why))
    }
  }
  for (const key of Object.keys(rules).filter((one) => one !== 'deny' && one !== 'ask')) {
    const why =
      key === 'allow'
        ? 'Nothing is allowed beforehand here: a tool that is neither denied nor asked about may be called.'
        : 'It has no counterpart.'
    items.push(leftItem('settings', `permissions.${key}`, from, why))
  }
  if (isRecord(env) && Object.keys(env).length > 0) {
    const why = `Values may be secrets, so they were not copied: ${Object.keys(env).join(', ')}. Name those that prompts need under "environment".`
    items.push(leftItem('settings', 'env', from, why))
  }
  for (const key of Object.keys(others)) {
    const why =
      key === 'hooks'
        ? 'Hooks are code: write them where sessions are opened.'
        : 'It has no counterpart.'
    items.push(leftItem('settings', key, from, why))
  }
  return { config: Object.keys(taken).length === 0 ? {} : { permissions: taken }, items }
}

function split(list: unknown): {
  readonly usable: readonly string[]
  readonly rest: readonly string[]
} {
  const rules = Array.isArray(list) ? list.filter((rule) => typeof rule === 'string') : []
  return {
    usable: rules.filter((rule) => TOOL_PATTERN.test(rule)),
    rest: rules.filter((rule) => !TOOL_PATTERN.test(rule)),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
