import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { textHash } from '../src/kernel/content-hash.ts'
import { lintProject } from '../src/workbench/project/lint/lint-project.ts'

/**
 * Counts what lint finds in folders, kind by kind, and prints a sample as a table, so that a person can judge whether each
 * finding is true. The same seed and the same findings give the same sample.
 *
 * node scripts/sample-findings.ts --seed 1 --count 200 .fetched/repositories/*
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    /** Print the messages, too. */
    messages: { type: 'boolean', default: false },
  },
})

const found: { readonly row: string; readonly code: string; readonly message: string }[] = []
for (const folder of positionals) {
  const { items } = await lintProject(folder, {
    project: folder,
    home: null,
    limits: { maxFolders: 50_000 },
  })
  for (const { path, diagnostics } of items) {
    for (const { code, file = path, line, message } of diagnostics) {
      const place = `${relative(folder, file)}:${line ?? ''}`
      found.push({ row: `${folder.split('/').at(-1)}\t${place}\t${code}`, code, message })
    }
  }
}

const kinds = Map.groupBy(found, ({ code }) => code)
for (const [code, { length }] of [...kinds].sort(([, a], [, b]) => b.length - a.length)) {
  console.log(`${length}\t${code}`)
}
const sample = found
  .map((one) => ({ ...one, order: textHash(`${values.seed} ${one.row} ${one.message}`) }))
  .toSorted((a, b) => (a.order < b.order ? -1 : 1))
  .slice(0, Number(values.count))
for (const { row, message } of sample) {
  console.log(values.messages ? `${row}\t${message.replaceAll('\n', ' ')}` : row)
}
console.log(`${sample.length} of ${found.length} findings, seed ${values.seed}`)
