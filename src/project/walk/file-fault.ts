import type { Diagnostic, Severity } from '../../kernel/diagnostic.ts'

/** Why a file could not be read. */
export interface FileFault {
  readonly code:
    | 'file-not-found'
    | 'file-not-regular'
    | 'file-too-large'
    | 'file-unreadable'
    | 'link-outside'
    | 'link-broken'
  readonly message: string
  readonly hint: string
}

export function faultDiagnostic(fault: FileFault, severity: Severity, file: string): Diagnostic {
  return { ...fault, severity, file }
}

export function linkOutside(what: string): FileFault {
  return {
    code: 'link-outside',
    message: `The link leads out of ${what}; it was not followed.`,
    hint: 'Put a copy in its place, or allow links that lead out (followLinksOut).',
  }
}

/** The fault for an error of the file system; throws what is none. */
export function faultOf(error: unknown): FileFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return {
        code: 'file-not-found',
        message: 'The file is not there, or is a link to nothing.',
        hint: 'Add it, or remove the link.',
      }
    case 'ELOOP':
      return {
        code: 'link-broken',
        message: 'The link leads back to itself.',
        hint: 'Remove the link.',
      }
    case 'ENXIO':
    case 'EISDIR':
      return notRegular('special file')
    case undefined:
      throw error
  }
  return {
    code: 'file-unreadable',
    message: `The file cannot be read: ${code}.`,
    hint: 'Check its permissions and the disk.',
  }
}

export function notRegular(kind: string): FileFault {
  return {
    code: 'file-not-regular',
    message: `A ${kind} stands where a file should be; it was not read.`,
    hint: 'Put a regular file in its place.',
  }
}
