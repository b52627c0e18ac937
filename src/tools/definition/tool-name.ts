import { z } from 'zod'

/**
 * A name of a tool or toolset: 1 to 128 letters, digits, `_`, `-` and `.`, and not `.` or `..`,
 * since names are folders too. `/` stands between an owner and a name, `@` before a version.
 */
export const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,128}$/u, 'must be 1 to 128 letters, digits, "_", "-" or "."')
  .refine((name) => name !== '.' && name !== '..', 'must not be "." or ".."')
