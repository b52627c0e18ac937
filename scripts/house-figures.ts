import { resolve } from 'node:path'
import { checkRooms } from './rooms/check-rooms.ts'

/** `node scripts/house-figures.ts [project]`: prints the shape of `src`, with the files that a figure counts. */
const { figures } = checkRooms(resolve(process.argv[2] ?? '.'))

type Row = readonly [name: string, figure: number, counted?: readonly string[]]

const rows: readonly Row[] = [
  ['files', figures.files],
  ['lines', figures.lines],
  ['files per 1,000 lines, at most 11', figures.filesPerThousandLines],
  ['median of lines', figures.medianLines],
  ['p90 of lines, about 200', figures.p90Lines],
  ['longest file in lines of code, at most 300', figures.longest.codeLines, [figures.longest.file]],
  ['facade in lines of code, at most 450', figures.facadeCodeLines],
  ['folder rings', figures.folderRings.length, figures.folderRings.map((ring) => ring.join(', '))],
  ['arrows up between floors', figures.arrowsUp.length, figures.arrowsUp],
  ['folders with more than 20 entries', figures.largeFolders.length, figures.largeFolders],
  ['names exported twice', figures.duplicateExports.length, figures.duplicateExports],
  ['files named after no export', figures.otherNames.length, figures.otherNames],
]

for (const [name, figure, counted = []] of rows) {
  console.log(`${figure.toLocaleString('en').padStart(8)}  ${name}`)
  for (const one of counted) console.log(`          ${one}`)
}

if (figures.files === 0) process.exitCode = 1
