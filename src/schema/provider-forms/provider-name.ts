import type { Provider } from './provider-schema.ts'
import { withHash } from '../../kernel/content-hash.ts'
import { invalidOption } from '../../kernel/check-options.ts'

/** The names that one provider accepts. */
interface NameRule {
  /** One character that is not allowed. */
  readonly refused: RegExp
  /** A beginning that is not allowed, although its characters are. */
  readonly refusedStart?: RegExp
  /** Characters of a name. */
  readonly limit: number
}

const LETTERS_ONLY: NameRule = { refused: /[^A-Za-z0-9_-]/gu, limit: 64 }

/**
 * Sources, in November 2026:
 *
 * - OpenAI: `FunctionDefinition.name` in the types of its SDK ("a-z, A-Z, 0-9, or underscores and dashes,
 *   with a maximum length of 64").
 * - Anthropic: its guide "Define tools" says 64 characters, and so do other hosts of the same models. Its API
 *   has accepted 128 since June 2025, by its error messages.
 * - Gemini: `FunctionDeclaration.name` in the types of `@google/genai`.
 * - MCP: the names that are allowed in Loadout, too.
 */
const NAME_RULES: Readonly<Record<Provider, NameRule>> = {
  openai: LETTERS_ONLY,
  'openai-strict': LETTERS_ONLY,
  anthropic: LETTERS_ONLY,
  gemini: { refused: /[^A-Za-z0-9_.:-]/gu, refusedStart: /^[^A-Za-z_]/u, limit: 128 },
  mcp: { refused: /[^A-Za-z0-9_.-]/gu, limit: 128 },
}

const ALL_RULES = [...new Set(Object.values(NAME_RULES))]

/** The end of a name with a hash: the separator and the digits. */
const ENCODED = /__[0-9a-v]{20}$/u

/**
 * Returns the name under which a provider gets a tool: the tool's own name if the provider accepts it.
 * Any other name is written as its legal part and a hash, such as `fs_read_file__o78f…` for `fs.read_file`. So are
 * the names that every object of JavaScript has, such as `constructor`: clients look names up in plain objects.
 *
 * Pure: the same tool has the same name in every session, replay and process. No two tools have the same
 * name, because a name that already ends like a hash gets a hash, too. So this must not be called with a
 * name that it returned.
 */
export function providerName(name: string, provider: Provider): string {
  return nameBy(findRule(provider), name)
}

function findRule(provider: Provider): NameRule {
  if (Object.hasOwn(NAME_RULES, provider)) return NAME_RULES[provider]
  const start = (provider as string) === 'google' ? 'Did you mean "gemini"? ' : ''
  const hint = `${start}Use one of ${Object.keys(NAME_RULES).join(', ')}.`
  throw invalidOption('provider', `There is no provider "${String(provider)}".`, hint)
}

function nameBy(rule: NameRule, name: string): string {
  const legal = legalPart(name, rule)
  const isSafe = legal === name && name !== '' && !(name in Object.prototype)
  if (isSafe && !hasNameHash(name)) return name
  return withHash(legal, name, rule.limit)
}

/**
 * Returns the name under which a call goes back to the provider that its model made it with: the same name, unless the
 * provider refuses it. A model may call by any name, and a history with one of those is refused in every request.
 */
export function callName(name: string, provider: Provider): string {
  const isLegal = name !== '' && legalPart(name, findRule(provider)) === name
  return isLegal ? name : providerName(name, provider)
}

/** Returns true for a name that ends like those that `providerName` writes. */
export function hasNameHash(name: string): boolean {
  return ENCODED.test(name)
}

/** Returns the longest beginning of a name that is allowed, with `_` for all other characters. */
function legalPart(name: string, { refused, refusedStart, limit }: NameRule): string {
  const replaced = name.replaceAll(refused, '_')
  return (refusedStart?.test(replaced) === true ? `_${replaced}` : replaced).slice(0, limit)
}

/**
 * Returns the name in the session of a tool that a provider's model called. A name that belongs to none of
 * the tools is returned unchanged: a call refuses it as unknown.
 *
 * @param sent the name in the model's call
 * @param names the names of the session's tools
 * @param provider all providers when absent
 */
export function ownName(sent: string, names: Iterable<string>, provider?: Provider): string {
  if (!hasNameHash(sent)) return sent
  const rules = provider === undefined ? ALL_RULES : [NAME_RULES[provider]]
  for (const name of names) if (rules.some((rule) => nameBy(rule, name) === sent)) return name
  return sent
}
