import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Answers } from './saved-answer.ts'

/** Answers as files of a folder, one a step. The first process that stores one is the one that counts. */
export function answersInFolder(folder: string): Answers {
  const file = (step: string) => join(folder, `answer-${step}.json`)
  return {
    get: (step) =>
      readFile(file(step), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        return undefined
      }),
    async add(step, answer) {
      const part = join(folder, `${randomUUID()}.part`)
      await writeFile(part, answer, { flush: true })
      await link(part, file(step)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await rm(part)
      return readFile(file(step), 'utf8')
    },
  }
}
