import { isAbsolute, relative } from 'node:path'
import { z } from 'zod'
import {
  defineTool,
  type ErrorType,
  type Tool,
  type ToolContext,
  ToolError,
  WorkspaceError,
} from '../../../entries/index.ts'
import { checkOptions, type OptionsOf, sanitiseText, thrownMessage } from '../../../entries/kit.ts'
import { asksIn, callSandbox, type SandboxSession, sessionFor } from './sandbox-session.ts'
import { type ReadingSession, withSkillFolders } from './with-skill-folders.ts'
import { matchFiles, searchFiles } from './search-files.ts'
import {
  edited,
  type EditInput,
  notFound,
  READ_BYTES,
  READ_LINES,
  readLines,
  readSandboxText,
} from './read-lines.ts'

/** The names of the file tools. */
export interface FileToolNames {
  readonly read: string
  readonly write: string
  readonly edit: string
  readonly list: string
  readonly glob: string
  readonly search: string
}

/** Options of the file tools. */
export interface FileToolOptions {
  /** The sandbox of the files. That of the AI SDK's run (`experimental_sandbox`) goes before it. */
  readonly sandbox?: SandboxSession
  /** Other names; by default those that skills use: `Read`, `Write`, `Edit`, `LS`, `Glob` and `Grep`. */
  readonly names?: Partial<FileToolNames>
}

const NAME_OPTIONS: OptionsOf<FileToolNames> = {
  read: 'text',
  write: 'text',
  edit: 'text',
  list: 'text',
  glob: 'text',
  search: 'text',
}

const OPTIONS: OptionsOf<FileToolOptions> = { sandbox: 'object', names: NAME_OPTIONS }

const NAMES: FileToolNames = {
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  list: 'LS',
  glob: 'Glob',
  search: 'Grep',
}

/** Entries of one answer of the list, glob and search tools. */
const PAGE = 200

/** The facts that the tools have in common that change nothing. */
const READING = { category: 'retrieval', topic: 'files', unknownArguments: 'strip' } as const
const path = z.string().min(1).describe('The path of the file, such as data/input.json.')

const folder = z
  .string()
  .min(1)
  .optional()
  .describe('A folder; the folder of the sandbox if absent.')

const page = {
  offset: z.int().min(0).optional().describe('Entries to skip, to read on.'),
}

/**
 * Returns tools that work on the files of a sandbox: read, write, edit, list, glob and search.
 *
 * A person is asked before a file of the host is written or edited, with the change as the preview, unless a rule
 * allows it. In a sandbox in memory nobody is asked. Answers are bounded, and say where to read on.
 */
