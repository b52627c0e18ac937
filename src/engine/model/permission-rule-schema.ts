import { z } from 'zod'

const pattern = z.string('must be text')
const level = z.enum(
  ['safe', 'moderate', 'destructive'],
  'must be "safe", "moderate" or "destructive"',
)

/** The check of a rule as a host or a file gives it. A member that is not known is refused. */
export const permissionRuleSchema = z.union(
  [
    pattern,
    z.strictObject(
      {
        tool: pattern.optional(),
        skill: pattern.optional(),
        source: pattern.optional(),
        risk: z.union([level, z.array(level)]).optional(),
        where: z.record(z.string(), pattern).optional(),
      },
      {
        error: (issue) =>
          issue.code === 'unrecognized_keys'
            ? `has no member "${issue.keys.join('", "')}"; there are tool, skill, source, risk and where`
            : undefined,
      },
    ),
  ],
  'must be the pattern of a name, or an object of tool, skill and source (patterns), risk (safe, moderate, destructive) and where (patterns by path)',
)

/** The check of what the `allowed-tools` of skills come to. */
export const allowedToolsSchema = z.enum(
  ['ignore', 'pre-approve', 'restrict'],
  'must be "ignore", "pre-approve" or "restrict"',
)
