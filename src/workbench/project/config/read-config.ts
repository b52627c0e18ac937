import { dirname } from 'node:path'
import { z } from 'zod'
import {
  type Agent,
  type AgentDefinition,
  type Catalog,
  defineAgent,
  type Skill,
  type Tool,
  type ToolComponent,
  type Toolset,
  WorkspaceError,
} from '../../../entries/index.ts'
import {
  didYouMean,
  type Findings,
  isObject,
  nearestNames,
  type ToolServer,
} from '../../../entries/kit.ts'
import { uselessAllows } from '../../../entries/definitions.ts'
import { providerFacts, strategyOf } from '../../../entries/plan.ts'
import { modeLimitsSchema } from '../../../engine/model/modes.ts'
import { firstImpossible, permissionsSchema } from '../../../engine/model/policy.ts'
import { readPaths, trustIf } from './read-paths.ts'
import {
  type LoadoutConfig,
  type McpConfig,
  NO_CONFIG,
  type ProjectConfig,
  type WorkspaceToolKind,
} from './define-config.ts'
import { settleDiscovery } from '../../../workspace/offer/discovery/discovery-options.ts'

/** The source of a configuration's values, which decides what they may do. */
type ConfigOrigin = 'module' | 'trusted-json' | 'untrusted-json'

/**
 * Checks the values of a configuration field by field. An invalid field is reported and left out.
 * An untrusted file may neither name environment variables nor lead outside its folder.
 */
export function readConfig(
  given: Readonly<Record<string, unknown>>,
  file: string,
  origin: ConfigOrigin,
  findings: Findings,
): ProjectConfig {
  const config = readValues(given, origin === 'module' ? MODULE_FIELDS : DATA_FIELDS, findings)
  reportUnused(config, findings)
  const environment = { names: [], ...config.environment }
  if (origin === 'untrusted-json' && config.environment !== undefined) {
    findings.add(
      'warning',
      'environment-untrusted',
      'The configuration asks for environment variables and its folder is not trusted.',
      trustIf('prompts may contain them', dirname(file)),
    )
  }
  if (origin === 'untrusted-json') reportGrants(config, file, findings)
  const { skills = [], servers = [], tools = [] } = config
  return {
    ...NO_CONFIG,
    file,
    skills: readPaths(skills, file, origin !== 'untrusted-json', findings),
    folders: {
      parents: config.folders?.parents !== false,
      followLinksOut: origin !== 'untrusted-json' && config.folders?.followLinksOut === true,
    },
    catalog: config.catalog ?? null,
    options: {
      ...(config.discovery !== undefined && { discovery: config.discovery }),
      ...(config.exposure !== undefined && { exposure: config.exposure }),
      ...(config.provider !== undefined && { provider: config.provider }),
      ...(config.catalogBudget !== undefined && { catalogBudget: config.catalogBudget }),
    },
    agents: (config.agents ?? []).flatMap((agent) => readAgent(agent, file, findings)),
    variables: config.variables ?? {},
    environment: origin === 'untrusted-json' ? NO_CONFIG.environment : environment,
    ...readPolicy(config, origin),
    servers: readPaths(servers, file, origin !== 'untrusted-json', findings),
    // JSON has words alone.
    tools: origin === 'untrusted-json' ? [] : tools,
    toolsets: config.toolsets ?? [],
    components: config.components ?? [],
    services: config.services,
    mcp: config.mcp ?? {},
    model: config.model,
  }
}

function reportUseless(
  { deny = [], allow = [] }: ProjectConfig['permissions'],
  findings: Findings,
): void {
  for (const { place, message, hint } of uselessAllows(deny, allow)) {
    const what = `The rule "permissions.allow.${place}" ${message}.`
    findings.add('warning', 'allow-useless', what, hint)
  }
}

/** The values of a configuration whose catalog is made. */
type ReadValues = Omit<LoadoutConfig, 'catalog'> & { readonly catalog?: Catalog }

/** Fields with definitions, which a catalog replaces. */
const REPLACED = ['skills', 'agents', 'servers', 'tools', 'toolsets', 'components'] as const

