import { foldCase, matchesPattern } from '../../kernel/matches-pattern.ts'

/** A tool by its names. */
export interface NamedTool {
  /** In the session. */
  readonly name: string
  readonly definedAs: string
  /** The name that its server has for it; absent when that is `definedAs` without the server and `_`. */
  readonly nameOnServer?: string
}

/** The beginning of patterns in the form of Claude Code, also of those that match every server. */
const CLIENT_FORM = /^mcp(?:__|_?\*)/u

/**
 * Returns true when a pattern names a tool. This is the only judgement of that: permission rules, `allowed-tools`,
 * agents, modes and lint use it, so that a form of names that allows also denies.
 *
 * A pattern matches the name of a tool in the session or in its definition. A pattern in the form of Claude Code also
 * matches a tool of a server, whatever it is named here: `mcp__shop__delete` is the tool that the server "shop" has as
 * `delete`, and `mcp__shop` is each of its tools. Claude Code writes `_` for every character of such a name that is
 * not an ASCII letter, a digit or a hyphen. Hyphens are compared like that, too, since a name here may have one for
 * another character.
 */
export function matchesTool(
  pattern: string,
  tool: NamedTool,
  owner: { readonly source: string; readonly owner: string } | undefined,
  ignoreCase = false,
): boolean {
  const fold = (text: string) => (ignoreCase ? foldCase(text) : text)
  const wanted = fold(pattern)
  const names = [tool.name, tool.definedAs].map(fold)
  if (names.some((one) => matchesPattern(wanted, one))) return true
  if (!CLIENT_FORM.test(wanted)) return false
  const form = wanted.replaceAll(/[.-]/gu, '_')
  const isMatch = (one: string) => matchesPattern(form, fold(one))
  if (owner?.source !== 'server') {
    // A host may register tools of servers under names of this form itself.
    return names.some((one) => /^(mcp__.+?)__.+$/su.exec(one)?.map(underscored).some(isMatch))
  }
  const server = underscored(`mcp__${owner.owner}`)
  const byName = `${server}__${underscored(tool.definedAs)}`
  return [server, clientName(tool, owner.owner), byName].some(isMatch)
}

/**
 * Returns false when a pattern that matches a tool of a server may have been written for a tool of another one. What
 * allows needs the exact name of the server: another server may be named "github__search", give its tools names that
 * begin with "mcp__github__", or differ only in a character that Claude Code writes as `_`.
 */
export function namesItsServer(
  pattern: string,
  { definedAs, nameOnServer }: NamedTool,
  owner: { readonly source: string; readonly owner: string } | undefined,
): boolean {
  if (owner?.source !== 'server' || !pattern.startsWith('mcp__')) return true
  const [server = '', ...rest] = pattern.slice('mcp__'.length).split('__')
  const tool = rest.join('__') || '*'
  const name = nameOnServer ?? nameWithoutServer(definedAs, owner.owner)
  return (
    matchesPattern(server, owner.owner) &&
    [name, definedAs].some((one) => matchesPattern(tool, one))
  )
}

/** Returns the name that Claude Code has for a tool of a server. */
export function clientName(
  { definedAs, nameOnServer }: Pick<NamedTool, 'definedAs' | 'nameOnServer'>,
  server: string,
): string {
  return underscored(`mcp__${server}__${nameOnServer ?? nameWithoutServer(definedAs, server)}`)
}

/** Returns the name that a server has for a tool whose name begins with that of the server, as most do here. */
export function nameWithoutServer(name: string, server: string): string {
  return name.startsWith(`${server}_`) ? name.slice(server.length + 1) : name
}

/** Claude Code counts in units of UTF-16. */
function underscored(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_')
}

/** The reason why a pattern or a rule can match nothing, and how to write it. */
export interface Impossible {
  readonly what: string
  readonly hint: string
}

/** Returns why a pattern can match no tool, whatever is registered; null when it can match one. */
export function impossiblePattern(pattern: string): Impossible | null {
  if (pattern === '') return { what: 'it is empty', hint: 'Write "*" for every tool.' }
  const isForm = pattern.startsWith('mcp__')
  const [, tool, argument] = /^([^()]+)\((.*)\)$/su.exec(pattern) ?? []
  if (tool !== undefined) {
    const some = isForm ? '' : `, or { tool: "${tool}", where: { … } } for some of them`
    const what = `"${argument}" is no part of a name`
    return { what, hint: `Write "${tool}" for all calls${some}.` }
  }
  if (/^mcp__(?:__|$)/u.test(pattern)) {
    const hint = 'Write "mcp__*" for the tools of all servers, or "mcp__NAME" for those of one.'
    return { what: 'it names no server', hint }
  }
  if (isForm && pattern.slice('mcp__'.length).endsWith('__')) {
    const server = pattern.slice(0, -2)
    return { what: 'it names no tool', hint: `Write "${server}" for all tools of the server.` }
  }
  // A tool that gives way is registered as `owner__name`, and the name of an owner may have other characters.
  const end = isForm ? pattern : pattern.replace(/^.*(?:\*|__)/su, '')
  if (/^[A-Za-z0-9_.*-]*$/u.test(end)) return null
  const what = 'names of tools have only letters, digits, "_", "-" and "."'
  const [, owner, name] = isForm ? [] : (/^(.*)\/([A-Za-z0-9_.*-]+)$/su.exec(pattern) ?? [])
  if (name !== undefined) {
    return { what, hint: `Write "${name}", or { tool: "${name}", source: "*:${owner}" }.` }
  }
  const written = isForm
    ? pattern.replaceAll(/[^A-Za-z0-9_.*-]/g, '_')
    : pattern.replaceAll(/[^A-Za-z0-9_.*-]+/gu, '*')
  return { what, hint: `Write "${written}"; "*" matches any text.` }
}
