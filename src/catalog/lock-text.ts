import type { Lock } from './lock.ts'

/** A lock as a file: keys in order, a line for each of them, ending with a line break. */
export function lockText({ format, version, skills, files }: Lock): string {
  const lock = {
    format,
    version,
    skills: skills.map(({ uri, resources }) => ({
      uri,
      resources: resources.map(({ uri: file, digest, size }) => ({ uri: file, digest, size })),
    })),
    files: files.map(({ path, digest, size }) => ({ path, digest, size })),
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}