function reportUnused(config: ReadValues, findings: Findings): void {
  if (config.catalog === undefined) return
  const hasTools = config.tools?.some((tool) => typeof tool !== 'string') ?? false
  for (const field of REPLACED) {
    if (!(field === 'tools' ? hasTools : config[field] !== undefined)) continue
    findings.add(
      'error',
      'config-field',
      `The field "${field}" has no effect: "catalog" takes its place.`,
      `Put them into the catalog, or leave "catalog" out.`,
    )
  }
}

/** Reads permissions and modes. An untrusted file can only restrict, not grant. */
function readPolicy(
  { permissions = {}, modes = {} }: LoadoutConfig,
  origin: ConfigOrigin,
): Pick<ProjectConfig, 'permissions' | 'modes'> {
  if (origin !== 'untrusted-json') return { permissions, modes }
  const { deny, ask } = permissions
  return { permissions: { ...(deny && { deny }), ...(ask && { ask }) }, modes: {} }
}

/** Returns the fields that can be used, and reports the others. */
function readValues(
  given: object,
  fields: typeof MODULE_FIELDS | typeof DATA_FIELDS,
  findings: Findings,
): ReadValues {
  const values: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || key === '$schema') continue
    if (!Object.hasOwn(fields, key)) {
      reportUnknown(key, Object.keys(fields), findings)
      continue
    }
    const checked = fields[key as keyof typeof fields].safeParse(value)
    const isRules = key === 'permissions'
    if (checked.success) values[key] = value
    // Without its rules, a session would run what they deny: it gets one that it refuses to open with.
    else if (isRules) values[key] = { deny: [[value]] }
    const impossible = isRules && checked.success ? firstImpossible(value as object) : null
    const issue = checked.error?.issues[0] ?? impossible
    if (isRules && issue === null) reportUseless(value as ProjectConfig['permissions'], findings)
    if (issue === null) continue
    findings.add(
      'error',
      'config-field',
      `The field "${[key, ...issue.path].map(String).join('.')}" ${issue.message}; ${isRules ? 'no session opens with these permissions' : `"${key}" has no effect`}.`,
      impossible?.hint ?? 'Correct it.',
    )
  }
  return values as ReadValues
}

function reportGrants(
  { permissions = {}, ...given }: LoadoutConfig,
  file: string,
  findings: Findings,
): void {
  const fields = [
    permissions.allow !== undefined && 'permissions.allow',
    permissions.allowedTools !== undefined && 'permissions.allowedTools',
    given.modes !== undefined && 'modes',
    given.tools !== undefined && 'tools',
    given.folders?.followLinksOut === true && 'folders.followLinksOut',
  ].filter((field) => field !== false)
  if (fields.length === 0) return
  findings.add(
    'warning',
    'permissions-untrusted',
    `The configuration sets ${fields.join(', ')}, which has no effect: its folder is not trusted.`,
    trustIf('sessions may do this', dirname(file)),
  )
}

function readAgent(
  agent: Agent | AgentDefinition,
  file: string,
  findings: Findings,
): readonly Agent[] {
  if ('hash' in agent) return [agent]
  try {
    return [defineAgent({ ...agent, path: file })]
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    findings.add('error', 'agent-invalid', error.message, error.hint)
    return []
  }
}

function reportUnknown(key: string, known: readonly string[], findings: Findings): void {
  const near = nearestNames(key, known, 1)
  const inModule = Object.hasOwn(MODULE_FIELDS, key)
  findings.add(
    'error',
    'config-field',
    inModule
      ? `The field "${key}" is code, which JSON cannot contain; it has no effect.`
      : `The field "${key}" is not known and has no effect.`,
    inModule ? 'Move it into a loadout.config.ts.' : didYouMean(near, 'Remove it.'),
  )
}

/** Returns true for a value that a function of this library made: it has a hash and the given member. */
function isMade(value: unknown, member: string): boolean {
  return isObject(value) && 'hash' in value && member in value
}

const textSchema = z.string('must be text')

const textListSchema = z.array(textSchema, 'must be a list of texts')