export function fileTools(options: FileToolOptions = {}): readonly Tool[] {
  checkOptions(options, OPTIONS)
  const { sandbox, names } = options
  const named = { ...NAMES, ...names }
  type Context = Pick<ToolContext, 'signal' | 'aiSdk' | 'activeSkills'>
  const within =
    <Input, Result>(
      run: (
        input: Input,
        session: SandboxSession,
        signal: AbortSignal,
        context: Context,
      ) => Promise<Result>,
    ) =>
    async (input: Input, context: Context): Promise<Result> => {
      try {
        return await run(input, sessionFor(context, sandbox), context.signal, context)
      } catch (error) {
        throw sandboxError(error)
      }
    }
  // What changes nothing reaches the folders of active skills, too.
  const reading = <Input, Result>(
    run: (input: Input, session: ReadingSession, signal: AbortSignal) => Promise<Result>,
  ) =>
    within((input: Input, session, signal, { activeSkills }) =>
      run(input, withSkillFolders(session, activeSkills()), signal),
    )
  const asks = (_: unknown, context: Pick<ToolContext, 'aiSdk'>) =>
    asksIn(callSandbox(context, sandbox))
  const change =
    <Input extends { readonly file_path: string }>(
      next: (text: string | null, input: Input) => string,
    ) =>
    async (input: Input, context: Pick<ToolContext, 'aiSdk' | 'signal'>) => {
      const before = await readSandboxText(
        input.file_path,
        sessionFor(context, sandbox),
        context.signal,
      )
      return { path: input.file_path, before, after: next(before, input) }
    }
  const used = ({ file_path }: { readonly file_path: string }) =>
    isAbsolute(file_path) && hasFolder(sandbox) ? relative(sandbox.folder, file_path) : file_path
  const read = defineTool({
    name: named.read,
    description:
      'Read a text file, or a range of its lines. The answer says if there is more, and from which line to read on.',
    ...READING,
    inputSchema: z.object({
      file_path: path,
      offset: z.int().min(1).optional().describe('The first line, from 1.'),
      limit: z.int().min(1).optional().describe(`Lines to read; ${READ_LINES} if absent.`),
    }),
    paths: used,
    execute: reading(readLines),
  })
  const write = defineTool({
    name: named.write,
    description: 'Write a text file: create it with its folders, or replace all of it.',
    category: 'action',
    topic: 'files',
    idempotent: true,
    requiresConfirmation: asks,
    unknownArguments: 'strip',
    inputSchema: z.object({ file_path: path, content: z.string() }),
    paths: used,
    preview: change((_, { content }: { file_path: string; content: string }) => content),
    execute: within(async ({ file_path, content }, session, abortSignal) => {
      const before = await session.readBinaryFile({ path: file_path, abortSignal })
      await session.writeTextFile({ path: file_path, content, abortSignal })
      return { path: file_path, bytes: Buffer.byteLength(content), created: before === null }
    }),
  })
  const edit = defineTool({
    name: named.edit,
    description:
      'Replace a text in a file. It must be in the file exactly once, unless replace_all is true.',
    category: 'action',
    topic: 'files',
    requiresConfirmation: asks,
    unknownArguments: 'strip',
    inputSchema: z.object({
      file_path: path,
      old_string: z.string().min(1).describe('The exact text in the file, with its indentation.'),
      new_string: z.string(),
      replace_all: z.boolean().optional(),
    }),
    paths: used,
    preview: change((before, input: EditInput) => edited(before, input).text),
    execute: within(async (input, session, abortSignal) => {
      const before = await readSandboxText(input.file_path, session, abortSignal)
      const { text: content, count } = edited(before, input)
      await session.writeTextFile({ path: input.file_path, content, abortSignal })
      return { path: input.file_path, replaced: count }
    }),
  })
  const list = defineTool({
    name: named.list,
    description: 'List the files and folders in a folder. Names of folders end in "/".',
    ...READING,
    inputSchema: z.object({ path: folder, ...page }),
    execute: reading(async ({ path: given = '.', offset }, session, abortSignal) => {
      const entries = await session.listDirectory({ path: given, abortSignal })
      if (entries === null) throw notFound(given)
      const lines = entries.map(({ name, type }) => name + (MARKS.get(type) ?? ''))
      return paged(lines.sort(), offset)
    }),
  })
  const glob = defineTool({
    name: named.glob,
    description: 'Find files by a pattern of their path, such as **/*.md or src/*.{ts,tsx}.',
    ...READING,
    inputSchema: z.object({ pattern: z.string().min(1).max(1_000), path: folder, ...page }),
    execute: reading(async ({ pattern, path: given, offset }, session, signal) => {
      const { paths, cut } = await matchFiles(session, { pattern, folder: given, signal })
      return { ...paged(paths, offset), ...(cut && { cut }) }
    }),
  })
  const search = defineTool({
    name: named.search,
    description: 'Find lines of files by a regular expression.',
    ...READING,
    inputSchema: z.object({
      pattern: z.string().min(1).max(1_000),
      path: folder,
      glob: z
        .string()
        .min(1)
        .max(1_000)
        .optional()
        .describe('Only files that fit, such as **/*.ts.'),
      ...page,
    }),
    execute: reading(async ({ pattern, path: given, glob: only, offset = 0 }, session, signal) => {
      const request = { pattern, folder: given, glob: only, most: offset + PAGE + 1, signal }
      const { lines, cut } = await searchFiles(session, request)
      return { ...paged(lines, offset), ...(cut && { cut }) }
    }),
  })
  return [read, write, edit, list, glob, search] as readonly Tool[]
}

/** Returns true for a sandbox whose files are those of a folder of the host. */
function hasFolder(
  sandbox: SandboxSession | undefined,
): sandbox is SandboxSession & { readonly folder: string } {
  return sandbox !== undefined && 'folder' in sandbox
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ['directory', '/'],
  ['symlink', '@'],
])

/** Returns one page of a list, bounded in entries and bytes. */
function paged(all: readonly string[], offset = 0) {
  const entries: string[] = []
  let bytes = 0
  for (const entry of all.slice(offset, offset + PAGE)) {
    bytes += Buffer.byteLength(entry)
    if (bytes > READ_BYTES && entries.length > 0) break
    entries.push(sanitiseText(entry))
  }
  const next = offset + entries.length
  return { entries, ...(next < all.length && { nextOffset: next }) }
}

const ERROR_TYPES: ReadonlyMap<string, ErrorType> = new Map([
  ['PATH_OUTSIDE', 'DENIED'],
  ['PATH_NOT_A_FOLDER', 'NOT_FOUND'],
])

/** Turns the error of a sandbox into one of a tool, which the model reads. */
export function sandboxError(error: unknown): ToolError {
  if (error instanceof ToolError) return error
  if (!WorkspaceError.is(error)) return new ToolError('PERMANENT', thrownMessage(error))
  const code = error.code.toLowerCase().replaceAll('_', '-')
  const message = `${error.message} ${error.hint}`
  return new ToolError(ERROR_TYPES.get(error.code) ?? 'PERMANENT', message, {
    details: { code },
  })
}
