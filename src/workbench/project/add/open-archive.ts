import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { WorkspaceError } from '../../../entries/index.ts'
import { checkedFiles, type SourceFile, type SourceFiles } from './source-files.ts'

/** Bytes of an archive, before and after it is unpacked. */
const MOST_PACKED = 128 * 1024 * 1024
const MOST_UNPACKED = 512 * 1024 * 1024

const BLOCK = 512

/**
 * Reads a `.tgz` in memory: nothing is unpacked onto the disk. The folder that contains all of its files, such as
 * `package` of npm, is left out of the paths. Throws `SOURCE_TOO_LARGE` and `SOURCE_UNREADABLE`.
 */
export async function openArchive(
  file: string,
  about: Pick<SourceFiles, 'origin' | 'ref' | 'commit'>,
): Promise<SourceFiles> {
  const { size } = await stat(file)
  if (size > MOST_PACKED) throw tooLarge()
  const tar = await promisify(gunzip)(await readFile(file), {
    maxOutputLength: MOST_UNPACKED,
  }).catch((error: unknown) => {
    const isLong = error instanceof RangeError
    throw isLong ? tooLarge() : unreadable(file, 'it is not packed with gzip')
  })
  const entries = [...tarEntries(tar, file)]
  const tops = new Set(entries.map(({ path }) => path.split('/', 1)[0] ?? ''))
  const [top = ''] = tops
  const isWrapped = tops.size === 1 && entries.every(({ path }) => path.startsWith(`${top}/`))
  const placed = entries.map(({ path, ...entry }) => ({
    ...entry,
    path: isWrapped ? path.slice(top.length + 1) : path,
  }))
  return {
    ...about,
    files: checkedFiles(placed.filter(({ isFile }) => isFile)),
    leftOut: placed.flatMap(({ isFile, path }) => (isFile ? [] : [path])),
    async read(files) {
      return files.map(({ id, size: length }) => {
        const from = Number(id)
        return new Uint8Array(tar.subarray(from, from + length))
      })
    },
  }
}

/** Reads the headers of a tar archive, with long names of pax and GNU. Folders are left out. */
function* tarEntries(
  tar: Buffer,
  file: string,
): Generator<SourceFile & { readonly isFile: boolean }> {
  let longName: string | undefined
  for (let at = 0; at + BLOCK <= tar.length;) {
    const header = tar.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) return
    const size = numberAt(header, 124, 12)
    if (size === null || at + BLOCK + size > tar.length) {
      throw unreadable(file, 'it ends early, or is no tar archive')
    }
    const body = tar.subarray(at + BLOCK, at + BLOCK + size)
    const type = String.fromCharCode(header[156] ?? 0)
    const prefix = textAt(header, 345, 155)
    const short = textAt(header, 0, 100)
    const isUstar = textAt(header, 257, 5) === 'ustar'
    const path = longName ?? (isUstar && prefix !== '' ? `${prefix}/${short}` : short)
    const id = String(at + BLOCK)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    if (type === 'x') longName = paxPath(body) ?? longName
    else if (type === 'L') longName = textAt(body, 0, body.length)
    else if (type !== 'g' && type !== 'K') {
      longName = undefined
      const isFile = type === '0' || type === '\0' || type === '7'
      const executable = ((numberAt(header, 100, 8) ?? 0) & 0o111) !== 0
      const plain = path.replace(/^\.\//u, '')
      if (type !== '5' && !(isFile && plain.endsWith('/'))) {
        yield { path: plain, size: isFile ? size : 0, executable, id, isFile }
      }
    }
  }
}

function textAt(bytes: Buffer, from: number, length: number): string {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString('utf8')
}

/** Reads an octal number; null for anything else, such as the binary form of sizes over 8 GB. */
function numberAt(bytes: Buffer, from: number, length: number): number | null {
  const text = textAt(bytes, from, length).trim()
  return /^[0-7]*$/u.test(text) ? Number.parseInt(text || '0', 8) : null
}

/** Returns the path in a pax header, whose records are `<length> <key>=<value>\n`. */
function paxPath(body: Buffer): string | undefined {
  for (let at = 0; at < body.length;) {
    const blank = body.indexOf(32, at)
    const length = Number(body.subarray(at, blank).toString('utf8'))
    if (!(length > 0)) return undefined
    const record = body.subarray(blank + 1, at + length - 1).toString('utf8')
    if (record.startsWith('path=')) return record.slice('path='.length)
    at += length
  }
  return undefined
}

function tooLarge(): WorkspaceError {
  return new WorkspaceError('SOURCE_TOO_LARGE', 'The archive is too large to be read.', {
    facts: { packed: MOST_PACKED, unpacked: MOST_UNPACKED },
    hint: 'Copy its skills into a folder, and add that.',
  })
}

function unreadable(file: string, why: string): WorkspaceError {
  return new WorkspaceError('SOURCE_UNREADABLE', `"${file}" cannot be read: ${why}.`, {
    facts: { file },
    hint: 'Give a .tgz file.',
  })
}
