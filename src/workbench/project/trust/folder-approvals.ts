import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type ApprovalStore, type ApprovedTool, WorkspaceError } from '../../../entries/index.ts'
import { checkOptions, errorCode } from '../../../entries/kit.ts'
import { replacePrivateFile } from '../walk/replace-file.ts'
import { defaultTrustFile, hashSchema, noHome } from './trust-store.ts'

/** Approvals of a user on this machine. */
export interface FolderApprovals extends ApprovalStore {
  /** The folder of the approvals; null without a home, when none can be stored. */
  readonly folder: string | null
  list(): Promise<readonly ApprovedTool[]>
}

const approvalFileSchema = z.object({
  format: z.literal(1),
  principal: z.string().nullable(),
  source: z.enum(['skill', 'component', 'global', 'server']),
  owner: z.string(),
  tool: z.string(),
  hash: hashSchema,
})

/**
 * Opens the approvals of a user, by default those in the configuration folder, next to the trust
 * store.
 *
 * Each approval is a file of its own, so that processes that approve and revoke at the same time do
 * not undo each other's changes. The file is read at each check: removing it revokes the approval.
 * Throws `APPROVAL_DAMAGED` for an invalid file, and `TRUST_NO_HOME` when there is no home to store them in.
 */
export function openApprovals(options: { readonly folder?: string | null } = {}): FolderApprovals {
  checkOptions(options, { folder: 'text or null' })
  const { folder = defaultFolder() } = options
  if (folder === null) return WITHOUT_HOME
  const toolFile = (tool: ApprovedTool) =>
    join(folder, `${hashTool(tool)}-${tool.hash.slice('sha256:'.length)}.json`)
  return {
    folder,
    async has(tool) {
      const known = await readApproval(toolFile(tool))
      return known !== undefined && toolKey(known) === toolKey(tool) && known.hash === tool.hash
    },
    async put({ principal, source, owner, tool, hash: definition }) {
      const approval: ApprovedTool = { principal, source, owner, tool, hash: definition }
      const text = `${JSON.stringify({ format: 1, ...approval }, null, 2)}\n`
      await replacePrivateFile(toolFile(approval), text)
    },
    async remove(tool) {
      const files = (await filesIn(folder)).filter((name) => name.startsWith(`${hashTool(tool)}-`))
      for (const name of files) await rm(join(folder, name), { force: true })
      return files.length > 0
    },
    async list() {
      const files = [...(await filesIn(folder))].sort()
      const read = await Promise.all(files.map((name) => readApproval(join(folder, name))))
      return read.flatMap((one) => one ?? [])
    },
  }
}

function defaultFolder(): string | null {
  const trustFile = defaultTrustFile()
  return trustFile === null ? null : join(dirname(trustFile), 'approvals')
}

const WITHOUT_HOME: FolderApprovals = {
  folder: null,
  has: async () => false,
  put: async () => {
    throw noHome('approvals')
  },
  remove: async () => false,
  list: async () => [],
}

/** Returns the file name of a tool: names of tools and people are not valid file names. */
function hashTool(tool: Omit<ApprovedTool, 'hash'>): string {
  return createHash('sha256').update(toolKey(tool)).digest('hex').slice(0, 32)
}

function toolKey({ principal, source, owner, tool }: Omit<ApprovedTool, 'hash'>): string {
  return JSON.stringify([principal, source, owner, tool])
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await undefinedIfAbsent(readdir(folder))
  return (names ?? []).filter((name) => name.endsWith('.json'))
}

async function readApproval(file: string): Promise<ApprovedTool | undefined> {
  const text = await undefinedIfAbsent(readFile(file, 'utf8'))
  if (text === undefined) return undefined
  try {
    const { format: _, ...approval } = approvalFileSchema.parse(JSON.parse(text))
    return approval
  } catch (error) {
    throw new WorkspaceError('APPROVAL_DAMAGED', `The approval "${file}" is not valid.`, {
      facts: { file },
      hint: 'Remove it, and approve the tool again.',
      cause: error,
    })
  }
}

async function undefinedIfAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