const switchSchema = z.boolean('must be true or false')

const prefixSchema = textSchema.min(1, 'must not be empty')

const definitionListSchema = <T>(what: string) =>
  z.array(
    z.custom<T>((value) => typeof value === 'object' && value !== null, `must be a ${what}`),
    `must be a list of ${what}s`,
  )

/** Checks an option of a workspace by the function that reads it there, which names the nearest. */
function optionSchema<T>(read: (value: T) => unknown) {
  return z.custom<T>().check((given) => {
    const isOption = typeof given.value === 'string' || isObject(given.value)
    const error = isOption ? tryOrError(() => read(given.value)) : NO_OPTION
    if (error === null) return
    const message = `is not valid: ${error.message} ${error.hint}`
    given.issues.push({ code: 'custom', message, input: given.value })
  })
}

const NO_OPTION = {
  message: 'It is neither text nor an object.',
  hint: 'Give a name or an object.',
}

function tryOrError(read: () => unknown): WorkspaceError | null {
  try {
    read()
    return null
  } catch (error) {
    if (WorkspaceError.is(error)) return error
    throw error
  }
}

const KINDS: ReadonlySet<string> = new Set([
  'files',
  'shell',
  'scripts',
] satisfies WorkspaceToolKind[])

/** Fields that are data, which a `loadout.config.json` may have, too. */
const DATA_FIELDS = {
  skills: textListSchema,
  folders: z
    .strictObject(
      { parents: switchSchema, followLinksOut: switchSchema },
      'must be { parents, followLinksOut }',
    )
    .partial(),
  servers: textListSchema,
  discovery: optionSchema(settleDiscovery),
  exposure: optionSchema(strategyOf),
  provider: optionSchema(providerFacts),
  catalogBudget: z.int('must be a whole number of tokens'),
  agents: z.array(
    z.custom<Readonly<Record<string, unknown>>>(isObject, 'must be an agent'),
    'must be a list of agents',
  ),
  variables: z.record(textSchema, textSchema, 'must be an object of texts'),
  environment: z.strictObject(
    {
      names: textListSchema.optional(),
      prefix: z.union([prefixSchema, z.array(prefixSchema)]).optional(),
      servers: textListSchema.optional(),
    },
    'must be { names, prefix, servers }',
  ),
  permissions: permissionsSchema,
  modes: z.record(textSchema, modeLimitsSchema.partial(), 'must be an object of modes'),
  tools: z.array(
    z.enum(['files', 'shell', 'scripts'], 'must be "files", "shell" or "scripts"'),
    'must be a list of "files", "shell" and "scripts"',
  ),
} as const

/** Fields of a configuration that is a module. */
const MODULE_FIELDS = {
  ...DATA_FIELDS,
  skills: z.array(
    z.custom<string | Skill>(
      (value) => typeof value === 'string' || isMade(value, 'instructions'),
      'must be a path, or a skill of defineSkill',
    ),
    'must be a list of paths and skills',
  ),
  servers: z.array(
    z.custom<string | ToolServer>(
      (value) => typeof value === 'string' || isMade(value, 'connect'),
      'must be a path, or a server of mcpServer',
    ),
    'must be a list of paths and servers',
  ),
  catalog: z.custom<Catalog>(
    (value) => isMade(value, 'skillTools'),
    'must be a catalog of createCatalog',
  ),
  tools: z.array(
    z.custom<Tool | WorkspaceToolKind>(
      (value) => (typeof value === 'string' ? KINDS.has(value) : isObject(value)),
      'must be a tool, "files", "shell" or "scripts"',
    ),
    'must be a list of tools',
  ),
  toolsets: definitionListSchema<Toolset>('toolset'),
  components: definitionListSchema<ToolComponent>('component'),
  services: z.unknown(),
  mcp: z.custom<McpConfig>(isObject, 'must be an object of options of a server'),
  model: z.custom<LoadoutConfig['model']>(
    (value) => typeof value === 'string' || (isObject(value) && 'doStream' in value),
    'must be a language model of the AI SDK',
  ),
} as const
