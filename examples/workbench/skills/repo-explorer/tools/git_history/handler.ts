import { ToolError } from 'loadout'
import { cut } from '../../lib/cut.ts'
import { innerPath } from '../../lib/inner-path.ts'
import { rootFolder, type ExplorerContext } from '../../lib/root-folder.ts'
import { runGit } from '../../lib/run-git.ts'
import { stopWhenAborted } from '../../lib/stop-when-aborted.ts'

interface Input {
  readonly path?: string
  readonly revision?: string
  readonly limit?: number
}

interface Commit {
  readonly hash: string
  readonly author: string
  /** ISO 8601, with the author's own offset. */
  readonly date: string
  readonly subject: string
  readonly body?: string
}

interface Output {
  readonly commits: readonly Commit[]
  readonly complete: boolean
  readonly note?: string
}

const FIELDS = ['%H', '%an', '%aI', '%s', '%b']
const MOST_BODY = 2_000

export async function execute(input: Input, context: ExplorerContext): Promise<Output> {
  const { path = '.', revision = 'HEAD', limit = 20 } = input
  stopWhenAborted(context.signal)
  const inner = innerPath(path)
  const root = await rootFolder(context)
  const commit = await findCommit(root, revision, context.signal)
  if (commit === undefined) return { commits: [], complete: true, note: 'No commits yet.' }

  const format = `--format=tformat:${FIELDS.join('%x00')}`
  const log = ['log', '-z', format, `--max-count=${limit + 1}`]
  const printed = await runGit(root, [...log, commit, ...below(inner)], context.signal)
  const found = parse(printed)
  if (found.length <= limit) return { commits: found, complete: true }
  const note = `Cut after ${limit} commits; go on with revision "${found[limit]?.hash}".`
  return { commits: found.slice(0, limit), complete: false, note }
}

/**
 * The full hash a revision stands for; undefined for the `HEAD` of an empty repository.
 * Given as an argument that cannot be an option, whatever the model wrote.
 */
async function findCommit(
  root: string,
  revision: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  await runGit(root, ['rev-parse', '--git-dir'], signal)
  if (revision.includes('\0')) throw unknown(revision)
  const parse = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const hash = await runGit(root, parse, signal).catch((error: unknown) => {
    if (ToolError.is(error) && error.type === 'PERMANENT') return ''
    throw error
  })
  if (hash !== '') return hash.trim()
  if (revision === 'HEAD') return undefined
  throw unknown(revision)
}

function unknown(revision: string): ToolError {
  const message = `The repository has no revision ${JSON.stringify(revision)}.`
  return new ToolError('NOT_FOUND', message, { details: { revision } })
}

/** Without a path git also lists commits that change no file. */
function below(path: string): readonly string[] {
  return path === '.' ? [] : ['--', path]
}

/** Fields and records both end in NUL, which no commit can hold. */
function parse(printed: string): readonly Commit[] {
  const values = printed.split('\0')
  const commits: Commit[] = []
  for (let at = 0; at + FIELDS.length <= values.length; at += FIELDS.length) {
    const [hash = '', author = '', date = '', subject = '', body = ''] = values.slice(
      at,
      at + FIELDS.length,
    )
    const text = cut(body.trim(), MOST_BODY)
    commits.push({
      hash,
      author,
      date,
      subject: cut(subject, 500),
      ...(text !== '' && { body: text }),
    })
  }
  return commits
}
