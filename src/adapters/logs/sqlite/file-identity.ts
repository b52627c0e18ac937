import { statSync } from 'node:fs'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'

/**
 * Which file has a log's name, and which its write-ahead log's: while the one is open the other is
 * there, and what is written to either without its name is lost.
 */
export class FileIdentity {
  readonly #file: string
  readonly #opened: string

  /** Of the files that have the names now. */
  constructor(file: string) {
    this.#file = file
    this.#opened = identityOf(file)
  }

  /** Throws `LOG_WRITE_FAILED` when others have the names. */
  check(): void {
    if (identityOf(this.#file) !== this.#opened) throw replaced(this.#file)
  }
}

function identityOf(file: string): string {
  return [file, `${file}-wal`].map(identityOfOne).join(' ')
}

/** What cannot even be looked at is not the file that was opened. */
function identityOfOne(name: string): string {
  try {
    const { dev, ino } = statSync(name)
    return `${dev}:${ino}`
  } catch {
    return 'none'
  }
}

function replaced(file: string): WorkspaceError {
  return new WorkspaceError(
    'LOG_WRITE_FAILED',
    `${file} or its -wal was moved, deleted or replaced.`,
    {
      facts: { file },
      hint: 'What is written to a file without its name is lost. Close the log and open it anew.',
    },
  )
}
