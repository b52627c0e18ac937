import { z } from 'zod'
import type { ToolComponent } from '../../components/tool-component.ts'
import { modeLimitsSchema } from '../../engine/model/mode-limits-schema.ts'
import {
  allowedToolsSchema,
  permissionRuleSchema,
} from '../../engine/model/permission-rule-schema.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'

const text = z.string('must be text')
const texts = z.array(text, 'must be a list of texts')
const rules = z.array(permissionRuleSchema, 'must be a list of rules')
const prefix = text.min(1, 'must not be empty')
const defined = <T>(what: string) =>
  z.array(
    z.custom<T>((value) => typeof value === 'object' && value !== null, `must be a ${what}`),
    `must be a list of ${what}s`,
  )

/** Fields that are data, and so may stand in a `loadout.config.json`. */
export const DATA_FIELDS = {
  skills: texts,
  agents: z.array(
    z.custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be an agent',
    ),
    'must be a list of agents',
  ),
  variables: z.record(text, text, 'must be an object of texts'),
  environment: z.strictObject(
    { names: texts.optional(), prefix: z.union([prefix, z.array(prefix)]).optional() },
    'must be { names, prefix }',
  ),
  permissions: z.strictObject(
    {
      deny: rules.optional(),
      ask: rules.optional(),
      allow: rules.optional(),
      allowedTools: allowedToolsSchema.optional(),
    },
    'must be { deny, ask, allow, allowedTools }',
  ),
  modes: z.record(text, modeLimitsSchema.partial(), 'must be an object of modes'),
} as const

/** Fields of a configuration that is a module. */
export const MODULE_FIELDS = {
  ...DATA_FIELDS,
  tools: defined<Tool>('tool'),
  toolsets: defined<Toolset>('toolset'),
  components: defined<ToolComponent>('component'),
  services: z.unknown(),
} as const
